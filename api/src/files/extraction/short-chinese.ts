/** From this number of characters on, frequencies determine the encoding better. */
const few = 100;
/** Minimum fraction of common characters; names contain rarer ones. */
const everyday = 0.7;

/** A two-byte character, an ASCII character, or an invalid byte. */
const ofGb = /[\x81-\xfe][\xa1-\xfe]|[\s\S]/g;
const ofBig5 = /[\x81-\xfe][\x40-\x7e\xa1-\xfe]|[\s\S]/g;

/**
 * Detects the encoding of a text with few Chinese characters (a name, a table header), for which frequencies
 * are not meaningful. GB 2312 and Big5 have their common characters in certain rows, in which text of other
 * encodings hardly ever falls.
 * @returns null if it is clearly neither.
 */
export function shortChinese(bytes: Buffer): 'gb18030' | 'big5' | null {
  const text = bytes.toString('latin1');
  if ((text.match(/[\x80-\xff]/g)?.length ?? 0) > 2 * few) return null;
  // Punctuation and full-width letters; common characters; rarer ones. In GB 2312, letters of other scripts
  // are in between.
  if (isIn(text.match(ofGb), /^[\xa1-\xa3].$/, /^[\xb0-\xd7].$/, /^[\xd8-\xf7].$/)) return 'gb18030';
  const inBig5 = text.match(ofBig5);
  return !isKana(inBig5) && isIn(inBig5, /^[\xa1-\xa3].$/, /^[\xa4-\xc6].$/, /^[\xc9-\xf9].$/)
    ? 'big5'
    : null;
}

function isIn(tokens: readonly string[] | null, marks: RegExp, common: RegExp, rare: RegExp): boolean {
  const pairs = (tokens ?? []).filter((token) => token > '\x7f');
  // The last one may be truncated.
  if (pairs.at(-1)?.length === 1 && tokens?.at(-1) === pairs.at(-1)) pairs.pop();
  const commons = pairs.filter((pair) => common.test(pair)).length;
  const rares = pairs.filter((pair) => rare.test(pair)).length;
  const others = pairs.filter((pair) => marks.test(pair)).length;
  const isAll = commons + rares + others === pairs.length;
  return isAll && commons >= 2 && commons >= (commons + rares) * everyday;
}

/** The two rows that contain kana in EUC-JP are common characters in Big5. */
function isKana(tokens: readonly string[] | null): boolean {
  const pairs = (tokens ?? []).filter((token) => token.length === 2);
  return pairs.filter((pair) => /^[\xa4\xa5][\xa1-\xf6]/.test(pair)).length > pairs.length * 0.4;
}
