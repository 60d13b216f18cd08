import { deflateSync } from 'node:zlib';
import { jsPDF } from 'jspdf';
import { createSay } from '../../i18n/texts-of.ts';
import { createCanvas } from './canvas.ts';
import { addOutline, type Bookmark, setProperties, writeProperties } from './document-info.ts';
import { createEmbeddedFont } from './embedded-font.ts';
import { type Piece, setSpace, setText, wholeWidth } from './flow.ts';
import type { FontFile } from './font-file.ts';
import { createLocalTime } from './local-time.ts';
import type { ReportJob } from './report-job.ts';
import { createReportText } from './report-text.ts';
import { bodyWidth, look, page, type } from './rich-text.ts';

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
      const lines = setText(write.plain(title, look('accent', { isBold: true })), wholeWidth(write), {
        type: type.day,
        isKept: true,
      });
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

    end({
      keywords,
      ...described
    }: {
      title: string;
      subject: string;
      keywords: string;
    }): Uint8Array<ArrayBuffer> {
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
