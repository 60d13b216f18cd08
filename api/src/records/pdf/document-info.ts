import type { jsPDF } from 'jspdf';

interface DocumentProperties {
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

/** A bookmark. `y` is the target position on the page, in points from the top. */
export interface Bookmark {
  title: string;
  pageNumber: number;
  y: number;
  children: Bookmark[];
}

interface Internal {
  newObjectDeferred(): number;
  newObjectDeferredBegin(id: number, doOutput: boolean): number;
  out(line: string): void;
  events: { subscribe(topic: string, callback: () => void): string };
  getPageInfo(pageNumber: number): { objId: number };
}

/**
 * Adds bookmarks. jsPDF's own only point to the top of a page and have the same escaping problem as
 * properties, see `setProperties`. Branches below the first level are initially collapsed.
 */
export function addOutline(doc: jsPDF, bookmarks: readonly Bookmark[], pageHeight: number): void {
  if (bookmarks.length === 0) return;
  const internal = doc.internal as unknown as Internal;
  let root = 0;

  internal.events.subscribe('postPutResources', () => {
    root = internal.newObjectDeferred();
    const ids = writeItems(bookmarks, root);
    internal.newObjectDeferredBegin(root, true);
    internal.out(`<< /Type /Outlines /First ${ids[0]} 0 R /Last ${ids.at(-1)} 0 R /Count ${ids.length} >>`);
    internal.out('endobj');
  });
  internal.events.subscribe('putCatalog', () => {
    internal.out(`/Outlines ${root} 0 R /PageMode /UseOutlines`);
  });

  function writeItems(items: readonly Bookmark[], parent: number): number[] {
    const ids = items.map(() => internal.newObjectDeferred());
    for (const [index, { title, pageNumber, y, children }] of items.entries()) {
      const id = ids[index]!;
      const below = writeItems(children, id);
      internal.newObjectDeferredBegin(id, true);
      const before = index > 0 ? ` /Prev ${ids[index - 1]} 0 R` : '';
      const after = index < ids.length - 1 ? ` /Next ${ids[index + 1]} 0 R` : '';
      const branch =
        below.length > 0 ? ` /First ${below[0]} 0 R /Last ${below.at(-1)} 0 R /Count -${below.length}` : '';
      const target = internal.getPageInfo(pageNumber).objId;
      internal.out(
        `<< /Title (${literalString(title)}) /Parent ${parent} 0 R${before}${after}${branch}` +
          ` /Dest [${target} 0 R /XYZ 0 ${Math.round(pageHeight - y)} null] >>`,
      );
      internal.out('endobj');
    }
    return ids;
  }
}

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
