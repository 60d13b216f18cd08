import { crc32, deflateRawSync } from 'node:zlib';
import { escapeXml } from './sample-files.ts';
import { writeZip, type ZipPart } from './write-zip.ts';

const types = 'http://schemas.openxmlformats.org/package/2006';
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

/** Packs the given parts as an Office document. */
export function packOffice(parts: Readonly<Record<string, string | Buffer>>): Buffer {
  return writeZip(
    Object.entries(parts).map(([name, text]): ZipPart => {
      const bytes = typeof text === 'string' ? Buffer.from(text) : text;
      return { name, bytes: deflateRawSync(bytes), method: 8, size: bytes.length, crc: crc32(bytes) };
    }),
  );
}

type RelationsOf = Readonly<Record<string, readonly (readonly [id: string, type: string, target: string])[]>>;

/** Packs parts with the relationships of each; '' is the whole document. */
export function packRelated(
  parts: Readonly<Record<string, string | Buffer>>,
  relations: RelationsOf,
): Buffer {
  const files = Object.entries(relations).map(([part, targets]): [string, string] => {
    const at = part.lastIndexOf('/') + 1;
    return [`${part.slice(0, at)}_rels/${part.slice(at)}.rels`, relationships(targets)];
  });
  return packOffice({ ...parts, ...Object.fromEntries(files) });
}

const namespaces =
  'xmlns:w="w" xmlns:r="r" xmlns:m="m" xmlns:mc="mc" xmlns:wps="wps" xmlns:v="v" xmlns:wp="wp" xmlns:a="a" xmlns:c="c" xmlns:o="o"';

/** A Word document with this content of its body; other parts by their relationship type, which is also their id. */
export function wordFile(body: string, others: Readonly<Record<string, string | Buffer>> = {}): Buffer {
  const parts = Object.entries(others);
  return packRelated(
    {
      'word/document.xml': `<w:document ${namespaces}><w:body>${body}</w:body></w:document>`,
      ...Object.fromEntries(parts.map(([type, xml]) => [`word/parts/${type}.xml`, xml])),
    },
    {
      '': [['r1', 'officeDocument', 'word/document.xml']],
      'word/document.xml': parts.map(([type]) => [type, type, `parts/${type}.xml`] as const),
    },
  );
}

function relationships(targets: readonly (readonly [id: string, type: string, target: string])[]): string {
  const rows = targets.map(
    ([id, type, target]) => `<Relationship Id="${id}" Type="${office}/${type}" Target="${target}"/>`,
  );
  return `<Relationships xmlns="${types}/relationships">${rows.join('')}</Relationships>`;
}

/** Text, a number, or a number with its format code. */
type SheetCell = string | number | { value: number; format: string } | { formula: string; value: string };

interface SheetOf {
  name: string;
  /** null is a blank row. */
  rows: readonly (readonly SheetCell[] | null)[];
  merged?: readonly string[];
  state?: 'hidden' | 'veryHidden';
}

/** An Excel workbook. Text is stored in the shared strings; '' is a missing cell. */
export function makeXlsx(sheets: readonly SheetOf[], { title = '' } = {}): Buffer {
  const strings: string[] = [];
  const formats = ['General'];
  const indexIn = (list: string[], one: string) =>
    list.includes(one) ? list.indexOf(one) : list.push(one) - 1;
  const cellXml = (cell: SheetCell, reference: string) => {
    if (cell === '') return '';
    if (typeof cell === 'string') return `<c r="${reference}" t="s"><v>${indexIn(strings, cell)}</v></c>`;
    if (typeof cell === 'number') return `<c r="${reference}"><v>${cell}</v></c>`;
    if ('formula' in cell)
      return `<c r="${reference}" t="str"><f>${escapeXml(cell.formula)}</f><v>${escapeXml(cell.value)}</v></c>`;
    return `<c r="${reference}" s="${indexIn(formats, cell.format)}"><v>${cell.value}</v></c>`;
  };
  const sheetXml = ({ rows, merged = [] }: SheetOf) =>
    `<worksheet><sheetData>${rows
      .map((row, at) =>
        row === null
          ? ''
          : `<row r="${at + 1}">${row.map((cell, column) => cellXml(cell, `${letters(column)}${at + 1}`)).join('')}</row>`,
      )
      .join(
        '',
      )}</sheetData><mergeCells>${merged.map((ref) => `<mergeCell ref="${ref}"/>`).join('')}</mergeCells></worksheet>`;
  const worksheets = sheets.map(sheetXml);
  return packOffice({
    'docProps/core.xml': `<p xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>${escapeXml(title)}</dc:title></p>`,
    'xl/workbook.xml': `<workbook xmlns:r="${office}"><sheets>${sheets.map(({ name, state = 'visible' }, at) => `<sheet name="${escapeXml(name)}" sheetId="${at + 1}" state="${state}" r:id="r${at + 1}"/>`).join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relationships(
      sheets.map((_, at) => [`r${at + 1}`, 'worksheet', `worksheets/sheet${at + 1}.xml`] as const),
    ),
    'xl/sharedStrings.xml': `<sst>${strings.map((text) => `<si><t>${escapeXml(text)}</t></si>`).join('')}</sst>`,
    'xl/styles.xml': `<styleSheet><numFmts>${formats.map((code, at) => `<numFmt numFmtId="${164 + at}" formatCode="${escapeXml(code).replaceAll('"', '&quot;')}"/>`).join('')}</numFmts><cellStyleXfs><xf numFmtId="0"/></cellStyleXfs><cellXfs>${formats.map((_, at) => `<xf numFmtId="${164 + at}"/>`).join('')}</cellXfs></styleSheet>`,
    ...Object.fromEntries(worksheets.map((xml, at) => [`xl/worksheets/sheet${at + 1}.xml`, xml])),
  });
}

function letters(column: number): string {
  const rest = Math.floor(column / 26);
  return (rest > 0 ? letters(rest - 1) : '') + String.fromCharCode(65 + (column % 26));
}

interface SlideOf {
  title?: string;
  items?: readonly string[];
  table?: readonly (readonly string[])[];
  notes?: string;
  isHidden?: boolean;
}

/** A PowerPoint presentation. */
export function makePptx(slides: readonly SlideOf[]): Buffer {
  const parts: Record<string, string> = {
    'ppt/presentation.xml': `<p:presentation xmlns:r="${office}"><p:sldIdLst>${slides.map((_, at) => `<p:sldId id="${256 + at}" r:id="r${at + 1}"/>`).join('')}</p:sldIdLst></p:presentation>`,
    // As written by real programs: the number in a part's name is not its position.
    'ppt/_rels/presentation.xml.rels': relationships(
      slides.map((_, at) => [`r${at + 1}`, 'slide', `slides/slide${slides.length - at}.xml`] as const),
    ),
  };
  for (const [at, { title, items = [], table = [], notes, isHidden }] of slides.entries()) {
    const number = slides.length - at;
    const shapes = [
      ...(items.length > 0 ? [shape('body', items)] : []),
      ...(table.length > 0 ? [frame(table)] : []),
      ...(title === undefined ? [] : [shape('title', [title])]),
      shape('sldNum', [String(at + 1)]),
    ];
    parts[`ppt/slides/slide${number}.xml`] =
      `<p:sld${isHidden ? ' show="0"' : ''}><p:cSld><p:spTree>${shapes.join('')}</p:spTree></p:cSld></p:sld>`;
    if (notes === undefined) continue;
    parts[`ppt/slides/_rels/slide${number}.xml.rels`] = relationships([
      ['n', 'notesSlide', `../notesSlides/notesSlide${number}.xml`],
    ]);
    parts[`ppt/notesSlides/notesSlide${number}.xml`] =
      `<p:notes><p:cSld><p:spTree>${shape('body', [notes])}${shape('sldNum', ['7'])}</p:spTree></p:cSld></p:notes>`;
  }
  return packOffice(parts);
}

const paragraph = (text: string) => `<a:p><a:r><a:t>${escapeXml(text)}</a:t></a:r></a:p>`;

function shape(type: string, paragraphs: readonly string[]): string {
  return `<p:sp><p:nvSpPr><p:nvPr><p:ph type="${type}"/></p:nvPr></p:nvSpPr><p:txBody>${paragraphs.map(paragraph).join('')}</p:txBody></p:sp>`;
}

function frame(rows: readonly (readonly string[])[]): string {
  const cell = (text: string) => `<a:tc><a:txBody>${paragraph(text)}</a:txBody></a:tc>`;
  return `<p:graphicFrame><a:tbl>${rows.map((row) => `<a:tr>${row.map(cell).join('')}</a:tr>`).join('')}</a:tbl></p:graphicFrame>`;
}
