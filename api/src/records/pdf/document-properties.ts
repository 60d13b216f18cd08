import type { jsPDF } from 'jspdf';
import { literalString } from './literal-string.ts';

export interface DocumentProperties {
  title: string;
  subject: string;
  author: string;
  keywords: string;
  creator: string;
}

/**
 * Sets a document's properties. jsPDF writes them as literal strings without escaping a CR (see
 * `literalString`), which is one of the bytes of 不, U+4E0D. So jsPDF gets placeholders of the same length,
 * which `writeProperties` replaces in the output.
 */
export function setProperties(doc: jsPDF, properties: DocumentProperties): void {
  doc.setProperties(
    Object.fromEntries(
      Object.entries(properties).map(([key, text]) => [key, standIn(literalString(text).length)]),
    ),
  );
}

export function writeProperties(made: string, properties: DocumentProperties): string {
  let at = made.lastIndexOf('/Producer (jsPDF');
  if (at < 0) throw new Error('the properties of a document must be near its end, found none');
  let written = made.slice(0, at);
  for (const [key, text] of Object.entries(properties)) {
    const name = `/${key[0]!.toUpperCase()}${key.slice(1)} (`;
    const bytes = literalString(text);
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
