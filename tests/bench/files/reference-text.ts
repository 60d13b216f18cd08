import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { decodeHTML, decodeXML } from 'entities';
import { unzipSync } from 'fflate';

const run = promisify(execFile);

/**
 * The text of a file by other means than the product's reader: poppler for a PDF, the XML of an Office document, a page without its tags. null if there is
 * none to compare with, or if poppler cannot read the file either.
 */
export async function referenceText(file: string): Promise<string | null> {
  const ending = path.extname(file).toLowerCase();
  const read = readers.find(([endings]) => endings.test(ending))?.[1];
  return read ? read(file).catch(() => null) : null;
}

const readers: readonly [RegExp, (file: string) => Promise<string | null>][] = [
  [/^\.pdf$/, pdfText],
  [/^\.do[ct][xm]$/, (file) => ofParts(file, /^word\/(?:document\d*|footnotes|endnotes)\.xml$/, wordText)],
  [/^\.p(?:pt|ps|ot)[xm]$/, (file) => ofParts(file, /^ppt\/slides\/slide\d+\.xml$/, slideText)],
  [/^\.xl[st][xm]$/, async (file) => cellTexts(await partsOf(file))],
  [/^\.html?$/, async (file) => pageText(await utf8Text(file))],
  [/^\.[ct]sv$/, utf8Text],
];

async function pdfText(file: string): Promise<string> {
  const { stdout } = await run('pdftotext', ['-q', '-enc', 'UTF-8', file, '-'], {
    timeout: 60_000,
    maxBuffer: 64 * 1024 ** 2,
  });
  return stdout;
}

/** @throws TypeError for another encoding. */
async function utf8Text(file: string): Promise<string> {
  return new TextDecoder('utf-8', { fatal: true }).decode(await readFile(file));
}

async function partsOf(file: string): Promise<Map<string, string>> {
  const parts = unzipSync(await readFile(file), { filter: ({ name }) => /\.(?:xml|rels)$/i.test(name) });
  return new Map(Object.entries(parts).map(([name, bytes]) => [name, Buffer.from(bytes).toString()]));
}

async function ofParts(file: string, name: RegExp, textOf: (xml: string) => string): Promise<string> {
  return [...(await partsOf(file))].flatMap(([part, xml]) => (name.test(part) ? textOf(xml) : [])).join('\n');
}

/** Text of runs between the ends of paragraphs. What older programs show instead would be counted twice. */
function runsText(xml: string): string {
  return xml
    .replace(/<mc:Fallback\b[\s\S]*?<\/mc:Fallback>/g, '')
    .replace(/<[aw]:(?:tab|br|cr)\b[^>]*>/g, ' ')
    .replace(/<[aw]:t(?:\s[^>]*)?>([^<]*)<\/[aw]:t>|<\/[aw]:p>|<[^>]*>|[^<]+/g, (tag, text?: string) =>
      text !== undefined ? decodeXML(text) : /^ $|^<\/[aw]:p>$/.test(tag) ? '\n' : '',
    );
}

function wordText(xml: string): string {
  return runsText(xml.replace(/<w:(?:moveFrom|rt)\b[\s\S]*?<\/w:(?:moveFrom|rt)>/g, ''));
}

function slideText(xml: string): string {
  if (/<p:sld\b[^>]*\bshow="(?:0|false)"/.test(xml)) return '';
  return runsText(xml.replace(/<a:fld\b[^>]*type="slidenum"[\s\S]*?<\/a:fld>/g, ''));
}

/** Texts of the cells in visible rows of visible sheets; numbers depend on their format. */
function cellTexts(parts: ReadonlyMap<string, string>): string {
  const strings = elements(parts.get('xl/sharedStrings.xml') ?? '', 'si').map(({ content }) =>
    elements(content.replace(/<rPh\b[\s\S]*?<\/rPh>/g, ''), 't')
      .map((text) => text.content)
      .join(''),
  );
  const targets = new Map(
    tags(parts.get('xl/_rels/workbook.xml.rels') ?? '', 'Relationship').map((tag) => [
      attribute(tag, 'Id'),
      attribute(tag, 'Target'),
    ]),
  );
  const visible = tags(parts.get('xl/workbook.xml') ?? '', 'sheet').filter(
    (tag) => !/\bstate="(?:hidden|veryHidden)"/.test(tag),
  );
  const texts = visible.flatMap((tag) => {
    const target = targets.get(attribute(tag, 'r:id')) ?? '';
    const sheet = parts.get(path.posix.resolve('/xl', target).slice(1)) ?? '';
    const rows = elements(sheet, 'row').filter((row) => !/\bhidden="(?:1|true)"/.test(row.tag));
    return rows.flatMap((row) =>
      elements(row.content, 'c').flatMap((cell) => {
        const type = attribute(cell.tag, 't');
        const value = elements(cell.content, 'v')[0]?.content ?? '';
        if (type === 's') return value === '' ? [] : (strings[Number(value)] ?? '');
        if (type === 'str') return value;
        return type === 'inlineStr' ? elements(cell.content, 't').map((text) => text.content) : [];
      }),
    );
  });
  return decodeXML(texts.join('\n'));
}

function elements(xml: string, name: string): { tag: string; content: string }[] {
  const pattern = new RegExp(`<(?:x:)?${name}(\\s[^>]*?)?(?:/>|>([\\s\\S]*?)</(?:x:)?${name}>)`, 'g');
  return [...xml.matchAll(pattern)].map(([, tag = '', content = '']) => ({ tag, content }));
}

function tags(xml: string, name: string): string[] {
  return xml.match(new RegExp(`<(?:x:)?${name}\\s[^>]*>`, 'g')) ?? [];
}

function attribute(tag: string, name: string): string {
  return new RegExp(`\\s${name}="([^"]*)"`).exec(tag)?.[1] ?? '';
}

function pageText(page: string): string {
  const shown = page.replace(
    /<!--[\s\S]*?-->|<(script|style|head|noscript|template|svg|nav|select|button)\b[\s\S]*?<\/\1\s*>/gi,
    ' ',
  );
  return decodeHTML(
    shown.replace(/<\/?(?:b|i|u|em|strong|span|font|a|sub|sup)\b[^>]*>/gi, '').replace(/<[^>]*>/g, ' '),
  );
}
