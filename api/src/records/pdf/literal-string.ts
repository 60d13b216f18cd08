/**
 * A text as the content of a PDF literal string outside content streams: UTF-16 with a byte order mark. A CR
 * among the bytes is escaped because readers convert a bare one to LF (ISO 32000-1, 7.3.4.2).
 */
export function literalString(text: string): string {
  return Buffer.from(`\ufeff${text}`, 'utf16le')
    .swap16()
    .toString('latin1')
    .replace(/[()\\]/g, '\\$&')
    .replaceAll('\r', '\\r');
}
