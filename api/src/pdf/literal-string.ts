/**
 * A text as the inside of a literal string of a PDF, outside of content streams: UTF-16 with a byte order mark. A CR among the bytes
 * is escaped, since a bare one is read as LF.
 */
export function literalString(text: string): string {
  return Buffer.from(`\ufeff${text}`, 'utf16le')
    .swap16()
    .toString('latin1')
    .replace(/[()\\]/g, '\\$&')
    .replaceAll('\r', '\\r');
}
