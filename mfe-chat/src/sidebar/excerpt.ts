import type { Highlight } from 'api/contract/search';

export interface ExcerptPart {
  text: string;
  isHit: boolean;
}

interface Options {
  /** Maximum number of UTF-16 units before the first match, and in total. */
  lead: number;
  length: number;
}

/**
 * An excerpt of `text` around its first match, in parts, or from the beginning if nothing matches. `hits` are in order and do not overlap.
 * Outside of matches Markdown syntax is removed and white space is collapsed.
 */
export function excerpt(
  text: string,
  hits: readonly Pick<Highlight, 'start' | 'end'>[],
  { lead, length }: Options,
): ExcerptPart[] {
  const first = hits[0]?.start ?? 0;
  const from = first <= lead + 8 ? 0 : characterStart(text, first - lead);
  const to = characterStart(text, Math.min(text.length, from + length));
  const parts: ExcerptPart[] = [];
  let at = from;
  const plainTo = (end: number) => {
    const plain = withoutMarkdown(text.slice(at, end));
    if (plain) parts.push({ text: plain, isHit: false });
  };
  for (const hit of hits) {
    const [start, end] = [Math.max(hit.start, at), Math.min(hit.end, to)];
    if (start >= end) continue;
    plainTo(start);
    parts.push({ text: text.slice(start, end), isHit: true });
    at = end;
  }
  plainTo(to);
  if (from > 0) parts.unshift({ text: '…', isHit: false });
  if (to < text.length) parts.push({ text: '…', isHit: false });
  return parts;
}

/** Moves a position out of the middle of a surrogate pair. */
function characterStart(text: string, at: number): number {
  return /[\udc00-\udfff]/.test(text[at] ?? '') && /[\ud800-\udbff]/.test(text[at - 1] ?? '') ? at - 1 : at;
}

function withoutMarkdown(markdown: string): string {
  return markdown.replaceAll(/\[\d+\]|[*_`#>|]+|-{3,}/g, '').replaceAll(/\s+/g, ' ');
}
