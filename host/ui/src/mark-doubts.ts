/** As `Doubt` of the API. */
interface Doubt {
  kind: 'citation' | 'sentence' | 'number';
  start: number;
  end: number;
}

/** An answer without the citations that do not support it. The citation `[0]` follows each statement without support. */
export function markDoubts(text: string, doubts: readonly Doubt[] = []): string {
  let shown = '';
  let from = 0;
  for (const { kind, start, end } of doubts) {
    const before = text.slice(from, kind === 'citation' ? start : end);
    from = Math.max(from, end);
    if (kind === 'citation') shown += before.trimEnd();
    // Markdown would make a link of the citation and text in parentheses after it.
    else shown += `${before.trimEnd()}[0]${text[from] === '(' ? ' ' : ''}`;
  }
  return shown + text.slice(from);
}

/** The citations that an answer shows, with their numbers. Those whose marks are all removed are left out, as in the API. */
export function shownCitations<C extends object>(
  answer: string,
  citations: readonly C[],
  doubts: readonly Doubt[] = [],
): (C & { n: number })[] {
  const shown = markDoubts(answer, doubts);
  const removed = new Set(
    doubts.flatMap(({ kind, start, end }) => (kind === 'citation' ? [answer.slice(start, end)] : [])),
  );
  return citations
    .map((citation, at) => ({ ...citation, n: at + 1 }))
    .filter(({ n }) => !removed.has(`[${n}]`) || shown.includes(`[${n}]`));
}
