import type { NoticeCode } from '../../../contract/sources.ts';
import { createSay } from '../../../i18n/texts-of.ts';
import type { FoundNotice } from '../collect-notices.ts';
import { detectLanguage } from '../detect-language.ts';
import { tooLarge } from '../file-failure.ts';
import type { FileToRead, ReadFile } from '../file-to-read.ts';
import { placeMark } from '../place-marks.ts';
import { raised } from '../raised.ts';
import { toCell } from '../table-rows.ts';
import { type Block, markdownOf } from './blocks.ts';
import { builtInFormat } from './cell-format.ts';
import { readChart } from './charts.ts';
import { drawnTexts } from './drawn-texts.ts';
import { linearFormula } from './linear-formula.ts';
import { ifReadable, isLargePicture } from './not-read.ts';
import { type OfficePackage, openMain } from './office-package.ts';
import { childOf, eachChildOf, elementsNamed, readXml, type XmlElement } from './read-xml.ts';
import { sheetRows, unescaped, type Workbook } from './sheet-rows.ts';
import { sheetTables } from './sheet-tables.ts';

/**
 * Reads an Excel workbook: each visible sheet under its name, its rows as tables, followed by its text boxes, diagrams, charts and notes.
 * Everything is found by its relationship to the main part.
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
  for (const { name, part: sheet, isCells } of sheets) {
    const report = (code: NoticeCode, count = 1) =>
      count > 0 && notices.push({ code, at: { sheet: name }, count });
    const { rows, withoutResult, isHidden } = sheetRows(
      isCells ? await office.read(sheet) : undefined,
      workbook,
      left,
    );
    report('formula_without_value', withoutResult);
    const cells = sheetTables(rows, left);
    const drawn = markdownOf(await drawnBlocks(office, sheet, isShown, report));
    report('attachment_not_read', (await office.relatedTo(sheet, 'oleObject', 'package')).length);
    const notes = markdownOf(await notesOf(office, sheet, isHidden));
    const text = [cells, drawn, notes].filter(Boolean).join('\n\n');
    if (text === '') continue;
    texts.push(`${placeMark({ sheet: name })}# ${toCell(name)}\n\n${text}`);
    left -= text.length;
    if (left < 0) throw tooLarge('text', limits.maxText);
  }
  return { text: texts.join('\n\n'), title: await office.title(), notices };
}

async function sheetsOf(office: OfficePackage, part: string, content: Buffer) {
  const sheets: { name: string; part: string; isCells: boolean }[] = [];
  let from1904 = false;
  const relations = new Map((await office.relationsOf(part)).map((relation) => [relation.id, relation]));
  readXml(content, {
    open(name, attributes) {
      if (name === 'workbookPr') from1904 = /^(?:1|true)$/.test(attributes().date1904 ?? '');
      if (name !== 'sheet') return;
      const { name: title = '', id = '', state = '' } = attributes();
      const relation = relations.get(id);
      if (!/^(?:very)?hidden$/i.test(state) && relation && /sheet$/i.test(relation.type))
        sheets.push({ name: title, part: relation.part, isCells: relation.type !== 'chartsheet' });
    },
  });
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
  const addTexts = (texts: readonly string[]) =>
    blocks.push(...texts.map((text): Block => ({ kind: 'text', text })));
  for (const drawing of await office.relatedTo(sheet, 'drawing')) {
    eachChildOf('wsDr', drawing.bytes, (anchor) => {
      addTexts(drawnTexts(anchor));
      for (const picture of elementsNamed(anchor, 'pic')) {
        const size = childOf(picture, 'spPr', 'xfrm', 'ext');
        if (size && isLargePicture(size.attributes)) report('picture_not_read');
      }
    });
    for (const { bytes } of await office.relatedTo(drawing.part, 'diagramData'))
      eachChildOf('dataModel', bytes, (element) => addTexts(drawnTexts(element)));
    for (const one of await office.relatedTo(drawing.part, 'chart', 'chartEx')) {
      const chart = await ifReadable(() => readChart(office, one, isShown));
      if (!chart?.hasFigures) report('chart_not_read');
      blocks.push(...(chart?.blocks ?? []));
    }
  }
  return blocks;
}

/** Notes and comments at visible cells, with the cell. */
async function notesOf(
  office: OfficePackage,
  sheet: string,
  isHidden: (cell: string) => boolean,
): Promise<Block[]> {
  const notes: { cell: string; text: string }[] = [];
  const add = ({ attributes: { ref: cell = '' } }: XmlElement, content: XmlElement | undefined) => {
    const text = content ? unescaped(linearFormula(content)).replace(/\s+/g, ' ').trim() : '';
    if (text !== '' && !isHidden(cell)) notes.push({ cell, text });
  };
  for (const { bytes } of await office.relatedTo(sheet, 'threadedComment'))
    eachChildOf('ThreadedComments', bytes, (comment) => add(comment, childOf(comment, 'text')));
  // Comments are repeated as notes for older programs.
  const commented = new Set(notes.map(({ cell }) => cell));
  for (const { bytes } of await office.relatedTo(sheet, 'comments')) {
    eachChildOf('commentList', bytes, (note) => {
      if (!commented.has(note.attributes.ref ?? '')) add(note, childOf(note, 'text'));
    });
  }
  const say = createSay('reading', detectLanguage(notes.map(({ text }) => text).join('\n')));
  return notes.map(({ cell, text }): Block => ({ kind: 'text', text: say('note_at', { cell, text }) }));
}

function sharedStringsOf(bytes: Buffer | undefined): string[] {
  const strings: string[] = [];
  let text = '';
  let reads = false;
  let isPhonetic = false;
  let isRaised = false;
  readXml(bytes, {
    open(name, attributes) {
      if (name === 'si') text = '';
      else if (name === 'r') isRaised = false;
      else if (name === 'vertAlign') isRaised = attributes().val === 'superscript';
      else if (name === 'rPh') isPhonetic = true;
      else if (name === 't') reads = !isPhonetic;
    },
    text(value) {
      if (reads) text += isRaised ? raised(value, text) : value;
    },
    close(name) {
      if (name === 'r') isRaised = false;
      else if (name === 'si') strings.push(text);
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
