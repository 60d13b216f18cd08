/** As `Doubt` of the API. */
interface Doubt {
  kind: 'citation' | 'sentence' | 'number';
  start: number;
  end: number;
}

/** An answer without the citations that do not support it, and with the citation `[0]` after what has no support. */
export function markDoubts(text: string, doubts: readonly Doubt[] = []): string {
  let shown = '';
  let from = 0;
  for (const { kind, start, end } of doubts) {
    const before = text.slice(from, kind === 'citation' ? start : end);
    from = Math.max(from, end);
    if (kind === 'citation') shown += before.trimEnd();
    // Text in parentheses would make it a link.
    else shown += `${before.trimEnd()}[0]${text[from] === '(' ? ' ' : ''}`;
  }
  return shown + text.slice(from);
}
