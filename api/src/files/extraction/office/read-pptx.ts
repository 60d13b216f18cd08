import type { NoticeCode } from '../../../contract/sources.ts';
import { createSay } from '../../../i18n/texts-of.ts';
import type { FoundNotice } from '../collect-notices.ts';
import { detectLanguage } from '../detect-language.ts';
import { type FileToRead, type ReadFile, tooLarge, unreadable } from '../file-to-read.ts';
import { placeMark } from '../place-marks.ts';
import { raised } from '../raised.ts';
import { markdownOf, tableText } from './blocks.ts';
import { eachChart } from './charts.ts';
import { isOn } from './docx-styles.ts';
import { drawnTexts } from './drawn-texts.ts';
import { linearFormula } from './linear-formula.ts';
import { ifReadable, isLargePicture, objectNotice } from './not-read.ts';
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

/**
 * Reads a PowerPoint presentation: each visible slide with number and title, its tables, charts and diagrams in place,
 * followed by its notes and comments. Everything is found by its relationships.
 */
export async function readPptx({ bytes, limits }: FileToRead): Promise<ReadFile> {
  const { office, part, content } = await openMain(bytes, 'pptx', limits.maxUnpacked);
  const relations = new Map((await office.relationsOf(part)).map((one) => [one.id, one.part]));
  const names = elementsNamed(readTree(content), 'sldId')
    .map(({ attributes }) => relations.get(attributes.id ?? ''))
    .filter((name) => name !== undefined);
  if (names.length > limits.maxPages) throw tooLarge('pages', limits.maxPages);
  const slides: (Slide & { number: number; notes: string[]; comments: Comment[] })[] = [];
  const authors = (await ifReadable(() => authorsOf(office, part))) ?? new Map<string, string>();
  const ofLayouts = createLayoutReader(office);
  const notices: FoundNotice[] = [];
  let damaged = 0;
  for (const [index, name] of names.entries()) {
    const found: FoundNotice[] = [];
    const report = (code: NoticeCode) => found.push({ code, at: { slide: index + 1 } });
    const drawn = await drawnBeside(office, name, report);
    const slide = await ifReadable(async () => slideOf(await office.read(name), drawn));
    if (!slide) {
      report('page_damaged');
      notices.push(...found);
      damaged += 1;
      continue;
    }
    for (let left = slide.pictures; left > 0; left -= 1) report('picture_not_read');
    for (const code of slide.objects) report(code);
    const notes: string[] = [];
    const notRead = () => report('page_damaged');
    await office.eachRelated(name, ['notesSlide'], notRead, ({ bytes }) =>
      notes.push(...slideOf(bytes, new Map()).blocks),
    );
    const comments = await commentsOf(office, name, authors, notRead);
    const ofLayout = await ifReadable(() => ofLayouts(name));
    if (!ofLayout) notRead();
    slides.push({
      ...slide,
      number: index + 1,
      notes,
      comments,
      footers: [...slide.footers, ...(ofLayout ?? [])],
    });
    if (!slide.isHidden) notices.push(...found);
  }
  const language = detectLanguage(
    slides.map(({ title, blocks }) => [title, ...blocks].join('\n')).join('\n'),
  );
  const say = createSay('reading', language);
  const texts = slides.map(({ number, title, blocks, isHidden, notes, comments }) => {
    const said = [
      ...blocks,
      ...notes.map((text) => say('notes') + text),
      ...comments.map(({ author, text }) => say('comment', { author }) + text),
    ];
    if (isHidden || (title === '' && said.length === 0)) return '';
    const mark = placeMark({ slide: number });
    return [`${mark}# ${say('slide', { number })}`, ...(title === '' ? [] : [`## ${title}`]), ...said].join(
      '\n\n',
    );
  });
  // A footer is usually the same on each slide.
  const footers = new Set(slides.flatMap((one) => (one.isHidden ? [] : one.footers)));
  const said = [...texts, ...[...footers].map((text) => say('footer') + text)];
  const shown = slides.filter(({ isHidden }) => !isHidden);
  const unread = shown.filter((one) => one.pictures > 0 && one.title === '' && one.blocks.length === 0);
  // As of a scanned PDF, most slides are nothing but a picture.
  if (damaged > names.length / 2) throw unreadable('damaged');
  if (unread.length > shown.length / 2) notices.push({ code: 'mostly_unread' });
  const title = (await office.title()) || (slides.find((one) => one.title !== '')?.title ?? '');
  return { text: said.filter(Boolean).join('\n\n'), title, pages: Math.max(1, names.length), notices };
}

interface Comment {
  author: string;
  text: string;
}

/** The names of those who commented by their ids. */
async function authorsOf(office: OfficePackage, part: string): Promise<Map<string, string>> {
  const authors = new Map<string, string>();
  for (const { bytes } of await office.relatedTo(part, 'commentAuthors', 'authors')) {
    for (const { attributes } of elementsOf(readTree(bytes)).flatMap(elementsOf))
      authors.set(attributes.id ?? '', attributes.name ?? '');
  }
  return authors;
}

/** The comments at a slide with their replies. */
async function commentsOf(
  office: OfficePackage,
  slide: string,
  authors: ReadonlyMap<string, string>,
  notRead: () => void,
): Promise<Comment[]> {
  const comments: Comment[] = [];
  await office.eachRelated(slide, ['comments'], notRead, ({ bytes }) =>
    eachChildOf('cmLst', bytes, (comment) => {
      for (const one of [comment, ...elementsNamed(comment, 'reply')]) {
        const body = childOf(one, 'txBody');
        const text = body ? drawnTexts(body).join(' ') : textIn(childOf(one, 'text')).trim();
        if (text !== '') comments.push({ author: authors.get(one.attributes.authorId ?? '') ?? '', text });
      }
    }),
  );
  return comments;
}

/** Reads what the layout of a slide, and its master, show on it besides placeholders. */
function createLayoutReader(office: OfficePackage): (slide: string) => Promise<string[]> {
  const read = new Map<string, string[]>();
  return async (slide) => {
    const [layout] = await office.relatedTo(slide, 'slideLayout');
    if (!layout) return [];
    const known = read.get(layout.part);
    if (known) return known;
    const masters = await office.relatedTo(layout.part, 'slideMaster');
    const texts = [layout, ...masters].flatMap(({ bytes }) => slideOf(bytes, new Map(), true).blocks);
    read.set(layout.part, texts);
    return texts;
  };
}

/** Markdown of the charts and diagrams of a slide by relationship id. */
async function drawnBeside(office: OfficePackage, slide: string, report: (code: NoticeCode) => void) {
  const drawn = new Map<string, string[]>();
  await eachChart(
    office,
    slide,
    () => report('chart_not_read'),
    (id, chart) => drawn.set(id, [markdownOf(chart)].filter(Boolean)),
  );
  const drawingNotRead = () => report('drawing_not_read');
  await office.eachRelated(slide, ['diagramData'], drawingNotRead, ({ id, bytes }) =>
    drawn.set(id, slideOf(bytes, new Map()).blocks),
  );
  return drawn;
}

interface Slide {
  title: string;
  /** Paragraphs, lists and tables as Markdown, in order. */
  blocks: string[];
  footers: string[];
  isHidden: boolean;
  /** Number of pictures that are large enough for text. */
  pictures: number;
  /** What is said about objects of other programs. */
  objects: NoticeCode[];
}

interface Paragraph {
  text: string;
  level: number;
}

/** Placeholders without text of the slide itself. */
const withoutContent = /^(?:sldNum|updatedDate|sldImg)$/;

/** The text of a slide, of its notes, of a diagram's data, or of a layout, whose placeholders are examples. */
function slideOf(bytes: Buffer | undefined, drawn: ReadonlyMap<string, readonly string[]>, isLayout = false) {
  const slide: Slide = { title: '', blocks: [], footers: [], isHidden: false, pictures: 0, objects: [] };
  const visit = (element: XmlElement): void => {
    const { name, attributes } = element;
    if (isSkipped(element)) return;
    if (name === 'sp') {
      const placeholder = placeholderOf(element);
      if (!isLayout || placeholder === null) addShape(slide, placeholder, paragraphsIn(element));
    } else if (name === 'tbl') slide.blocks.push(tableText(rowsOf(element)));
    // A node of a diagram.
    else if (name === 'pt') slide.blocks.push(...wordsOf(paragraphsIn(element)));
    else if (name === 'chart') slide.blocks.push(...(drawn.get(attributes.id ?? '') ?? []));
    else if (name === 'relIds') slide.blocks.push(...(drawn.get(attributes.dm ?? '') ?? []));
    else if (name === 'pic')
      slide.pictures += elementsNamed(element, 'ext').filter((one) => isLargePicture(one.attributes)).length;
    else {
      if (name === 'sld') slide.isHidden = /^(?:0|false)$/.test(attributes.show ?? '');
      if (name === 'oleObj') slide.objects.push(objectNotice(attributes.progId));
      elementsOf(element).forEach(visit);
    }
  };
  visit(readTree(bytes));
  return slide;
}

/** Hidden shapes, and alternative content that repeats a drawing for older programs. */
function isSkipped(element: XmlElement): boolean {
  const hidden = elementsOf(element).map((child) => childOf(child, 'cNvPr')?.attributes.hidden ?? '');
  return element.name === 'Fallback' || hidden.some(isOn);
}

/** The type of the placeholder that a shape is; null for another shape. */
function placeholderOf(shape: XmlElement): string | null {
  const [placeholder] = elementsNamed(shape, 'ph');
  const type = placeholder ? (placeholder.attributes.type ?? 'obj') : null;
  // A date that PowerPoint updates is not part of the slide.
  return type === 'dt' && elementsNamed(shape, 'fld').length > 0 ? 'updatedDate' : type;
}

function rowsOf(table: XmlElement): string[][] {
  const rows: string[][] = [];
  for (const row of elementsNamed(table, 'tr')) {
    const above = rows.at(-1);
    const cells = elementsNamed(row, 'tc').map((cell, column) =>
      /^(?:1|true)$/.test(cell.attributes.vMerge ?? '')
        ? (above?.[column] ?? '')
        : wordsOf(paragraphsIn(cell)).join(' '),
    );
    rows.push(cells);
  }
  return rows;
}

function paragraphsIn(element: XmlElement): Paragraph[] {
  return elementsNamed(element, 'p').map((paragraph) => {
    const level = Number(childOf(paragraph, 'pPr')?.attributes.lvl ?? 0);
    return { text: withRuns('', paragraph), level: Math.min(Math.max(level || 0, 0), 8) };
  });
}

/** The text before, and that of the runs, fields and formulas of a paragraph. */
function withRuns(before: string, element: XmlElement): string {
  const isRaised = Number.parseInt(childOf(element, 'rPr')?.attributes.baseline ?? '', 10) > 0;
  return elementsOf(element).reduce((text, child) => {
    if (child.name === 't') return text + (isRaised ? raised(textIn(child), text) : textIn(child));
    if (child.name === 'br') return `${text} `;
    if (child.name === 'oMath') return text + linearFormula(child);
    return child.name === 'Fallback' ? text : withRuns(text, child);
  }, before);
}

function wordsOf(paragraphs: readonly Paragraph[]): string[] {
  return paragraphs.map(({ text }) => text.replace(/\s+/g, ' ').trim()).filter(Boolean);
}

function addShape(slide: Slide, placeholder: string | null, paragraphs: readonly Paragraph[]): void {
  const words = wordsOf(paragraphs);
  if (words.length === 0 || (placeholder !== null && withoutContent.test(placeholder))) return;
  if (placeholder !== null && /^(?:ftr|hdr|dt)$/.test(placeholder)) {
    slide.footers.push(words.join(' '));
    return;
  }
  if (placeholder !== null && /^(?:title|ctrTitle)$/.test(placeholder) && slide.title === '') {
    slide.title = words.join(' ');
    return;
  }
  const isList = placeholder !== null && words.length > 1;
  if (!isList) slide.blocks.push(...words);
  else
    slide.blocks.push(
      paragraphs
        .filter(({ text }) => text.trim() !== '')
        .map(({ text, level }) => `${'  '.repeat(level)}- ${text.replace(/\s+/g, ' ').trim()}`)
        .join('\n'),
    );
}
