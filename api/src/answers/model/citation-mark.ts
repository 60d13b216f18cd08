/**
 * Citations of models: `[1]`, `[1, 2]`, `[1-3]`, `[^1]`, `【1†source】`, `(见来源 1)`, `[[1]]`, `[1](https://…)`.
 */

const words = [
  ...['来源', '资料', '参考资料', '参考', '引用', '出处', '文献', '文档', '段落', '编号'],
  ...['sources', 'passages', 'references', 'refs', 'citations', 'documents', 'docs'],
];
const singular = words.flatMap((word) => (word.endsWith('s') ? [word, word.slice(0, -1)] : [word]));
const word = `(?:${singular.join('|')})`;
const see = '(?:see|参见|详见|见)';
/** The characters that these words consist of. */
const letters = `a-z${[...new Set(words.join('').replace(/[a-z]/g, ''))].join('')}见详`;

const digits = '[0-9０-９]{1,3}';
/** Spaces of any width, including invisible ones. */
const blank = String.raw`[ \t\u00a0\u2002-\u200b\u202f\u2060\u3000\ufeff]`;
const blanks = `${blank}{0,3}`;
const between = '[,，、;；&/和及]|and';
const upTo = '[-–—~～至到]|to';
const opening = String.raw`\\?[[【［〔]{1,2}`;
const closing = String.raw`\\?[\]】］〕]{1,2}`;
const label = `(?:(?:${see}${blanks})?${word}${blanks}[:：#.]?)`;
const lead = String.raw`${blanks}\^?${label}?${blanks}`;
/** Each space matches in one place only, to avoid exponential backtracking in long lists of numbers. */
const more = String.raw`${blanks}(?:${between}|${upTo})${blanks}\^?(?:${word}${blank}?)?${digits}`;
const numbers = `${digits}(?:${more}){0,24}${blanks}`;
const locator = String.raw`(?:(?::\d{1,3})?†[^\]】］〕\n]{0,60})?`;
const square = `${opening}${lead}${numbers}${locator}${closing}`;
const round = `[(（]${blanks}${label}${blanks}${numbers}[)）]`;
/** The target of a link, as in `[1](https://…)`. */
const target = String.raw`\([ \t]?<?(?:(?:https?|ftp|file|data|mailto|javascript):|www\.|[/#])[^()\n]{0,300}\)`;

/** A complete citation, with the spaces before it and a link target after it. */
export const mark = new RegExp(String.raw`[ \t]{0,8}(?:${square}|${round})(?:${target})?`, 'giu');

const begunLabel = `(?:[:：#.${letters}]|${blank}){0,30}`;
const begunNumbers = String.raw`[0-9０-９](?:[0-9０-９,，、;；&/和及\-–—~～至到^:${letters}]|${blank}){0,120}`;
const begunSquare = String.raw`\\|${opening}${blanks}\^?${begunLabel}(?:${begunNumbers}(?:†[^\]】］〕\n]{0,60})?\\?)?`;
const begunRound = `[(（]${begunLabel}(?:${begunNumbers})?`;
const begunTarget = String.raw`(?:${square}|${round})(?:\([^()\n]{0,300})?`;
const begun = new RegExp(String.raw`[ \t]{0,8}(?:${begunTarget}|${begunSquare}|${begunRound})?$`, 'iu');

/** Maximum length of a citation, in UTF-16 units. */
const maxMarkLength = 520;

/**
 * Start of a perhaps incomplete citation at the end of `text`, with spaces before it; the length without one.
 */
export function beginningOfMark(text: string): number {
  const from = Math.max(0, text.length - maxMarkLength);
  const end = text.slice(from);
  // The search runs from left to right, so that a match does not begin within a citation.
  return from + begun.exec(end)!.index;
}

const address = new RegExp(`${target}$`, 'iu');
const ranges = new RegExp(`(\\d+)(?:${blanks}(?:${upTo})${blanks}\\^?(?:${word}${blank}?)?(\\d+))?`, 'giu');

/** The numbers of a citation. Ranges are expanded; of a range of more than 20 only the ends count. */
export function numbersOf(found: string): number[] {
  const inner = found
    .replace(address, '')
    .replace(/(?::\d+)?†.*$/su, '')
    .normalize('NFKC');
  return [...inner.matchAll(ranges)].flatMap(([, first, last]) => {
    const [low, high] = [Number(first), Number(last ?? first)].toSorted((one, other) => one - other);
    if (high! - low! > 20) return [low!, high!];
    return Array.from({ length: high! - low! + 1 }, (_, index) => low! + index);
  });
}
