const SHOWN = 160;

/** The beginning of a Markdown answer as one plain line without syntax and citation numbers, at most 160 characters. */
export function plainExcerpt(markdown: string): string {
  const plain = markdown
    .slice(0, SHOWN * 4)
    .replace(/```[^\n]*\n?/g, ' ')
    .replace(/!?\[([^\]\n]*)\]\((?:[^()\n]|\([^()\n]*\))*\)/g, '$1')
    // The separator row of a table.
    .replace(/^[ |:-]*-{2}[ |:-]*$/gm, ' ')
    .replace(/\s?\[\d{1,3}\]/g, '')
    .replace(/^\s*(?:#{1,6}|[-*+>]|\d{1,3}[.)])\s+/gm, '')
    // An escaped character is not syntax.
    .replace(/(?<!\\)(?:[*`|]+|(?<![\p{L}\p{N}])_+|_+(?![\p{L}\p{N}]))/gu, '')
    .replace(/\\([!-/:-@[-`{-~])/g, '$1')
    .replace(/\s+/g, ' ')
    .trim();
  return [...plain].slice(0, SHOWN).join('');
}
