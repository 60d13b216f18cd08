import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { parentPort } from 'node:worker_threads';
import { getDocumentProxy, getResolvedPDFJS } from 'unpdf';
import { toPnm } from '../pnm.ts';
import { ordinaryCharacters } from './ordinary-characters.ts';
import { readAnnotations } from './pdf-annotations.ts';
import { type Line, linesOf, type TextRun, withoutCopies } from './pdf-lines.ts';
import type { Page, Pdf, PdfImages, PdfInfo, PdfJob, PdfPage, PdfReply, PdfResults } from './pdf-messages.ts';
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

/** Minimum number of characters of a font on a page from which it is judged. */
const minLength = 8;
/** Minimum number of different characters: a bullet repeats. */
const minVariety = 6;

/** Characters that no text contains: not assigned, private, control characters. */
const impossible = /[\p{Cc}\p{Co}\p{Cn}\ufffd]/u;
/** The upper half of Latin encodings: as the codes of another script they appear without ASCII letters between them. */
const upperLatin =
  /[\u00a1-\u00ff\u0131\u0141\u0142\u0152\u0153\u0160\u0161\u0178\u017d\u017e\u0192\u02c6-\u02dd\u2013\u2014\u2018-\u201e\u2020-\u2022\u2026\u2030\u2039\u203a\u2044\u20ac\u2122\ufb01\ufb02]/u;
const punctuation = /[!-/:-@[-`{-~]/;

/** Scripts that hardly ever share a font with each other. */
const scripts =
  'Arabic Hebrew Devanagari Bengali Gurmukhi Gujarati Tamil Telugu Kannada Malayalam Sinhala Thai Lao Tibetan Myanmar Georgian Armenian Ethiopic Cherokee Khmer Mongolian'
    .split(' ')
    .map((name) => new RegExp(`\\p{Script=${name}}`, 'u'));
const maxScripts = 2;

/** Whether a text is only codes that were read as characters, because the file does not map them to any. */
function isNonsense(text: string): boolean {
  // Leaders of dots and lines are no text.
  const characters = [...text.replace(/\s/g, '').replace(/(.)\1{2,}/gu, '$1')];
  if (characters.length < minLength) return false;
  const isMostly = (kind: RegExp, share: number, variety = minVariety) => {
    const found = characters.filter((character) => kind.test(character));
    return found.length > characters.length * share && new Set(found).size >= variety;
  };
  const symbols = characters.filter((character) => !/[\p{L}\p{N}]/u.test(character)).length;
  return (
    isMostly(impossible, 0.3) ||
    (isMostly(upperLatin, 0.75) &&
      (symbols > characters.length * 0.15 || characters.length > minLength * 5)) ||
    scripts.filter((script) => script.test(text)).length > maxScripts ||
    (characters.length > minLength * 5 && isMostly(punctuation, 0.6, minVariety + 2))
  );
}

/** Maximum number of drawn characters that are no text. */
const maxSkipped = 200;

/**
 * Tells for the text items of a page, in their order, whether a viewer hides them because their layer (optional
 * content group) is switched off. PDF.js names layers only in the list of drawing operators, which has the same
 * characters in the same order.
 */
async function hiddenItems(pdf: Pdf, page: Page): Promise<(text: string) => boolean> {
  const layers = await pdf.getOptionalContentConfig({ intent: 'display' });
  const hasHidden = [...layers].some(([, group]) => !(group as { visible: boolean }).visible);
  if (!hasHidden) return () => false;
  const { OPS } = await getResolvedPDFJS();
  const { fnArray, argsArray } = await page.getOperatorList();
  let drawn = '';
  const isOffAt: boolean[] = [];
  const open: boolean[] = [];
  let hidden = 0;
  for (const [at, operator] of fnArray.entries()) {
    const args = argsArray[at] as unknown[];
    if (operator === OPS.beginMarkedContent || operator === OPS.beginMarkedContentProps) {
      const [tag, group] = args as [string, never];
      const isOff = operator === OPS.beginMarkedContentProps && tag === 'OC' && !layers.isVisible(group);
      open.push(isOff);
      if (isOff) hidden += 1;
    } else if (operator === OPS.endMarkedContent) {
      if (open.pop()) hidden -= 1;
    } else if (operator === OPS.showText) {
      for (const glyph of args[0] as (number | { unicode: string })[]) {
        if (typeof glyph === 'number') continue;
        const text = compact(glyph.unicode);
        drawn += text;
        for (let unit = 0; unit < text.length; unit += 1) isOffAt.push(hidden > 0);
      }
    }
  }
  let next = 0;
  return (text) => {
    const characters = compact(text);
    const found = drawn.indexOf(characters, next);
    // Words of another order, such as Arabic ones, are looked up by their position.
    const at = found >= 0 && found < next + maxSkipped ? found : next;
    next = at + characters.length;
    return isOffAt[at] ?? false;
  };
}

function compact(text: string): string {
  return text.normalize('NFKC').replace(/\s/g, '');
}

/** Maximum number of images read per page, largest first: a scan is one, or a few strips. */
const maxImages = 4;
/** Minimum length of the shorter side in pixels: smaller images contain no line of text. */
const minSide = 24;

/** EXIF orientation by clockwise page rotation in degrees. */
const orientations: Record<number, number> = { 90: 6, 180: 3, 270: 8 };

/** The largest images that a page shows. A scan is read from them, which needs no canvas. */
async function imagesOf(page: Page): Promise<PdfImages> {
  const { OPS } = await getResolvedPDFJS();
  const { fnArray, argsArray } = await page.getOperatorList();
  const found: { image: ScannedImage; at: number }[] = [];
  let hasOthers = false;
  for (const [at, operator] of fnArray.entries()) {
    const isMask = operator === OPS.paintImageMaskXObject;
    if (!isMask && operator !== OPS.paintImageXObject && operator !== OPS.paintInlineImageXObject) continue;
    const [given] = argsArray[at] as [string | (ScannedImage & { data: unknown })];
    const key = typeof given === 'string' ? given : typeof given.data === 'string' ? given.data : null;
    const image = key === null ? (given as ScannedImage) : await objectOf(page, key);
    if (!image?.data) hasOthers = true;
    else if (Math.min(image.width, image.height) >= minSide) found.push({ image: { ...image, isMask }, at });
  }
  const largest = found.sort((a, b) => b.image.width * b.image.height - a.image.width * a.image.height);
  const images = largest
    .slice(0, maxImages)
    .sort((a, b) => a.at - b.at)
    .map(({ image }) => scanToPnm(image));
  return {
    images: images.filter((image) => image !== null),
    orientation: orientations[page.rotate] ?? 1,
    hasOthers: hasOthers || images.includes(null),
  };
}

function objectOf(page: Page, key: string): Promise<ScannedImage | null> {
  const objects = key.startsWith('g_') ? page.commonObjs : page.objs;
  return new Promise((resolve) => {
    objects.get(key, (image: unknown) => resolve(image as ScannedImage | null));
  });
}

/** An image decoded by PDF.js. */
interface ScannedImage {
  width: number;
  height: number;
  data: Uint8Array<ArrayBuffer> | Uint8ClampedArray<ArrayBuffer>;
  /** A stencil mask: its set pixels are painted. */
  isMask?: boolean;
}

/** Converts an image to PNM: bilevel, grey, RGB or RGBA, judged by its length. null for anything else. */
function scanToPnm({ width, height, data }: ScannedImage): Buffer | null {
  const pixels = width * height;
  const rowBytes = Math.ceil(width / 8);
  if (data.length === pixels * 4) return colors(width, height, data, 4);
  if (data.length === pixels * 3) return colors(width, height, data, 3);
  if (data.length === pixels) {
    return Buffer.concat([Buffer.from(`P5\n${width} ${height}\n255\n`), Buffer.from(data)]);
  }
  if (data.length < rowBytes * height) return null;
  // In PDF a set bit is white, in PNM it is black.
  const bits = Buffer.from(data.buffer, data.byteOffset, rowBytes * height).map((byte) => byte ^ 0xff);
  return Buffer.concat([Buffer.from(`P4\n${width} ${height}\n`), bits]);
}

function colors(width: number, height: number, data: ArrayLike<number>, channels: 3 | 4): Buffer {
  return toPnm(width, height, (row, x, rgb) => {
    const at = (row * width + x) * channels;
    for (let part = 0; part < 3; part += 1) rgb[part] = data[at + part]!;
  });
}
