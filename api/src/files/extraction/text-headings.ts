/** Maximum length of a heading in UTF-16 units. */
const maxLength = 80;

/** A line with the punctuation of a sentence is not a heading. */
const sentence = /[。；;，,！!]|[.:：?？]$|[a-z]\. [A-Z]/;

const sentenceEnd = /[.!?。！？]\s*$/;

const ordinal = '[一二三四五六七八九十百]{1,4}';

/** Numbering styles of headings. Other numbered lines are list items. */
const numberings: { pattern: RegExp; levelOf(number: string): number }[] = [
  { pattern: new RegExp(`^(第${ordinal}[编篇章部]|第\\d+[编篇章部])`), levelOf: () => 2 },
  { pattern: new RegExp(`^(第${ordinal}[节条款]|第\\d+[节条款])`), levelOf: () => 3 },
  { pattern: new RegExp(`^(${ordinal}、)`), levelOf: () => 2 },
  { pattern: new RegExp(`^([（(]${ordinal}[）)])`), levelOf: () => 3 },
  { pattern: /^(§\s?\d+)\b/, levelOf: () => 2 },
  { pattern: /^((?:Article|Section|Chapter|Part|Appendix|Annex)\s+[\dIVXA-Z]{1,5})\b/i, levelOf: () => 2 },
  {
    pattern:
      /^([\d０-９]{1,2}(?:[.．][\d０-９]{1,2}){0,3})(?:[.．、)）]?\s+|[.．、]|[)）](?=\p{Script=Han}))(?=[^\d０-９])/u,
    levelOf: (number) => 2 + (number.match(/[.．]/g)?.length ?? 0),
  },
  { pattern: /^([IVX]{1,5})[.．、]\s+(?=\S)/, levelOf: () => 2 },
  { pattern: /^(【[^】]+】)$/, levelOf: () => 2 },
];

/**
 * Marks headings in plain text as in Markdown, so that it is split into the author's sections: underlined
 * lines, numbered lines (一、 · 第三章 · 2.1 · § 4 · IV.), lines in capitals on their own or in 【】, and a title in
 * the first line. Only adds `#` marks and removes underlines; no other character changes. O(n).
 */
export function markHeadings(text: string): string {
  const lines = text.split('\n');
  const marked: string[] = [];
  let isFirst = true;
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at]!;
    const bare = line.trim();
    if (bare === '') {
      marked.push(line);
      continue;
    }
    const underline = underlineOf(bare, lines[at + 1]);
    const level = underline || levelOf(lines, at, isFirst);
    marked.push(level > 0 ? `${'#'.repeat(Math.min(level, 6))} ${bare}` : line);
    if (underline > 0) at += 1;
    isFirst = false;
  }
  return marked.join('\n');
}

/**
 * Levels of the numbered headings among paragraphs, below the headings that are marked with `#`; 0 for everything else, such as tables and items
 * of lists. O(n).
 */
export function numberedLevels(paragraphs: readonly string[]): number[] {
  const lines = paragraphs.flatMap((paragraph) => [paragraph, '']);
  let above = 0;
  /** A number without punctuation may be an amount or a part of an address; those of sections follow each other. */
  let expected = 1;
  return paragraphs.map((paragraph, at) => {
    const marked = /^#{1,6}(?= )/.exec(paragraph)?.[0].length ?? 0;
    if (marked > 0) above = Math.max(0, marked - 1);
    if (marked > 0 || paragraph.length > maxLength || /^[|>*+-]|\n/.test(paragraph)) return 0;
    const plain = /^\d{1,2}(?=\s)/.exec(paragraph)?.[0];
    if (sentence.test(paragraph) || (plain && Number(plain) !== expected)) return 0;
    const level = numberedLevel(lines, at * 2) ?? 0;
    if (plain && level > 0) expected += 1;
    return level === 0 ? 0 : Math.min(level + above, 6);
  });
}

/** Level of a heading underlined by the next line; 0 if it is not. */
function underlineOf(bare: string, next: string | undefined): number {
  const under = next?.trim() ?? '';
  if (bare.length > maxLength || !/^(?:={3,}|-{3,}|~{3,}|_{3,})$/.test(under) || /^\W+$/u.test(bare))
    return 0;
  return under.startsWith('=') ? 1 : 2;
}

function levelOf(lines: readonly string[], at: number, isFirst: boolean): number {
  const bare = lines[at]!.trim();
  if (bare.length > maxLength || /^[#>|*+-]/.test(bare)) return 0;
  const stands = isBlank(lines[at - 1]) || sentenceEnd.test(lines[at - 1]!);
  if (sentence.test(bare) || isWrapped(bare, lines[at + 1], isBlank(lines[at - 1]))) return 0;
  const numbered = numberedLevel(lines, at);
  if (numbered !== null) return numbered;
  if (isFirst && isBlank(lines[at + 1])) return 1;
  return stands && isCapitals(bare) && !isCapitals(lines[at + 1] ?? '') ? 2 : 0;
}

/** Whether a heading begins with the number of its section. */
export function isNumbered(heading: string): boolean {
  return numberings.some(({ pattern }) => pattern.test(heading));
}

/** null if the line has no number, 0 if it is an item of a list: the non-empty line before or after it is another one. */
function numberedLevel(lines: readonly string[], at: number): number | null {
  const bare = lines[at]!.trim();
  for (const { pattern, levelOf: level } of numberings) {
    const number = pattern.exec(bare)?.[1];
    if (number === undefined) continue;
    const isSame = (line: string | undefined) => {
      const other = line === undefined ? null : pattern.exec(line.trim());
      return other !== null && level(other[1]!) === level(number);
    };
    const before = lines.slice(Math.max(0, at - 3), at).findLast((line) => line.trim() !== '');
    const next = lines.slice(at + 1, at + 4).find((line) => line.trim() !== '');
    return next === undefined || isSame(before) || isSame(next) ? 0 : level(number);
  }
  return null;
}

/** Whether a paragraph continues in the next line. A heading is short, and ends before a new paragraph. */
function isWrapped(bare: string, next: string | undefined, isApart: boolean): boolean {
  if (isBlank(next)) return false;
  // A short line below a blank one is complete: its section may begin with a number.
  const isComplete = isApart && bare.length <= veryShortLine;
  return bare.length > shortLine || (isComplete ? /^\p{Ll}/u : /^[\p{Ll}\d(]/u).test(next!.trim());
}

function isCapitals(line: string): boolean {
  return /\p{Lu}{2}/u.test(line) && !/\p{Ll}/u.test(line) && !/\d{3}/.test(line);
}

/** Minimum length of a wrapped line in a paragraph. */
const shortLine = 50;
/** Maximum length of a line that never continues in the next one. */
const veryShortLine = 30;

function isBlank(line: string | undefined): boolean {
  return line === undefined || line.trim() === '';
}
