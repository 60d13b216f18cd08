import iconv from 'iconv-lite';
import { getDocumentProxy, getResolvedPDFJS } from 'unpdf';
import type { FoundNotice } from './collect-notices.ts';
import { tooLarge, unreadable } from './file-failure.ts';
import type { FileToRead, ReadFile } from './file-to-read.ts';
import { flowLines } from './flow-lines.ts';
import { ordinaryCharacters } from './ordinary-characters.ts';
import { type Line, linesOf, type TextRun } from './pdf-lines.ts';
import { withoutMarks } from './place-marks.ts';
import { readScans } from './read-scans.ts';
import { removeHeadersAndFooters } from './remove-headers-and-footers.ts';

type Pdf = Awaited<ReturnType<typeof getDocumentProxy>>;
type Page = Awaited<ReturnType<Pdf['getPage']>>;

/** Length of the beginning in which a title is looked for. */
const top = 2000;
/** Average characters per page below which a document counts as scanned. */
const sparse = 8;

/**
 * Reads a PDF with PDF.js page by page. Unreadable pages are omitted as long as others are readable.
 * @throws FileFailure encrypted, damaged, too many pages, too much text.
 */
export async function readPdf({ bytes, limits, onProgress }: FileToRead): Promise<ReadFile> {
  const pdf = await open(bytes, limits.maxPixels);
  const total = pdf.numPages;
  if (total > limits.maxPages) throw tooLarge('pages', limits.maxPages);
  const title = await titleOf(pdf);
  const pages: Line[][] = [];
  let length = 0;
  let failed = 0;
  const notices: FoundNotice[] = [];
  for (let number = 1; number <= total; number += 1) {
    const lines = await readPage(pdf, number).catch(() => null);
    if (lines === null) {
      failed += 1;
      notices.push({ code: 'page_damaged', at: { page: number } });
    }
    for (const { text } of lines ?? []) length += text.length + 1;
    if (length > limits.maxText) throw tooLarge('text', limits.maxText);
    pages.push(lines ?? []);
    onProgress({ done: number, total });
  }
  if (failed === total) throw unreadable('damaged');
  if (failed > total / 2) notices.push({ code: 'mostly_unread' });
  if (length >= total * sparse) {
    const text = flowLines(removeHeadersAndFooters(pages));
    return { text, title: title || firstHeading(withoutMarks(text.slice(0, top))), pages: total, notices };
  }
  const read = await readScans(
    pdf,
    pages.map((lines) => lines.map(({ text }) => text).join('\n')),
    { limits, onProgress },
  );
  return { text: read || flowLines(pages), title, pages: total, notices };
}

async function open(bytes: Uint8Array, maxImageSize: number): Promise<Pdf> {
  try {
    return await getDocumentProxy(new Uint8Array(bytes), {
      verbosity: 0,
      useSystemFonts: false,
      disableFontFace: true,
      enableXfa: false,
      BinaryDataFactory: CharacterMaps,
      // The factory provides the maps, and ignores the URL.
      cMapUrl: './',
      cMapPacked: false,
      useWorkerFetch: false,
      maxImageSize,
    });
  } catch (error) {
    throw unreadable((error as Error).name === 'PasswordException' ? 'encrypted' : 'damaged');
  }
}

/** Useless titles written by programs: an address or a file name, the program's own name, or nothing. */
const noTitle =
  /^(?:untitled|无标题|未命名|about:|https?:|file:|microsoft (?:word|excel|powerpoint) ?-|powerpoint (?:presentation|演示文稿)|(?:document|文档|演示文稿|slide|工作簿|book) ?\d*$)|\.(?:docx?|pdf|indd|tex|html?|md|txt|odt|wps|xlsx?|pptx?)$/i;

async function titleOf(pdf: Pdf): Promise<string> {
  const { info } = await pdf.getMetadata().catch(() => ({ info: {} }));
  const { Title } = info as { Title?: unknown };
  const title = typeof Title === 'string' ? Title.trim() : '';
  return noTitle.test(title) || !/\p{L}/u.test(title) ? '' : ordinaryCharacters(title);
}

function firstHeading(text: string): string {
  return /^#{1,6} (\S.*)$/m.exec(text)?.[1] ?? '';
}

async function readPage(pdf: Pdf, number: number): Promise<Line[]> {
  const { Util } = await getResolvedPDFJS();
  const page: Page = await pdf.getPage(number);
  const { transform } = page.getViewport({ scale: 1 });
  const { items } = await page.getTextContent();
  const runs: TextRun[] = [];
  for (const item of items) {
    // Spaces are derived from gaps, since programs write them in different ways.
    if (!('str' in item) || item.str.trim() === '') continue;
    const [a, b, c, d, x, y] = Util.transform(transform, item.transform) as number[];
    const size = Math.hypot(c!, d!);
    // Slanted stamps across the page are ignored.
    const isSlanted = Math.min(Math.abs(a!), Math.abs(b!)) > Math.hypot(a!, b!) * 0.2;
    if (isSlanted || !(size > 0)) continue;
    runs.push({ text: ordinaryCharacters(item.str), x: x!, y: y!, width: item.width, size });
  }
  page.cleanup();
  return linesOf(runs);
}

/** Encodings of PDF's predefined font maps, see ISO 32000-1, table 118. */
const older: Record<string, string> = {
  'GB-EUC': 'gbk',
  'GBK-EUC': 'gbk',
  'GBKp-EUC': 'gbk',
  'ETen-B5': 'big5',
  'ETenms-B5': 'big5',
  '90ms-RKSJ': 'shift_jis',
  '90msp-RKSJ': 'shift_jis',
};

/**
 * Provides PDF.js with character maps for fonts that are not embedded, as older Chinese software used them.
 * PDF.js's own maps go from code to glyph number to character; these map the code directly to the character
 * and then to itself, which needs no data files. Fonts for which the file only has glyph numbers get none,
 * since these would be mistaken for characters.
 */
class CharacterMaps {
  #givesCharacters = false;

  /** @throws Error for an unknown map. */
  async fetch({ filename }: { kind: string; filename: string }): Promise<Uint8Array> {
    const ranges = this.#rangesOf(filename);
    if (!ranges) throw new Error(`expected a character map, got ${filename}`);
    const text = `/CIDInit /ProcSet findresource begin\n12 dict begin\nbegincmap\n/CMapName /${filename} def\n${ranges}\nendcmap\n`;
    return new TextEncoder().encode(text);
  }

  #rangesOf(name: string): string | null {
    if (/^Adobe-(?:GB1|CNS1|Japan1|Korea1)-UCS2$/.test(name)) return this.#givesCharacters ? itself() : null;
    const encoding = older[name.replace(/-[HV]$/, '')];
    const isUnicode = /^Uni(?:GB|CNS|JIS|KS)-(?:UCS2|UTF16)-[HV]$/.test(name);
    if (!isUnicode && !encoding) return null;
    this.#givesCharacters = true;
    return isUnicode ? `${twoBytes}\n1 begincidrange\n<0000> <ffff> 0\nendcidrange` : codesOf(encoding!);
  }
}

const twoBytes = '1 begincodespacerange\n<0000> <ffff>\nendcodespacerange';

function itself(): string {
  const rows = Array.from({ length: 256 }, (_, high) => {
    const byte = hex(high, 2);
    return `<${byte}00> <${byte}ff> <${byte}00>`;
  });
  return `${twoBytes}\n256 beginbfrange\n${rows.join('\n')}\nendbfrange`;
}

/** Every code of one or two bytes with its character. */
function codesOf(encoding: string): string {
  const rows: string[] = [];
  for (let high = 0x81; high <= 0xfe; high += 1) {
    for (let low = 0x40; low <= 0xfe; low += 1) {
      const character = iconv.decode(Buffer.from([high, low]), encoding);
      if (character.length !== 1 || character === '\ufffd') continue;
      rows.push(`<${hex(high, 2)}${hex(low, 2)}> ${character.charCodeAt(0)}`);
    }
  }
  const spaces = '2 begincodespacerange\n<00> <80>\n<8140> <fefe>\nendcodespacerange';
  const ascii = '1 begincidrange\n<20> <7e> 32\nendcidrange';
  return `${spaces}\n${ascii}\n${rows.length} begincidchar\n${rows.join('\n')}\nendcidchar`;
}

function hex(value: number, digits: number): string {
  return value.toString(16).padStart(digits, '0');
}
