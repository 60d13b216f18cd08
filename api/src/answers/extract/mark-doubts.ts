import type { Citation, Doubt } from '../../contract/answers.ts';

/** Removes citations without support, and adds `label` after sentences and numbers without support. */
export function markDoubts(text: string, doubts: readonly Doubt[] | null | undefined, label: string): string {
  let shown = '';
  let from = 0;
  for (const { kind, start, end } of doubts ?? []) {
    const before = text.slice(from, kind === 'citation' ? start : end);
    shown += kind === 'number' ? before + label : before.trimEnd() + (kind === 'sentence' ? label : '');
    from = Math.max(from, end);
  }
  return shown + text.slice(from);
}

/**
 * The citations that an answer shows, with their numbers, grouped by document: without those whose marks are
 * all removed by `markDoubts`.
 */
export function shownCitations<C extends Pick<Citation, 'title'>>({
  answer,
  citations,
  doubts,
}: {
  answer: string;
  citations: readonly C[];
  doubts?: readonly Doubt[] | null;
}): (C & { n: number })[] {
  const shown = markDoubts(answer, doubts, '');
  const removed = new Set(
    (doubts ?? []).flatMap(({ kind, start, end }) => (kind === 'citation' ? [answer.slice(start, end)] : [])),
  );
  const numbered = citations
    .map((citation, at) => ({ ...citation, n: at + 1 }))
    .filter(({ n }) => !removed.has(`[${n}]`) || shown.includes(`[${n}]`));
  return [...Map.groupBy(numbered, ({ title }) => title).values()].flat();
}
