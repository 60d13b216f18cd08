/** How models write citations: `[1]`, `[1, 2]`, `[1-3]`, `[^1]`, `【1†source】`, `[来源：1]`, `(来源 1)`, `[[1]]`, `[1](https://…)`. */

const words = [
  ...['来源', '资料', '参考资料', '参考', '引用', '出处', '文献', '文档', '段落', '编号'],
  ...['sources', 'passages', 'references', 'refs', 'citations', 'documents', 'docs'],
];
/** Singular forms are beginnings of these. */
const singular = words.flatMap((word) => (word.endsWith('s') ? [word, word.slice(0, -1)] : [word]));
const word = `(?:${singular.join('|')})`;
const beginnings = new Set(singular.flatMap((one) => [...one].map((_, end) => one.slice(0, end + 1))));
const begunWord = `(?:${[...beginnings].toSorted((one, other) => other.length - one.length).join('|')})`;

const between = '[,，、;；&/和及]|and';
const upTo = '[-–—~～至到]|to';
const lead = String.raw`[ \t]{0,3}\^?(?:${word}[ \t]{0,3}[:：#.]?)?[ \t]{0,3}`;
const numbers = String.raw`\d{1,3}(?:[ \t]{0,3}(?:${between}|${upTo})[ \t]{0,3}\^?${word}?[ \t]?\d{1,3}){0,24}[ \t]{0,3}`;
const locator = String.raw`(?:(?::\d{1,3})?†[^\]】］\n]{0,60})?`;
const square = String.raw`[[【［]{1,2}${lead}${numbers}${locator}[\]】］]{1,2}`;
const round = String.raw`[(（][ \t]{0,3}${word}[ \t]{0,3}[:：#.]?[ \t]{0,3}${numbers}[)）]`;
/** A number that leads somewhere of the model's own choice. */
const target = String.raw`\((?:https?:|www\.|[/#])[^()\s]{0,300}\)`;

/** A whole mark, with the blanks before it. Group 1 is its numbers, with whatever stands between them. */
export const mark = new RegExp(String.raw`[ \t]{0,8}(?:${square}|${round})(?:${target})?`, 'giu');

const tail = String.raw`[\d \t,，、;；&/和及\-–—~～至到^:a-z来源资料参考引用出处文献档段落编号]{0,120}`;
const begunSquare = String.raw`[[【［]{1,2}[ \t]{0,3}\^?(?:${begunWord}[ \t]{0,3}[:：#.]?)?[ \t]{0,3}(?:\d${tail}(?:†[^\]】］\n]{0,60})?)?`;
const begunRound = String.raw`[(（][ \t]{0,3}(?:${begunWord}[ \t]{0,3}[:：#.]?[ \t]{0,3}(?:\d${tail})?)?`;
const begunTarget = String.raw`(?:${square}|${round})(?:\((?:h|ht|htt|https?:?|w|ww|www|(?:https?:|www\.|[/#])[^()\s]{0,300})?)?`;
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

/** The numbers of a mark in order; of a range all, of an absurd one its ends. */
export function numbersOf(found: string): number[] {
  const inner = found.replace(/\((?:https?:|www\.|[/#])[^()\s]*\)$/i, '').replace(/(?::\d+)?†.*$/su, '');
  const ranges = inner.matchAll(
    new RegExp(String.raw`(\d+)(?:[ \t]*(?:${upTo})[ \t]*\^?${word}?[ \t]?(\d+))?`, 'giu'),
  );
  return [...ranges].flatMap(([, first, last]) => {
    const [low, high] = [Number(first), Number(last ?? first)].toSorted((one, other) => one - other);
    if (high! - low! > 20) return [low!, high!];
    return Array.from({ length: high! - low! + 1 }, (_, index) => low! + index);
  });
}
