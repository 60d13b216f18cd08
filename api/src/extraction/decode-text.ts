import chardet from 'chardet';
import iconv from 'iconv-lite';

/** Bytes that a guess is made of. */
const sample = 256 * 1024;

/**
 * The text of these bytes, or null where they are none. A byte order mark decides, then UTF-8, then UTF-16, then the likeliest of the
 * encodings that Chinese, Japanese and Western systems wrote before.
 *
 * @param mayGuess false where the bytes begin as some binary format does: such a text has to be plainly one.
 */
export function decodeText(bytes: Uint8Array, mayGuess: boolean): string | null {
  const marked = byMark(bytes);
  if (marked !== null) return isText(marked) ? marked : null;
  const utf8 = asUtf8(bytes);
  if (utf8 !== null && isText(utf8)) return utf8;
  if (!mayGuess) return null;
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  return asUtf16(buffer) ?? asOlder(buffer);
}

function byMark(bytes: Uint8Array): string | null {
  const [a, b, c] = bytes;
  if (a === 0xef && b === 0xbb && c === 0xbf) return new TextDecoder('utf-8').decode(bytes);
  if (a === 0xff && b === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (a === 0xfe && b === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  return null;
}

/** The last character may be cut off. */
function asUtf8(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
  } catch {
    return null;
  }
}

/** Without a mark: half of the bytes of Western text are zero; Chinese text is Chinese in one order of bytes and a medley in the other. */
function asUtf16(buffer: Buffer): string | null {
  const head = buffer.subarray(0, 4096);
  const likely = ['utf-16le', 'utf-16be'].find((encoding) => {
    const text = new TextDecoder(encoding).decode(head.subarray(0, head.length & ~1));
    const plain = text.match(/[\t\n\r\x20-\x7e\u3000-\u303f\u4e00-\u9fff\uff00-\uff5e]/g)?.length ?? 0;
    const ends = /[\n\r ,.，。、]/.test(text);
    return text.length >= 2 && ends && plain >= text.length * 0.95;
  });
  if (!likely) return null;
  const text = new TextDecoder(likely).decode(buffer);
  return isText(text) ? text : null;
}

function asOlder(buffer: Buffer): string | null {
  const head = buffer.subarray(0, sample);
  for (const { name } of chardet.analyse(head)) {
    // What iconv-lite calls by other names, or not at all.
    if (/UTF|ISO-2022|ASCII/i.test(name) || !iconv.encodingExists(name)) continue;
    const encoding = /^gb/i.test(name) ? 'gb18030' : name;
    if (!isText(iconv.decode(head, encoding))) continue;
    const text = iconv.decode(buffer, encoding);
    if (isText(text)) return text;
  }
  return null;
}

/** A thousandth may be wrong: pages that were pasted together, a form feed, the byte that an old editor ends a file with. */
function isText(text: string): boolean {
  const most = Math.max(text.length / 1000, text.length > 20 ? 2 : 0);
  let wrong = 0;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    const isWrong =
      unit === 0xfffd ||
      unit === 0x7f ||
      (unit < 0x20 && unit !== 9 && unit !== 10 && unit !== 13 && unit !== 12);
    if (isWrong) wrong += 1;
    if (wrong > most) return false;
  }
  return true;
}
