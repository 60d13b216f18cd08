import { deflateSync } from 'node:zlib';
import { jsPDF } from 'jspdf';
import { createSay } from '../../i18n/texts-of.ts';
import { createCanvas } from './canvas.ts';
import { createEmbeddedFont } from './embedded-font.ts';
import { type Piece, setSpace } from './flow.ts';
import type { FontFile } from './font-file.ts';
import { createLocalTime } from './local-time.ts';
import type { ReportJob } from './report-job.ts';
import { createReportText } from './report-text.ts';
import { bodyWidth, page, type } from './rich-text.ts';

/** A PDF with A4 pages whose parts are days with bookmarks. */
export function openDocument(job: Pick<ReportJob, 'language' | 'tz' | 'madeAt'>, font: FontFile) {
  useNativeDeflate();
  const say = createSay('report', job.language);
  const time = createLocalTime(job.tz, job.language);
  const doc = new jsPDF({ unit: 'pt', format: 'a4', compress: true, putOnlyUsedFonts: true });
  const face = createEmbeddedFont(font);
  const canvas = createCanvas(doc, face);
  const write = createReportText(canvas, face);
  const days: Bookmark[] = [];

  /** Writes a text that ends at the right margin. */
  function fitRight(text: string, y: number, room: number): void {
    write.fit(text, page.left + bodyWidth - write.widthOf(text, small.size), y, room, small);
  }

  return {
    doc,
    say,
    time,
    write,
    days,

    /** Lays out the heading of a day, which gets a bookmark. */
    setDay(title: string): Piece[] {
      const lines = write.set(title, 'accent', type.day, { isBold: true, isKept: true });
      return [setSpace(18), ...lines.map((line, index) => (index === 0 ? marked(line, days, title) : line))];
    },

    /** Draws the numbers of all pages, out of `total`, and the heads of all but the first: the title, and `brand` if not ''. */
    drawFrames(title: string, brand = '', total: number | string = doc.getNumberOfPages()): void {
      for (let number = 1; number <= doc.getNumberOfPages(); number += 1) {
        doc.setPage(number);
        fitRight(say('pageOf', { page: number, total }), page.height - 34, bodyWidth);
        if (number === 1) continue;
        write.fit(title, page.left, 44, brand ? bodyWidth - 120 : bodyWidth, small);
        if (brand) fitRight(brand, 44, 110);
        canvas.rect(page.left, 52, bodyWidth, 0.5, 'line');
      }
    },

    end({ keywords, ...described }: Pick<DocumentProperties, 'title' | 'subject' | 'keywords'>) {
      // In the order of the file.
      const properties = { ...described, author: say('brand'), keywords, creator: say('brand') };
      setProperties(doc, properties);
      doc.setCreationDate(new Date(job.madeAt));
      doc.viewerPreferences({ DisplayDocTitle: true });
      doc.setLanguage(say('languageTag') as Parameters<jsPDF['setLanguage']>[0]);
      addOutline(doc, days, page.height);
      face.embed(doc);
      return Uint8Array.from(Buffer.from(writeProperties(doc.output(), properties), 'latin1'));
    },
  };
}

const small = { size: 8, ink: 'ink3' } as const;

/** Adds a bookmark that points to the position of the piece. */
export function marked(piece: Piece, among: Bookmark[], title: string): Piece {
  const bookmark: Bookmark = { title, pageNumber: 1, y: 0, children: [] };
  among.push(bookmark);
  return {
    ...piece,
    onPlaced(pageNumber, y) {
      bookmark.pageNumber = pageNumber;
      bookmark.y = Math.max(0, y - 12);
    },
  };
}

type Processed = { data: string; reverseChain: string };
interface FilterApi {
  processDataByFilters(data: string, filters: string | readonly string[]): Processed;
}

/**
 * Makes jsPDF compress streams with zlib: its own implementation in JavaScript is several times slower.
 * Applies to the whole thread; other filters stay unchanged.
 */
function useNativeDeflate(): void {
  const api = jsPDF.API as unknown as FilterApi;
  const original = api.processDataByFilters;
  if (original.name === 'processNatively') return;
  api.processDataByFilters = function processNatively(data, filters) {
    const chain = typeof filters === 'string' ? [filters] : (filters ?? []);
    if (chain.length !== 1 || !/^\/?FlateEncode$/.test(chain[0]!)) return original.call(this, data, filters);
    const packed = deflateSync(Buffer.from(data ?? '', 'latin1'));
    return { data: packed.toString('latin1'), reverseChain: '/FlateDecode' };
  };
}

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
function setProperties(doc: jsPDF, properties: DocumentProperties): void {
  const all = Object.entries(properties).map(([key, text]) => [key, standIn(literalString(text).length)]);
  doc.setProperties(Object.fromEntries(all));
}

function writeProperties(made: string, properties: DocumentProperties): string {
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
interface Bookmark {
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
function addOutline(doc: jsPDF, bookmarks: readonly Bookmark[], pageHeight: number): void {
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
