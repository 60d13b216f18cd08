import type { Doubt } from '../contract/answers.ts';

/** An answer without the citations that do not support it, and with `label` after what has no support. */
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
