import type { NoticeCode } from '../../../contract/sources.ts';
import { createSay } from '../../../i18n/texts-of.ts';
import type { FoundNotice } from '../collect-notices.ts';
import { detectLanguage } from '../detect-language.ts';
import { type FileToRead, type ReadFile, tooLarge, unreadable } from '../file-to-read.ts';
import { placeMark } from '../place-marks.ts';
import { raised } from '../raised.ts';
import { createTable, toCell } from '../table-rows.ts';
import { type Block, markdownOf, textBlock } from './blocks.ts';
import { builtInFormat } from './cell-format.ts';
import { eachChart } from './charts.ts';
import { diagramTexts, drawnTexts } from './drawn-texts.ts';
import { linearFormula } from './linear-formula.ts';
import { ifReadable, isLargePicture } from './not-read.ts';
import { type OfficePackage, openMain } from './office-package.ts';
import {
  childOf,
  eachChildOf,
  elementsNamed,
  elementsOf,
  readTree,
  textIn,
  type XmlElement,
} from './read-xml.ts';
import { type Cell, type SheetRow, sheetRows, unescaped, type Workbook } from './sheet-rows.ts';

/**
 * Reads an Excel workbook: each visible sheet under its name, its rows as tables, followed by its text boxes, diagrams,
 * charts and notes. Everything is found by its relationship to the main part.
 */
export async function readXlsx({ bytes, limits }: FileToRead): Promise<ReadFile> {
  const { office, part, content } = await openMain(bytes, 'xlsx', limits.maxUnpacked);
  const { sheets, from1904 } = await sheetsOf(office, part, content);
  const workbook: Workbook = {
    sharedStrings: sharedStringsOf(await office.only(part, 'sharedStrings')),
    formats: formatsOf(await office.only(part, 'styles')),
    from1904,
  };
  const names = new Set(sheets.map(({ name }) => name));
  const isShown = (reference: string) => names.has(sheetIn(reference));
  const texts: string[] = [];
  let left = limits.maxText;
  const notices: FoundNotice[] = [];
  let damaged = 0;
  for (const { name, part: sheet, isCells } of sheets) {
    const report = (code: NoticeCode, count = 1) => {
      if (count > 0) notices.push({ code, at: { sheet: name }, count });
    };
    const read = await ifReadable(async () =>
      sheetRows(isCells ? await office.read(sheet) : undefined, workbook, left),
    );
    if (!read) {
      report('page_damaged');
      damaged += 1;
      continue;
    }
    const { rows, withoutResult, isHidden } = read;
    report('formula_without_value', withoutResult);
    const cells = sheetTables(rows, left);
    const drawn = markdownOf(await drawnBlocks(office, sheet, isShown, report));
    const attachmentNotRead = () => report('attachment_not_read');
    await office.eachRelated(sheet, ['oleObject', 'package'], attachmentNotRead, attachmentNotRead);
    const notes = markdownOf(await notesOf(office, sheet, isHidden, report));
    const text = [cells, drawn, notes].filter(Boolean).join('\n\n');
    if (text === '') continue;
    texts.push(`${placeMark({ sheet: name })}# ${toCell(name)}\n\n${text}`);
    left -= text.length;
    if (left < 0) throw tooLarge('text', limits.maxText);
  }
  if (damaged > sheets.length / 2) throw unreadable('damaged');
  return { text: texts.join('\n\n'), title: await office.title(), notices };
}

async function sheetsOf(office: OfficePackage, part: string, content: Buffer) {
  const sheets: { name: string; part: string; isCells: boolean }[] = [];
  const workbook = readTree(content);
  const relations = new Map((await office.relationsOf(part)).map((relation) => [relation.id, relation]));
  for (const { attributes } of elementsNamed(workbook, 'sheet')) {
    const { name = '', id = '', state = '' } = attributes;
    const relation = relations.get(id);
    if (!/^(?:very)?hidden$/i.test(state) && relation && /sheet$/i.test(relation.type))
      sheets.push({ name, part: relation.part, isCells: relation.type !== 'chartsheet' });
  }
  const from1904 = elementsNamed(workbook, 'workbookPr').some(({ attributes: { date1904 = '' } }) =>
    /^(?:1|true)$/.test(date1904),
  );
  return { sheets, from1904 };
}

/** The sheet of a reference such as `'Prices 2026'!$B$2:$B$9`; '' if there is none. */
function sheetIn(reference: string): string {
  const [, quoted, plain = ''] = /^(?:'((?:[^']|'')+)'|([^'![\]]+))!/.exec(reference) ?? [];
  return quoted?.replaceAll("''", "'") ?? plain;
}

/** Text boxes, diagrams and charts of a sheet. */
async function drawnBlocks(
  office: OfficePackage,
  sheet: string,
  isShown: (reference: string) => boolean,
  report: (code: NoticeCode) => void,
): Promise<Block[]> {
  const blocks: Block[] = [];
  const addTexts = (texts: readonly string[]) => blocks.push(...texts.map(textBlock));
  const drawingNotRead = () => report('drawing_not_read');
  const chartNotRead = () => report('chart_not_read');
  await office.eachRelated(sheet, ['drawing'], drawingNotRead, async (drawing) => {
    eachChildOf('wsDr', drawing.bytes, (anchor) => {
      addTexts(drawnTexts(anchor));
      for (const picture of elementsNamed(anchor, 'pic')) {
        const size = childOf(picture, 'spPr', 'xfrm', 'ext');
        if (size && isLargePicture(size.attributes)) report('picture_not_read');
      }
    });
    await office.eachRelated(drawing.part, ['diagramData'], drawingNotRead, ({ bytes }) =>
      addTexts(diagramTexts(bytes)),
    );
    const addChart = (_id: string, chart: Block[]) => void blocks.push(...chart);
    await eachChart(office, drawing.part, chartNotRead, addChart, isShown);
  });
  return blocks;
}

/** Notes and comments at visible cells, with the cell. */
async function notesOf(
  office: OfficePackage,
  sheet: string,
  isHidden: (cell: string) => boolean,
  report: (code: NoticeCode) => void,
): Promise<Block[]> {
  const notRead = () => report('page_damaged');
  const notes: { cell: string; text: string }[] = [];
  const add = ({ attributes: { ref: cell = '' } }: XmlElement, content: XmlElement | undefined) => {
    const text = content ? unescaped(linearFormula(content)).replace(/\s+/g, ' ').trim() : '';
    if (text !== '' && !isHidden(cell)) notes.push({ cell, text });
  };
  await office.eachRelated(sheet, ['threadedComment'], notRead, ({ bytes }) =>
    eachChildOf('ThreadedComments', bytes, (comment) => add(comment, childOf(comment, 'text'))),
  );
  // Comments are repeated as notes for older programs.
  const commented = new Set(notes.map(({ cell }) => cell));
  await office.eachRelated(sheet, ['comments'], notRead, ({ bytes }) =>
    eachChildOf('commentList', bytes, (note) => {
      if (!commented.has(note.attributes.ref ?? '')) add(note, childOf(note, 'text'));
    }),
  );
  const say = createSay('reading', detectLanguage(notes.map(({ text }) => text).join('\n')));
  return notes.map(({ cell, text }) => textBlock(say('note_at', { cell, text })));
}

function sharedStringsOf(bytes: Buffer | undefined): string[] {
  const strings: string[] = [];
  eachChildOf('sst', bytes, (item) => strings.push(richText(item)));
  return strings;
}

/** The text of a string and of its runs, without the pronunciation. */
function richText(item: XmlElement): string {
  return elementsOf(item).reduce((text, part) => {
    if (part.name === 't') return text + textIn(part);
    const run = part.name === 'r' ? textIn(childOf(part, 't')) : '';
    const isRaised = childOf(part, 'rPr', 'vertAlign')?.attributes.val === 'superscript';
    return text + (isRaised ? raised(run, text) : run);
  }, '');
}

/** The number format code of each cell style. */
function formatsOf(bytes: Buffer | undefined): string[] {
  const own = new Map<number, string>();
  eachChildOf('numFmts', bytes, ({ attributes: { numFmtId, formatCode = '' } }) =>
    own.set(Number(numFmtId), formatCode),
  );
  const formats: string[] = [];
  eachChildOf('cellXfs', bytes, ({ attributes: { numFmtId = '0' } }) =>
    formats.push(own.get(Number(numFmtId)) ?? builtInFormat(Number(numFmtId))),
  );
  return formats;
}

/**
 * The rows of a sheet as Markdown. A single cell above the column names, such as a title, becomes a
 * paragraph; after a blank row another table with its own column names may start.
 * @param maxText UTF-16 units. @throws FileFailure too large.
 */
function sheetTables(rows: ReadonlyMap<number, SheetRow>, maxText: number): string {
  const numbers = new Map([...rows].map(([number, row]) => [row, number]));
  const parts: string[] = [];
  let table: SheetRow[] = [];
  const finish = () => {
    if (table.length > 0) parts.push(...tableParts(table, numbers, maxText));
    table = [];
  };
  for (const block of blocksOf(rows)) {
    if (table.length > 0 && beginsTable(block)) finish();
    table.push(...block);
  }
  finish();
  return parts.join('\n\n');
}

/** Groups of rows separated by blank rows. */
function blocksOf(rows: ReadonlyMap<number, SheetRow>): SheetRow[][] {
  const blocks: SheetRow[][] = [];
  let before = Number.NaN;
  for (const number of [...rows.keys()].sort((one, other) => one - other)) {
    if (number !== before + 1) blocks.push([]);
    blocks.at(-1)!.push(rows.get(number)!);
    before = number;
  }
  return blocks;
}

/** Whether the rows start with a title, or with column names above numbers. */
function beginsTable([first, ...others]: readonly SheetRow[]): boolean {
  const names = [...first!];
  if (others.length === 0) return false;
  if (names.length === 1) return others.some((row) => row.size > 1);
  if (names.some(([, { isNumber }]) => isNumber)) return false;
  return names.some(([column]) => others.some((row) => row.get(column)?.isNumber));
}

function tableParts(rows: readonly SheetRow[], numbers: ReadonlyMap<SheetRow, number>, maxText: number) {
  const markOf = (row: SheetRow) => placeMark({ row: numbers.get(row)! });
  const single = (row: SheetRow) => markOf(row) + [...row.values()][0]!.text;
  const isWide = rows.some((row) => row.size > 1);
  if (!isWide) return rows.map(single);
  const above = rows.findIndex((row) => row.size > 1);
  const titles = rows.slice(0, above).map(single);
  const { names, rest } = headOf(rows.slice(above));
  const used = new Set([...names.keys(), ...rest.flatMap((row) => [...row.keys()])]);
  const columns = [...used].sort((one, other) => one - other);
  if (columns.length * rest.length * 3 > maxText) throw tooLarge('text', maxText);
  const table = createTable(
    columns.map((column) => names.get(column) ?? ''),
    maxText,
  );
  let expected = numbers.get(rows[above]!)! + 1;
  for (const row of rest) {
    const isNext = numbers.get(row) === expected;
    expected = numbers.get(row)! + 1;
    const cells = columns.map((column) => row.get(column)?.text ?? '');
    table.add(cells, isNext ? '' : markOf(row));
  }
  return [...titles, markOf(rows[above]!) + table.text()];
}

/** The column names; combined from two rows if cells of the first span several columns of the second. */
function headOf([first, second, ...others]: readonly SheetRow[]): {
  names: Map<number, string>;
  rest: readonly SheetRow[];
} {
  const isGrouped =
    second !== undefined &&
    others.length > 0 &&
    [...first!.values()].some(({ span }) => span > 1) &&
    [...second.values()].every(({ isNumber }) => !isNumber);
  const names = new Map([...first!].map(([column, { text }]) => [column, text]));
  if (!isGrouped) return { names, rest: second ? [second, ...others] : [] };
  const groups = stretched(first!);
  for (const [column, { text }] of second) {
    const group = groups.get(column)?.text ?? '';
    names.set(column, group === text ? text : `${group} ${text}`.trim());
  }
  return { names, rest: others };
}

function stretched(row: SheetRow): SheetRow {
  const all: SheetRow = new Map();
  for (const [column, cell] of row)
    for (let at = column; at < column + Math.min(cell.span, widestGroup); at += 1)
      all.set(at, cell satisfies Cell);
  return all;
}

const widestGroup = 100;
