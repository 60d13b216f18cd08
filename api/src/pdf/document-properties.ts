import type { jsPDF } from 'jspdf';
import { utf16 } from './outline.ts';

export interface DocumentProperties {
  title: string;
  subject: string;
  author: string;
  keywords: string;
  creator: string;
}

/**
 * Gives a document its properties. jsPDF writes them as literal strings without escaping a CR, so that 不 (U+4E0D) would be read as 上
 * (U+4E0A). So it gets stand-ins of the same length, which `writeProperties` replaces in what it has made.
 */
export function setProperties(doc: jsPDF, properties: DocumentProperties): void {
  doc.setProperties(
    Object.fromEntries(Object.entries(properties).map(([key, text]) => [key, standIn(literal(text).length)])),
  );
}

export function writeProperties(made: string, properties: DocumentProperties): string {
  let at = made.lastIndexOf('/Producer (jsPDF');
  if (at < 0) throw new Error('the properties of a document must be near its end, found none');
  let written = made.slice(0, at);
  for (const [key, text] of Object.entries(properties)) {
    const name = `/${key[0]!.toUpperCase()}${key.slice(1)} (`;
    const bytes = literal(text);
    const found = made.indexOf(name + standIn(bytes.length), at);
    if (found < 0) throw new Error(`the property ${key} must be in the document, found none`);
    written += made.slice(at, found + name.length) + bytes;
    at = found + name.length + bytes.length;
  }
  return written + made.slice(at);
}

function standIn(length: number): string {
  return '#'.repeat(length);
}

/** The inside of a literal string: UTF-16 with a byte order mark. */
function literal(text: string): string {
  return utf16(text)
    .toString('latin1')
    .replace(/[()\\]/g, '\\$&')
    .replaceAll('\r', '\\r');
}
