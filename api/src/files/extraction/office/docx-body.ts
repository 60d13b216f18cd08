import { codePoint } from 'dingbat-to-unicode';
import type { NoticeCode } from '../../../contract/sources.ts';
import { raised } from '../raised.ts';
import { withoutEmpty } from '../table-rows.ts';
import { type Block, lineOf, textBlock } from './blocks.ts';
import type { Numbering } from './docx-numbering.ts';
import { headingOf, hiddenIn, isOn, listIn, type Styles } from './docx-styles.ts';
import { alternativeOf, drawnTexts, isHiddenShape } from './drawn-texts.ts';
import { linearFormula } from './linear-formula.ts';
import { isLargePicture, objectNotice } from './not-read.ts';
import { childOf, elementsNamed, elementsOf, textIn, type XmlElement } from './read-xml.ts';

interface Line {
  text: string;
  /** Text boxes and charts, which follow the paragraph. */
  after: Block[];
  isHidden: boolean;
}

interface Cell {
  blocks: readonly Block[];
  text: string;
}

/** What the body of a Word document refers to. */
export interface Story {
  styles: Styles;
  numbering: Numbering;
  /** Charts, diagrams and embedded documents by relationship id. */
  related: ReadonlyMap<string, readonly Block[]>;
  /** Whether it is a header or footer, of which page numbers are not read. */
  isMargin?: boolean;
  /** Notes in the order in which they are referred to: `footnote 2`. */
  notes: string[];
  sections: XmlElement[];
  /** Text of the first paragraph with the style Title. */
  title: string;
  /** Fills content controls within an element. */
  fill(element: XmlElement): void;
  /** Reports what is shown but not read. */
  report(code: NoticeCode): void;
}

interface Field {
  code: string;
  /** Whether its result has begun. */
  hasResult: boolean;
  hasText: boolean;
  form: XmlElement | undefined;
}

/** Elements whose text is not shown: properties, deletions, and the readings of ruby text. */
const notShown = new Set(
  'pPr rPr tblPr trPr tcPr tblGrid sdtPr sdtEndPr customXmlPr smartTagPr rubyPr rt del moveFrom delText delInstrText'.split(
    ' ',
  ),
);

/** Text of a cell from which a table is taken for a means of layout, in UTF-16 units. */
const longCell = 1500;
const maxSpan = 50;

/**
 * Reads the elements of a story (the body, a header, a note) as Word shows them: without hidden and deleted text, with
 * automatic numbers, the results of fields, text boxes after their paragraph, and formulas on one line.
 */
export function createStoryReader(story: Story): (element: XmlElement) => Block[] {
  /** Open fields, which may span paragraphs. */
  let fields: Field[] = [];
  /** Text before a deleted paragraph mark, which belongs to the next paragraph. */
  let held = '';

  function blocksOf(element: XmlElement): Block[] {
    if (notShown.has(element.name)) return [];
    switch (element.name) {
      case 'p':
        return paragraph(element);
      case 'tbl':
        return table(element);
      case 'altChunk':
        return [...(story.related.get(element.attributes.id ?? '') ?? [])];
      case 'AlternateContent':
        return alternativeOf(element).flatMap(blocksOf);
      case 'sectPr':
        story.sections.push(element);
        return [];
      case 'oMathPara':
      case 'oMath':
        return textBlocks(linearFormula(element));
      default:
        return elementsOf(element).flatMap(blocksOf);
    }
  }

  function paragraph(element: XmlElement): Block[] {
    const properties = childOf(element, 'pPr');
    const section = childOf(properties, 'sectPr');
    if (section) story.sections.push(section);
    const styleId = childOf(properties, 'pStyle')?.attributes.val;
    const style = story.styles.of(styleId);
    const line: Line = { text: held, after: [], isHidden: style.isHidden ?? false };
    held = '';
    for (const child of elementsOf(element)) inline(child, line);
    // A field that shows nothing by the end of its paragraph is not one.
    fields = fields.filter(({ hasResult }) => hasResult);
    const mark = childOf(properties, 'rPr');
    if (childOf(mark, 'del') ?? childOf(mark, 'moveFrom')) {
      held = line.text;
      return line.after;
    }
    const text = tidy(line.text);
    if (text === '' && hiddenIn(mark)) return line.after;
    const own = listIn(properties);
    const label = story.numbering.next({ id: own.id ?? style.id, level: own.level ?? style.level }, styleId);
    if (text === '') return line.after;
    if (style.name === 'title') story.title ||= text.replaceAll('\n', ' ');
    const numbered = label ? label.text + label.suffix + text : text;
    const heading = headingOf('', properties) || style.heading;
    if (heading > 0) {
      return [{ kind: 'heading', level: heading, text: numbered.replace(/\s+/g, ' ').trim() }, ...line.after];
    }
    if (label?.isBullet) return [{ kind: 'item', level: label.level, text: `- ${text}` }, ...line.after];
    const isItem = label && (itemMark.test(numbered) || label.level > 0);
    const block: Block = isItem ? { kind: 'item', level: label.level, text: numbered } : textBlock(numbered);
    return [block, ...line.after];
  }

  function inline(element: XmlElement, line: Line): void {
    if (notShown.has(element.name)) return;
    switch (element.name) {
      case 'r':
        run(element, line);
        return;
      case 'fldSimple':
        if (story.isMargin && isPageNumber(element.attributes.instr ?? '')) return;
        break;
      case 'oMath':
        add(line, linearFormula(element));
        return;
      case 'AlternateContent':
        for (const child of alternativeOf(element)) inline(child, line);
        return;
      case 'p':
        // Content controls of a line may contain paragraphs.
        add(line, ' ');
        break;
    }
    for (const child of elementsOf(element)) inline(child, line);
  }

  function run(element: XmlElement, line: Line): void {
    const properties = childOf(element, 'rPr');
    const style = childOf(properties, 'rStyle')?.attributes.val;
    const isHidden = hiddenIn(properties) ?? ((style && story.styles.of(style).isHidden) || line.isHidden);
    const font = childOf(properties, 'rFonts')?.attributes.ascii ?? '';
    const isRaised = childOf(properties, 'vertAlign')?.attributes.val === 'superscript';
    for (const child of elementsOf(element)) {
      if (child.name === 'fldChar' || child.name === 'instrText') field(child, line, isHidden);
      else if (isRaised && child.name === 't' && !isHidden) add(line, raised(textIn(child), line.text));
      else if (!isHidden) piece(child, font, line);
    }
  }

  function piece(element: XmlElement, font: string, line: Line): void {
    const { name, attributes } = element;
    if (notShown.has(name)) return;
    if (name === 't') add(line, symbols(textIn(element), font));
    else if (name === 'tab' || name === 'ptab') add(line, ' ');
    else if (name === 'br' || name === 'cr') add(line, '\n');
    else if (name === 'noBreakHyphen') add(line, '-');
    else if (name === 'sym')
      add(line, symbol(attributes.font ?? '', Number.parseInt(attributes.char ?? '', 16)));
    else if (/^(?:foot|end)noteReference$/.test(name)) add(line, `[${noteNumber(element)}]`);
    else if (/^(?:drawing|pict|object)$/.test(name)) drawing(element, line);
    // Ruby text contains runs.
    else if (name === 'r') run(element, line);
    else {
      const children = name === 'AlternateContent' ? alternativeOf(element) : elementsOf(element);
      for (const child of children) piece(child, font, line);
    }
  }

  function noteNumber({ name, attributes }: XmlElement): number {
    const note = `${name.replace('Reference', '')} ${attributes.id}`;
    const at = story.notes.indexOf(note);
    return at < 0 ? story.notes.push(note) : at + 1;
  }

  function field(element: XmlElement, line: Line, isHidden: boolean): void {
    const last = fields.at(-1);
    const type = element.name === 'fldChar' ? element.attributes.fldCharType : 'code';
    if (type === 'code' && last) last.code += textIn(element);
    if (type === 'begin') {
      const form = childOf(element, 'ffData');
      fields.push({ code: '', hasResult: false, hasText: false, form });
    }
    if (type === 'separate' && last) last.hasResult = true;
    if (type !== 'end' || !last) return;
    fields.pop();
    if (!last.hasText && !isHidden) add(line, withoutResult(last));
  }

  /** Adds text unless it belongs to the code of a field. */
  function add(line: Line, text: string): void {
    const isCode = fields.some(({ hasResult, code }) => !hasResult || (story.isMargin && isPageNumber(code)));
    if (isCode || text === '') return;
    for (const field of fields) field.hasText = true;
    line.text += text;
  }

  /** Text boxes, charts, diagrams and lettering within a drawing. */
  function drawing(element: XmlElement, line: Line): void {
    const { name, attributes } = element;
    if (isHiddenShape(element)) return;
    switch (name) {
      case 'txbxContent': {
        const outside = fields;
        fields = [];
        line.after.push(...elementsOf(element).flatMap(blocksOf));
        fields = outside;
        return;
      }
      case 'txBody':
        line.after.push(...drawnTexts(element).flatMap(textBlocks));
        return;
      case 'textpath':
        line.after.push(...textBlocks(attributes.string ?? ''));
        return;
      case 'AlternateContent':
        for (const child of alternativeOf(element)) drawing(child, line);
        return;
      case 'chart':
        line.after.push(...(story.related.get(attributes.id ?? '') ?? []));
        return;
      case 'relIds':
        line.after.push(...(story.related.get(attributes.dm ?? '') ?? []));
        return;
      case 'inline':
      case 'anchor': {
        const size = childOf(element, 'extent');
        const isPicture = elementsNamed(element, 'pic').length > 0;
        if (isPicture && size && isLargePicture(size.attributes)) story.report('picture_not_read');
        break;
      }
      case 'OLEObject':
        if (attributes.Type !== 'Link') story.report(objectNotice(attributes.ProgID));
        return;
    }
    for (const child of elementsOf(element)) drawing(child, line);
  }

  function table(element: XmlElement): Block[] {
    const rows: Cell[][] = [];
    for (const row of shownNamed('tr', element)) {
      const properties = childOf(row, 'trPr');
      if (childOf(properties, 'del')) continue;
      const before = Number(childOf(properties, 'gridBefore')?.attributes.val ?? 0) || 0;
      const cells: Cell[] = Array(Math.min(before, maxSpan)).fill({ blocks: [], text: '' });
      for (const cell of shownNamed('tc', row)) {
        const of = childOf(cell, 'tcPr');
        const merge = childOf(of, 'vMerge');
        const isContinued = merge !== undefined && merge.attributes.val !== 'restart';
        const above = isContinued ? rows.at(-1)?.[cells.length] : undefined;
        const blocks = elementsOf(cell).flatMap(blocksOf);
        const text = above?.text ?? lineOf(blocks);
        const given = Number(childOf(of, 'gridSpan')?.attributes.val ?? 1) || 1;
        const span = Math.min(Math.max(given, 1), maxSpan);
        for (let at = 0; at < span; at += 1) cells.push({ blocks: at === 0 ? blocks : [], text });
      }
      rows.push(cells);
    }
    const texts = withoutEmpty(rows.map((row) => row.map(({ text }) => text)));
    return isLayout(rows, texts)
      ? rows.flat().flatMap(({ blocks }) => blocks)
      : [{ kind: 'table', rows: texts }];
  }

  return (element) => {
    story.fill(element);
    return blocksOf(element);
  };
}

/** A number that makes its paragraph an item of a list, also in Markdown. */
const itemMark = /^\d{1,3}[.)、] /;

/** Without spaces at the ends of lines and repeated ones. */
function tidy(text: string): string {
  return text
    .split('\n')
    .map((line) => line.replace(/[^\S\n]+/g, ' ').trim())
    .join('\n')
    .trim();
}

function textBlocks(text: string): Block[] {
  return text.trim() === '' ? [] : [textBlock(tidy(text))];
}

function isPageNumber(code: string): boolean {
  return /^\s*(?:page|numpages|sectionpages)\b/i.test(code);
}

/** What a field without a result shows: the state of a form field, or the text that is part of its code. */
function withoutResult({ code, form }: Field): string {
  const box = childOf(form, 'checkBox');
  if (box) {
    const state = childOf(box, 'checked') ?? childOf(box, 'default');
    return state && isOn(state.attributes.val ?? 'true') ? '☒' : '☐';
  }
  const list = childOf(form, 'ddList');
  if (list) {
    const chosen = Number(
      childOf(list, 'result')?.attributes.val ?? childOf(list, 'default')?.attributes.val ?? 0,
    );
    return elementsOf(list).filter(({ name }) => name === 'listEntry')[chosen]?.attributes.val ?? '';
  }
  const button = /^\s*(?:macrobutton|gotobutton)\s+\S+\s+(.*)/is.exec(code)?.[1];
  return button?.trim() ?? equation(code);
}

/** The characters of an EQ field: those within a circle, above a reading, or of a fraction. */
function equation(code: string): string {
  if (!/^\s*eq\b/i.test(code)) return '';
  const plain = code
    .replace(/^\s*eq\b/i, '')
    .replace(/\\\*\s*(?:"[^"]*"|[^\s\\]+(?:\s*"[^"]*")?)/g, '')
    // A reading, which is moved up.
    .replace(/\\s\s*\\up\s*\d*\s*\([^()]*\)\s*[,，;；]/gi, '')
    .replace(/\\f\s*\(([^(),]*)[,;]([^(),]*)\)/gi, '$1/$2')
    .replace(/\\r\s*\(([^(),]*)[,;]([^(),]*)\)/gi, '$1√($2)')
    // A circle around a character.
    .replace(/\\o\s*(?:\\a[clrd]\s*)*\(\s*[○□△◇]\s*[,;]/gi, '(')
    .replace(/\\[a-z]+\d*/gi, ' ');
  return plain.replace(/^[\s(]+|[\s)]+$/g, '').replace(/\s+/g, ' ');
}

/** Fonts of symbols use the private range of Unicode, or the codes of letters. */
function symbol(font: string, code: number): string {
  const known = codePoint(font, code & 0xff) ?? codePoint(font, code);
  if (known) return known.string;
  return code >= 0x20 && code < 0xe000 ? String.fromCodePoint(code) : '';
}

const symbolFonts = /^(?:wingdings(?: [23])?|webdings|symbol)$/i;

function symbols(text: string, font: string): string {
  if (!symbolFonts.test(font)) return text;
  return [...text]
    .map((character) => {
      const code = character.codePointAt(0)!;
      return code >= 0xf000 && code <= 0xf0ff ? symbol(font, code) : character;
    })
    .join('');
}

/** The rows (`tr`) of a table, or the cells (`tc`) of a row: both may be within content controls. */
function shownNamed(name: 'tr' | 'tc', element: XmlElement): XmlElement[] {
  return elementsOf(element).flatMap((child) => {
    if (child.name === name) return [child];
    return notShown.has(child.name) ? [] : shownNamed(name, child);
  });
}

/** Whether a table only arranges the page: one column, headings or long texts in its cells. */
function isLayout(rows: readonly (readonly Cell[])[], texts: readonly (readonly string[])[]): boolean {
  if (texts.every((row) => row.every((text) => text === row[0]))) return true;
  const isLarge = ({ blocks, text }: Cell) =>
    text.length > longCell || blocks.some(({ kind }) => kind === 'heading');
  return rows.some((row) => row.some(isLarge));
}
