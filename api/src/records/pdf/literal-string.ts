/**
 * A text as the inside of a literal string of a PDF, outside of content streams: UTF-16 with a byte order mark. A CR among the bytes
 * is escaped: the format reads a bare one as LF (ISO 32000-1, 7.3.4.2), and not every reader is as kind as to keep it.
 */
export function literalString(text: string): string {
  return Buffer.from(`\ufeff${text}`, 'utf16le')
    .swap16()
    .toString('latin1')
    .replace(/[()\\]/g, '\\$&')
    .replaceAll('\r', '\\r');
}
