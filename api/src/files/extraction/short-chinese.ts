/** Characters from which on their frequencies tell the encoding better. */
const few = 100;
/** Share of everyday characters; names have rarer ones. */
const everyday = 0.7;

/** A character of two bytes, an ASCII one, or a byte that makes none. */
const ofGb = /[\x81-\xfe][\xa1-\xfe]|[\s\S]/g;
const ofBig5 = /[\x81-\xfe][\x40-\x7e\xa1-\xfe]|[\s\S]/g;

/**
 * Which encoding a text with few Chinese characters is in, of whose frequencies nothing can be told: a name, the head of a table. GB 2312
 * and Big5 both have their everyday characters in rows of their own, which the bytes of other encodings hardly stay within.
 *
 * @returns null where it is neither for sure.
 */
export function shortChinese(bytes: Buffer): 'gb18030' | 'big5' | null {
  const text = bytes.toString('latin1');
  if ((text.match(/[\x80-\xff]/g)?.length ?? 0) > 2 * few) return null;
  // Punctuation and full width letters; everyday characters; the rarer ones. GB 2312 has letters of other scripts in between.
  if (isIn(text.match(ofGb), /^[\xa1-\xa3].$/, /^[\xb0-\xd7].$/, /^[\xd8-\xf7].$/)) return 'gb18030';
  const inBig5 = text.match(ofBig5);
  return !isKana(inBig5) && isIn(inBig5, /^[\xa1-\xa3].$/, /^[\xa4-\xc6].$/, /^[\xc9-\xf9].$/)
    ? 'big5'
    : null;
}

function isIn(tokens: readonly string[] | null, marks: RegExp, common: RegExp, rare: RegExp): boolean {
  const pairs = (tokens ?? []).filter((token) => token > '\x7f');
  // The last one may be cut off.
  if (pairs.at(-1)?.length === 1 && tokens?.at(-1) === pairs.at(-1)) pairs.pop();
  const commons = pairs.filter((pair) => common.test(pair)).length;
  const rares = pairs.filter((pair) => rare.test(pair)).length;
  const others = pairs.filter((pair) => marks.test(pair)).length;
  const isAll = commons + rares + others === pairs.length;
  return isAll && commons >= 2 && commons >= (commons + rares) * everyday;
}

/** The two rows that most of a Japanese text in EUC-JP is of are everyday ones of Big5. */
function isKana(tokens: readonly string[] | null): boolean {
  const pairs = (tokens ?? []).filter((token) => token.length === 2);
  return pairs.filter((pair) => /^[\xa4\xa5][\xa1-\xf6]/.test(pair)).length > pairs.length * 0.4;
}
