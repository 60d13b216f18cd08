/** How models write citations: `[1]`, `[1, 2]`, `[1-3]`, `[^1]`, `【1†source】`, `[来源：1]`, `(见来源 1)`, `[[1]]`, `[1](https://…)`. */

const words = [
  ...['来源', '资料', '参考资料', '参考', '引用', '出处', '文献', '文档', '段落', '编号'],
  ...['sources', 'passages', 'references', 'refs', 'citations', 'documents', 'docs'],
];
const singular = words.flatMap((word) => (word.endsWith('s') ? [word, word.slice(0, -1)] : [word]));
const word = `(?:${singular.join('|')})`;
const see = '(?:see|参见|详见|见)';
/** What these words are made of. */
const letters = `a-z${[...new Set(words.join('').replace(/[a-z]/g, ''))].join('')}见详`;

const digits = '[0-9０-９]{1,3}';
/** Blanks of any width, and those that show nothing. */
const blank = String.raw`[ \t\u00a0\u2002-\u200b\u202f\u2060\u3000\ufeff]`;
const blanks = `${blank}{0,3}`;
const between = '[,，、;；&/和及]|and';
const upTo = '[-–—~～至到]|to';
const opening = String.raw`\\?[[【［〔]{1,2}`;
const closing = String.raw`\\?[\]】］〕]{1,2}`;
const label = `(?:(?:${see}${blanks})?${word}${blanks}[:：#.]?)`;
const lead = String.raw`${blanks}\^?${label}?${blanks}`;
/** Every blank has one place only: with two, a long list of numbers would be tried in 2 to the power of its length ways. */
const more = String.raw`${blanks}(?:${between}|${upTo})${blanks}\^?(?:${word}${blank}?)?${digits}`;
const numbers = `${digits}(?:${more}){0,24}${blanks}`;
const locator = String.raw`(?:(?::\d{1,3})?†[^\]】］〕\n]{0,60})?`;
const square = `${opening}${lead}${numbers}${locator}${closing}`;
const round = `[(（]${blanks}${label}${blanks}${numbers}[)）]`;
/** A number that leads somewhere of the model's own choice. */
const target = String.raw`\([ \t]?<?(?:(?:https?|ftp|file|data|mailto|javascript):|www\.|[/#])[^()\n]{0,300}\)`;

/** A whole mark, with the blanks before it, and an address behind it. */
export const mark = new RegExp(String.raw`[ \t]{0,8}(?:${square}|${round})(?:${target})?`, 'giu');

const begunLabel = `(?:[:：#.${letters}]|${blank}){0,30}`;
const begunNumbers = String.raw`[0-9０-９](?:[0-9０-９,，、;；&/和及\-–—~～至到^:${letters}]|${blank}){0,120}`;
const begunSquare = String.raw`\\|${opening}${blanks}\^?${begunLabel}(?:${begunNumbers}(?:†[^\]】］〕\n]{0,60})?\\?)?`;
const begunRound = `[(（]${begunLabel}(?:${begunNumbers})?`;
const begunTarget = String.raw`(?:${square}|${round})(?:\([^()\n]{0,300})?`;
const begun = new RegExp(String.raw`[ \t]{0,8}(?:${begunTarget}|${begunSquare}|${begunRound})?$`, 'iu');

/** Longer than any mark: nothing before so many units of the end can be the beginning of one. */
const longestMark = 520;

/** Where `text` ends with what may become a mark, or with blanks before one; else its length. */
export function beginningOfMark(text: string): number {
  const from = Math.max(0, text.length - longestMark);
  const end = text.slice(from);
  // From left to right, so that a mark is not taken for begun in its middle.
  return from + begun.exec(end)!.index;
}

const address = new RegExp(`${target}$`, 'iu');
const ranges = new RegExp(`(\\d+)(?:${blanks}(?:${upTo})${blanks}\\^?(?:${word}${blank}?)?(\\d+))?`, 'giu');

/** The numbers of a mark in order; of a range all, of an absurd one its ends. */
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
