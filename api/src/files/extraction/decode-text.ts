import chardet from 'chardet';
import iconv from 'iconv-lite';

/** Number of bytes used for guessing. */
const sample = 256 * 1024;

/**
 * Decodes a text, or returns null for binary content. Checked in this order: byte order mark, UTF-8, the
 * encoding that a page or XML declares, UTF-16, then the most likely of the older Chinese, Japanese and Western
 * encodings.
 * @param mayGuess false if the bytes start like another format: then the text must be unambiguous, or declare its encoding.
 */
export function decodeText(bytes: Buffer, mayGuess: boolean): string | null {
  const marked = byMark(bytes);
  if (marked !== null) return asText(marked);
  const declared = declaredDecoder(bytes);
  // Its bytes are all ASCII, so that they are valid in UTF-8 as well.
  if (declared?.encoding === 'iso-2022-jp') return asText(declared.decode(bytes));
  const utf8 = asUtf8(bytes);
  const text = utf8 === null ? null : asText(utf8);
  if (text !== null) return text;
  const stated = declared ? asText(declared.decode(bytes)) : null;
  return stated ?? (mayGuess ? (asUtf16(bytes) ?? asOlder(bytes)) : null);
}

const declarations = [
  /^[^<]*<\?xml\s[^>]{0,200}?encoding\s*=\s*["']([\w.:-]+)/i,
  /<meta\s[^>]{0,300}?charset\s*=\s*["']?\s*([\w.:-]+)/i,
];

/**
 * Decoder of the encoding that the beginning of a page or of XML declares, by the names of the WHATWG's Encoding
 * Standard; undefined without one. A declared UTF-16 is not one, since it was readable as ASCII.
 */
function declaredDecoder(buffer: Buffer): InstanceType<typeof TextDecoder> | undefined {
  const head = buffer.toString('latin1', 0, 4096).replace(/<!--[\s\S]*?-->/g, '');
  if (!/^[\s\xef\xbb\xbf]*</.test(head)) return undefined;
  const label = declarations.map((one) => one.exec(head)?.[1]).find(Boolean);
  if (label === undefined || /^(?:utf-?(?:8|16|32)|unicode)/i.test(label)) return undefined;
  try {
    return new TextDecoder(label);
  } catch {
    return undefined;
  }
}

function byMark(bytes: Buffer): string | null {
  const [a, b, c] = bytes;
  if (a === 0xef && b === 0xbb && c === 0xbf) return new TextDecoder('utf-8').decode(bytes);
  if (a === 0xff && b === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (a === 0xfe && b === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  return null;
}

/** The last character may be truncated. */
function asUtf8(bytes: Buffer): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
  } catch {
    return null;
  }
}

/** Without a byte order mark: the wrong order gives rare characters and no line ends. */
function asUtf16(buffer: Buffer): string | null {
  const head = buffer.subarray(0, Math.min(buffer.length, 4096) & ~1);
  const [likely] = ['utf-16le', 'utf-16be']
    .map((encoding) => ({ encoding, share: plainShare(new TextDecoder(encoding).decode(head)) }))
    .sort((a, b) => b.share - a.share);
  if (likely!.share < 0.95) return null;
  return asText(new TextDecoder(likely!.encoding).decode(buffer));
}

const plain = /[\t\n\r\x20-\x7e\u00a0-\u024f\u2010-\u201f\u3000-\u30ff\u4e00-\u9fff\uff00-\uff5e]/g;

/** Fraction of common characters; 0 if nothing separates words or sentences. */
function plainShare(text: string): number {
  return /[\n\r ,.，。、]/.test(text) ? (text.match(plain)?.length ?? 0) / text.length : 0;
}

function asOlder(buffer: Buffer): string | null {
  const head = buffer.subarray(0, sample);
  const likely = chardet.analyse(head).map(({ name }) => name);
  for (const name of [shortAsian(head) ?? [], likely].flat()) {
    // Encodings that iconv-lite names differently or does not support.
    if (/UTF|ISO-2022|ASCII/i.test(name) || !iconv.encodingExists(name)) continue;
    const encoding = /^gb/i.test(name) ? 'gb18030' : name;
    if (asText(iconv.decode(head, encoding)) === null) continue;
    const text = asText(iconv.decode(buffer, encoding));
    if (text !== null) return text;
  }
  return null;
}

/** Removes terminal escape sequences; null if it is not text. */
function asText(decoded: string): string | null {
  const text = withoutTerminalMarks(decoded);
  return isText(text) ? text : null;
}

/** One in a thousand may be invalid: form feeds, joined files, the end-of-file byte of old editors. */
function isText(text: string): boolean {
  const maxWrong = Math.max(text.length / 1000, text.length > 20 ? 2 : 0);
  let wrong = 0;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    const isWrong =
      unit === 0xfffd ||
      unit === 0x7f ||
      (unit < 0x20 && unit !== 9 && unit !== 10 && unit !== 13 && unit !== 12);
    if (isWrong) wrong += 1;
    if (wrong > maxWrong) return false;
  }
  return true;
}

const esc = String.fromCharCode(0x1b);
const bell = String.fromCharCode(0x07);
/** Colours and cursor movements, titles and links; see ECMA-48, 5.4 and 8.3.89. */
const marks = new RegExp(
  `${esc}(?:\\[[0-?]*[ -/]*[@-~]|\\][^${bell}${esc}]{0,2000}(?:${bell}|${esc}\\\\))`,
  'g',
);

/** Removes terminal escape sequences for colours, titles and links, which logs contain on every line. */
function withoutTerminalMarks(text: string): string {
  return text.includes(esc) ? text.replace(marks, '') : text;
}

/** From this number of characters on, frequencies determine the encoding better. */
const maxShort = 100;
/** A Chinese text of so many characters in the first half of their rows is one in a few thousand. */
const minSyllables = 16;
/** Minimum fraction of common characters; names contain rarer ones. */
const minCommonShare = 0.7;

/** A two-byte character, an ASCII character, or an invalid byte. */
const ofGb = /[\x81-\xfe][\xa1-\xfe]|[\s\S]/g;
const ofBig5 = /[\x81-\xfe][\x40-\x7e\xa1-\xfe]|[\s\S]/g;
const ofShiftJis = /[\x81-\x9f\xe0-\xfc][\x40-\x7e\x80-\xfc]|[\s\S]/g;

/**
 * Detects the encoding of a text with few Chinese, Japanese or Korean characters (a name, a table header), for which frequencies
 * are not meaningful. GB 2312, Big5 and Shift-JIS have their common characters in certain rows, in which text of other
 * encodings hardly ever falls.
 * @returns null if it is clearly none of them.
 */
function shortAsian(bytes: Buffer): 'gb18030' | 'big5' | 'shift_jis' | 'euc-kr' | null {
  const text = bytes.toString('latin1');
  if ((text.match(/[\x80-\xff]/g)?.length ?? 0) > 2 * maxShort) return null;
  // Punctuation and full-width letters; common characters; rarer ones. In GB 2312, letters of other scripts
  // are in between.
  const inGb = text.match(ofGb);
  if (isIn(inGb, /^[\xa1-\xa3].$/, /^[\xb0-\xd7].$/, /^[\xd8-\xf7].$/))
    return isHangul(inGb) ? 'euc-kr' : 'gb18030';
  const inBig5 = text.match(ofBig5);
  if (!isKana(inBig5) && isIn(inBig5, /^[\xa1-\xa3].$/, /^[\xa4-\xc6].$/, /^[\xc9-\xf9].$/)) return 'big5';
  const inShiftJis = text.match(ofShiftJis);
  return !areQuotes(inShiftJis) &&
    isIn(inShiftJis, /^\x81.$/, /^[\x82\x83\x88-\x97].$/, /^[\x98-\x9f\xe0-\xee\xfa-\xfc].$/)
    ? 'shift_jis'
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
  return isAll && commons >= 2 && commons >= (commons + rares) * minCommonShare;
}

/** Syllables fill the first half of the common rows of GB 2312, which are ordered by pronunciation: a Chinese sentence is in both halves. */
function isHangul(tokens: readonly string[] | null): boolean {
  const pairs = (tokens ?? []).filter((token) => /^[\xb0-\xf7].$/.test(token));
  return pairs.length >= minSyllables && pairs.every((pair) => pair < '\xc9');
}

/** In Windows encodings the common rows of Shift-JIS are quotation marks, which letters follow. */
function areQuotes(tokens: readonly string[] | null): boolean {
  const pairs = (tokens ?? []).filter((token) => token.length === 2);
  return pairs.filter((pair) => pair[1]! < '\x80').length > pairs.length / 2;
}

/** The two rows that contain kana in EUC-JP are common characters in Big5. */
function isKana(tokens: readonly string[] | null): boolean {
  const pairs = (tokens ?? []).filter((token) => token.length === 2);
  return pairs.filter((pair) => /^[\xa4\xa5][\xa1-\xf6]/.test(pair)).length > pairs.length * 0.4;
}
