import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { parentPort } from 'node:worker_threads';
import { getDocumentProxy, getResolvedPDFJS } from 'unpdf';
import { isNonsense } from './is-nonsense.ts';
import { ordinaryCharacters } from './ordinary-characters.ts';
import { readAnnotations } from './pdf-annotations.ts';
import { imagesOf } from './pdf-images.ts';
import { hiddenItems } from './pdf-layers.ts';
import { type Line, linesOf, type TextRun, withoutCopies } from './pdf-lines.ts';
import type { Page, Pdf, PdfInfo, PdfJob, PdfPage, PdfReply, PdfResults } from './pdf-messages.ts';
import { rulesOf } from './pdf-rules.ts';

/** Maximum length of an encryption dictionary, in bytes. */
const reach = 4000;

/** A run at an angle to the page, in radians. */
interface SlantedRun extends TextRun {
  angle: number;
}

/** Text is a stamp across the page from this multiple of the page's largest ordinary size. */
const largeStamp = 1.5;
/** A background repeats the same text this often on a page. */
const minRepeated = 3;
/** Of a page without other text: a stamp on a scanned page has fewer lines. */
const minLines = 3;

/** Runs in a thread of the reader process, see `pdf-thread.ts`: one PDF at a time, one job after the other. */
const port = parentPort!;
let pdf: Pdf | null = null;
/** Pages by number whose text is not upright, and how they are turned so that it is, in degrees. */
const turns = new Map<number, number>();

port.on('message', async (job: PdfJob) => {
  port.postMessage(await reply(job));
});

async function reply(job: PdfJob): Promise<PdfReply> {
  try {
    return { value: await run(job) };
  } catch (error) {
    return { error: error instanceof Error ? error.name : 'Error' };
  }
}

async function run(job: PdfJob): Promise<PdfResults[PdfJob['kind']]> {
  if (job.kind === 'open') return open(job.bytes, job.maxImageSize);
  const page = await pdf!.getPage(job.number);
  try {
    if (job.kind === 'page') return await readPage(pdf!, page);
    return await (job.kind === 'rules' ? rulesOf(page, transformOf(page)) : imagesOf(page));
  } finally {
    page.cleanup();
  }
}

async function open(bytes: Uint8Array, maxImageSize: number): Promise<PdfInfo> {
  await pdf?.destroy().catch(() => undefined);
  turns.clear();
  pdf = await getDocumentProxy(withoutAttachmentEncryption(bytes), {
    verbosity: 0,
    useSystemFonts: false,
    disableFontFace: true,
    enableXfa: false,
    BinaryDataFactory: CharacterMaps,
    // The factory provides the maps, and ignores the URL.
    cMapUrl: '../',
    cMapPacked: true,
    useWorkerFetch: false,
    maxImageSize,
  });
  const { info } = await pdf.getMetadata().catch(() => ({ info: {} }));
  const { Title, IsXFAPresent } = info as { Title?: unknown; IsXFAPresent?: unknown };
  const attachments = await pdf.getAttachments().catch(() => null);
  return {
    pages: pdf.numPages,
    title: typeof Title === 'string' ? ordinaryCharacters(Title.trim()) : '',
    attachments: Object.keys(attachments ?? {}).length,
    hasXfa: IsXFAPresent === true,
  };
}

/** Provides PDF.js with the character maps of Chinese, Japanese and Korean fonts that are not embedded. */
class CharacterMaps {
  async fetch({ filename }: { kind: string; filename: string }): Promise<Uint8Array> {
    return new Uint8Array(readFileSync(join(folder, filename)));
  }
}

const folder = join(dirname(createRequire(import.meta.url).resolve('pdfjs-dist/package.json')), 'cmaps');

/** Codes that are no characters although a glyph is shown: control codes, and the replacement character. */
const notCharacters = /(?!\s)\p{Cc}|\ufffd/gu;

async function readPage(pdf: Pdf, page: Page): Promise<PdfPage> {
  const { Util, normalizeUnicode } = await getResolvedPDFJS();
  turns.delete(page.pageNumber);
  const place = (at: readonly number[]) => Util.transform(transformOf(page), at) as number[];
  // Before PDF.js turns the direction of Arabic, its ligatures must not be separated.
  const { items: found, styles } = await page.getTextContent({ disableNormalization: true });
  const items = found.map((item) =>
    'str' in item ? { ...item, str: ordinaryCharacters(normalizeUnicode(item.str)) } : item,
  );
  const hidden = await hiddenItems(pdf, page);
  const turn = turnOf(
    items.flatMap((item) => ('str' in item ? [{ ...item, transform: place(item.transform) }] : [])),
  );
  if (turn !== 0) turns.set(page.pageNumber, turn);
  const byFont = new Map<string, string[]>();
  for (const item of items) {
    if (!('str' in item)) continue;
    const texts = byFont.get(item.fontName) ?? [];
    texts.push(item.str);
    byFont.set(item.fontName, texts);
  }
  const undecodable = new Set(
    [...byFont].flatMap(([font, texts]) => (isNonsense(texts.join('')) ? font : [])),
  );
  let undecoded = 0;
  const runs: TextRun[] = [];
  const slanted: SlantedRun[] = [];
  for (const item of items) {
    // Spaces are derived from gaps, since programs write them in different ways.
    if (!('str' in item) || item.str.trim() === '' || hidden(item.str)) continue;
    if (undecodable.has(item.fontName)) {
      undecoded += item.str.replace(/\s/g, '').length;
      continue;
    }
    undecoded += item.str.match(notCharacters)?.length ?? 0;
    const [a, b, c, d, x, y] = place(item.transform);
    const size = Math.hypot(c!, d!);
    if (!(size > 0)) continue;
    const isSlanted = Math.min(Math.abs(a!), Math.abs(b!)) > Math.hypot(a!, b!) * 0.2;
    const text = item.str;
    // Vertical lines run down the page, and follow each other from right to left.
    if (isSlanted) slanted.push({ text, x: x!, y: y!, width: item.width, size, angle: Math.atan2(b!, a!) });
    else if (styles[item.fontName]?.vertical)
      runs.push({ text, x: y!, y: -x!, width: item.height, size, isVertical: true });
    // A label that runs up or down is as wide as its line is high.
    else runs.push({ text, x: x!, y: y!, width: Math.abs(a!) < Math.abs(b!) ? size : item.width, size });
  }
  const annotations = await readAnnotations(pdf, page, place);
  return {
    runs: withFields(withoutCopies(runs), annotations.fields),
    blocks: [...slantedLines(slanted, runs), ...annotations.notes],
    undecoded,
    attachments: annotations.attachments,
  };
}

/** Converts positions of a page to those of the rotated page on which its text is read. */
function transformOf(page: Page): number[] {
  const rotation = page.rotate + (turns.get(page.pageNumber) ?? 0);
  return page.getViewport({ scale: 1, rotation }).transform;
}

/** The clockwise rotation in degrees that makes most text of a page upright, such as a wide table on a page in portrait format. */
function turnOf(items: readonly { str: string; transform: readonly number[] }[]): number {
  const lengths = [0, 0, 0, 0];
  for (const { str, transform } of items) {
    const [a, b] = transform;
    const quarters = Math.round((Math.atan2(b!, a!) * 2) / Math.PI);
    lengths[(4 - quarters) % 4]! += str.trim().length;
  }
  const all = lengths.reduce((sum, length) => sum + length, 0);
  return (
    Math.max(
      0,
      lengths.findIndex((length) => length > all / 2),
    ) * 90
  );
}

/** Puts each value of a form after the text to its left, or between the lines above and below. */
function withFields(runs: readonly TextRun[], fields: readonly TextRun[]): TextRun[] {
  const all = [...runs];
  for (const field of fields) {
    const isBeside = ({ y, size }: TextRun) => Math.abs(y - field.y) < Math.max(size, field.size) * 0.6;
    let at = -1;
    for (const [index, run] of all.entries()) {
      if (isBeside(run) && run.x <= field.x && (at < 0 || run.x >= all[at]!.x)) at = index;
    }
    if (at < 0) at = all.findIndex(isBeside) - 1;
    if (at < -1) at = (all.findIndex(({ y }) => y > field.y) + 1 || all.length + 1) - 2;
    all.splice(at + 1, 0, field);
  }
  return all;
}

/** Lines of text at an angle, such as labels of charts and plans, each a block of its own; without stamps across the page. */
function slantedLines(slanted: readonly SlantedRun[], others: readonly TextRun[]): Line[] {
  const byAngle = new Map<number, SlantedRun[]>();
  for (const run of slanted) {
    const degrees = Math.round((run.angle * 180) / Math.PI);
    byAngle.set(degrees, [...(byAngle.get(degrees) ?? []), run]);
  }
  const lines = [...byAngle.values()].flatMap((runs) => linesOf(runs.map(turned)));
  const largest = others.reduce((most, { size }) => Math.max(most, size), 0);
  const counts = new Map<string, number>();
  for (const { text } of lines) counts.set(text, (counts.get(text) ?? 0) + 1);
  if (others.length === 0 && lines.length < minLines) return [];
  return lines
    .filter(
      ({ text, size }) => counts.get(text)! < minRepeated && (largest === 0 || size < largest * largeStamp),
    )
    .map((line) => ({ ...line, isBlock: true, isSlanted: true }));
}

/** Positions on the page turned so that the text is upright. */
function turned({ angle, x, y, ...run }: SlantedRun): TextRun {
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  return { ...run, x: x * cos + y * sin, y: y * cos - x * sin };
}

/**
 * The bytes of a PDF of which only attachments are encrypted, without the reference to its encryption: PDF.js asks
 * for a password that the text does not need. Other files are returned unchanged (ISO 32000-2, 7.6.6).
 */
function withoutAttachmentEncryption(bytes: Uint8Array): Uint8Array {
  // A new array: PDF.js takes its buffer.
  const copy = Buffer.from(bytes);
  for (
    let at = copy.lastIndexOf('/Encrypt');
    at >= 0;
    at = at > 0 ? copy.lastIndexOf('/Encrypt', at - 1) : -1
  ) {
    const after = copy.toString('latin1', at + 8, at + reach);
    const [, reference, inline] = /^\s*(?:(\d+\s+\d+)\s+R|(<<))/.exec(after) ?? [];
    const dictionary = inline ? after : reference ? objectText(copy, reference) : '';
    if (isOfAttachmentsOnly(dictionary)) copy.write('/Encrypu', at, 'latin1');
  }
  return new Uint8Array(copy.buffer, copy.byteOffset, copy.length);
}

function objectText(bytes: Buffer, reference: string): string {
  const [number, generation] = reference.split(/\s+/);
  const start = new RegExp(`(?:^|[\\r\\n\\s])${number}\\s+${generation}\\s+obj\\b`);
  for (
    let at = bytes.indexOf(`${number} ${generation} obj`);
    at >= 0;
    at = bytes.indexOf(`${number} ${generation} obj`, at + 1)
  ) {
    const text = bytes.toString('latin1', Math.max(0, at - 1), at + reach);
    if (start.test(text.slice(0, 40)))
      return text.slice(0, (text.indexOf('endobj') + 1 || text.length + 1) - 1);
  }
  return '';
}

/** Streams and strings use the crypt filter Identity, which is also the default. */
function isOfAttachmentsOnly(dictionary: string): boolean {
  if (!/\/EFF\s*\//.test(dictionary)) return false;
  const filters = [...dictionary.matchAll(/\/(?:StmF|StrF)\s*\/(\w+)/g)].map(([, name]) => name);
  return filters.every((name) => name === 'Identity');
}
