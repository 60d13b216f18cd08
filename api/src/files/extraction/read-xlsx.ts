import { builtInFormat } from './cell-format.ts';
import { tooLarge, unreadable } from './file-failure.ts';
import type { FileToRead, ReadFile } from './file-to-read.ts';
import { relationsOf, titleIn } from './office-relations.ts';
import { placeMark } from './place-marks.ts';
import { readXml } from './read-xml.ts';
import { unpackZip } from './read-zip.ts';
import { sheetRows, type Workbook } from './sheet-rows.ts';
import { sheetTables } from './sheet-tables.ts';
import { toCell } from './table-rows.ts';

/** Cells, strings and formats; images, charts and macros are never unpacked. */
const wanted =
  /^(?:docProps\/core\.xml|xl\/(?:workbook|sharedStrings|styles)\.xml|xl\/_rels\/workbook\.xml\.rels|xl\/worksheets\/[^/]+\.xml)$/;

/** Reads an Excel workbook: each visible sheet under its name, its rows as tables. */
export async function readXlsx({ bytes, limits }: FileToRead): Promise<ReadFile> {
  const parts = await unpackZip(bytes, wanted, limits.maxUnpacked);
  const { sheets, from1904 } = sheetsOf(parts);
  const workbook: Workbook = {
    sharedStrings: sharedStringsOf(parts.get('xl/sharedStrings.xml')),
    formats: formatsOf(parts.get('xl/styles.xml')),
    from1904,
  };
  const texts: string[] = [];
  let left = limits.maxText;
  for (const { name, part } of sheets) {
    const rows = sheetRows(parts.get(part), workbook, left);
    const text = sheetTables(rows, left);
    if (text === '') continue;
    texts.push(`${placeMark({ sheet: name })}# ${toCell(name)}\n\n${text}`);
    left -= text.length;
    if (left < 0) throw tooLarge('text', limits.maxText);
  }
  return { text: texts.join('\n\n'), title: titleIn(parts) };
}

function sheetsOf(parts: ReadonlyMap<string, Buffer>) {
  const sheets: { name: string; part: string }[] = [];
  let from1904 = false;
  const relations = relationsOf(parts, 'xl/workbook.xml');
  readXml(parts.get('xl/workbook.xml'), {
    open(name, attributes) {
      if (name === 'workbookPr') from1904 = /^(?:1|true)$/.test(attributes().date1904 ?? '');
      if (name !== 'sheet') return;
      const { name: title = '', id = '', state = 'visible' } = attributes();
      const relation = relations.get(id);
      if (state === 'visible' && relation?.type === 'worksheet')
        sheets.push({ name: title, part: relation.part });
    },
  });
  if (relations.size === 0) throw unreadable('damaged');
  return { sheets, from1904 };
}

function sharedStringsOf(bytes: Buffer | undefined): string[] {
  const strings: string[] = [];
  let text = '';
  let reads = false;
  let isPhonetic = false;
  readXml(bytes, {
    open(name) {
      if (name === 'si') text = '';
      else if (name === 'rPh') isPhonetic = true;
      else if (name === 't') reads = !isPhonetic;
    },
    text(value) {
      if (reads) text += value;
    },
    close(name) {
      if (name === 'si') strings.push(text);
      else if (name === 'rPh') isPhonetic = false;
      else if (name === 't') reads = false;
    },
  });
  return strings;
}

/** The number format code of each cell style. */
function formatsOf(bytes: Buffer | undefined): string[] {
  const own = new Map<number, string>();
  const formats: string[] = [];
  let isCells = false;
  readXml(bytes, {
    open(name, attributes) {
      if (name === 'cellXfs') isCells = true;
      const { numFmtId = '0', formatCode = '' } = name === 'numFmt' || name === 'xf' ? attributes() : {};
      if (name === 'numFmt') own.set(Number(numFmtId), formatCode);
      if (name === 'xf' && isCells)
        formats.push(own.get(Number(numFmtId)) ?? builtInFormat(Number(numFmtId)));
    },
    close(name) {
      if (name === 'cellXfs') isCells = false;
    },
  });
  return formats;
}
