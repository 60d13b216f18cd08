import type { NoticeCode } from '../../../contract/sources.ts';
import { createSay } from '../../../i18n/texts-of.ts';
import type { FoundNotice } from '../collect-notices.ts';
import { detectLanguage } from '../detect-language.ts';
import { tooLarge } from '../file-failure.ts';
import type { FileToRead, ReadFile } from '../file-to-read.ts';
import { placeMark } from '../place-marks.ts';
import { raised } from '../raised.ts';
import { markdownOf, tableText } from './blocks.ts';
import { readChart } from './charts.ts';
import { isOn } from './docx-styles.ts';
import { drawnTexts } from './drawn-texts.ts';
import { linearFormula } from './linear-formula.ts';
import { ifReadable, isLargePicture, objectNotice } from './not-read.ts';
import { type OfficePackage, openMain } from './office-package.ts';
import { childOf, eachChildOf, elementsNamed, readXml, textIn, type XmlElement } from './read-xml.ts';

/**
 * Reads a PowerPoint presentation: each visible slide with number and title, its tables, charts and diagrams in place, followed by its notes
 * and comments.
 * Everything is found by its relationships.
 */
export async function readPptx({ bytes, limits }: FileToRead): Promise<ReadFile> {
  const { office, part, content } = await openMain(bytes, 'pptx', limits.maxUnpacked);
  const relations = new Map((await office.relationsOf(part)).map((one) => [one.id, one.part]));
  const names: string[] = [];
  readXml(content, {
    open(name, attributes) {
      const slide = name === 'sldId' ? relations.get(attributes().id ?? '') : undefined;
      if (slide) names.push(slide);
    },
  });
  if (names.length > limits.maxPages) throw tooLarge('pages', limits.maxPages);
  const slides: (Slide & { notes: string[]; comments: Comment[] })[] = [];
  const authors = await authorsOf(office, part);
  const ofLayouts = createLayoutReader(office);
  const notices: FoundNotice[] = [];
  for (const [index, name] of names.entries()) {
    const found: FoundNotice[] = [];
    const report = (code: NoticeCode) => found.push({ code, at: { slide: index + 1 } });
    const slide = slideOf(await office.read(name), await drawnBeside(office, name, report));
    for (let left = slide.pictures; left > 0; left -= 1) report('picture_not_read');
    for (const code of slide.objects) report(code);
    if (!slide.isHidden) notices.push(...found);
    const notes: string[] = [];
    for (const one of await office.relatedTo(name, 'notesSlide'))
      notes.push(...slideOf(one.bytes, new Map()).blocks);
    const comments = await commentsOf(office, name, authors);
    slides.push({ ...slide, notes, comments, footers: [...slide.footers, ...(await ofLayouts(name))] });
  }
  const language = detectLanguage(
    slides.map(({ title, blocks }) => [title, ...blocks].join('\n')).join('\n'),
  );
  const say = createSay('reading', language);
  const texts = slides.map(({ title, blocks, isHidden, notes, comments }, index) => {
    const said = [
      ...blocks,
      ...notes.map((text) => say('notes') + text),
      ...comments.map(({ author, text }) => say('comment', { author }) + text),
    ];
    if (isHidden || (title === '' && said.length === 0)) return '';
    const mark = placeMark({ slide: index + 1 });
    return [
      `${mark}# ${say('slide', { number: index + 1 })}`,
      ...(title === '' ? [] : [`## ${title}`]),
      ...said,
    ].join('\n\n');
  });
  // A footer is usually the same on each slide.
  const footers = new Set(slides.flatMap((one) => (one.isHidden ? [] : one.footers)));
  const said = [...texts, ...[...footers].map((text) => say('footer') + text)];
  const shown = slides.filter(({ isHidden }) => !isHidden);
  const unread = shown.filter((one) => one.pictures > 0 && one.title === '' && one.blocks.length === 0);
  // As of a scanned PDF, most slides are nothing but a picture.
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
    readXml(bytes, {
      open(name, attributes) {
        if (/^(?:cmA|a)uthor$/.test(name)) authors.set(attributes().id ?? '', attributes().name ?? '');
      },
    });
  }
  return authors;
}

/** The comments at a slide with their replies. */
async function commentsOf(
  office: OfficePackage,
  slide: string,
  authors: ReadonlyMap<string, string>,
): Promise<Comment[]> {
  const comments: Comment[] = [];
  for (const { bytes } of await office.relatedTo(slide, 'comments')) {
    eachChildOf('cmLst', bytes, (comment) => {
      for (const one of [comment, ...elementsNamed(comment, 'reply')]) {
        const body = childOf(one, 'txBody');
        const text = body ? drawnTexts(body).join(' ') : textIn(childOf(one, 'text')).trim();
        if (text !== '') comments.push({ author: authors.get(one.attributes.authorId ?? '') ?? '', text });
      }
    });
  }
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
async function drawnBeside(
  office: OfficePackage,
  slide: string,
  report: (code: NoticeCode) => void,
): Promise<Map<string, string[]>> {
  const drawn = new Map<string, string[]>();
  for (const one of await office.relatedTo(slide, 'chart', 'chartEx')) {
    const chart = await ifReadable(() => readChart(office, one));
    if (!chart?.hasFigures) report('chart_not_read');
    drawn.set(one.id, [markdownOf(chart?.blocks ?? [])].filter(Boolean));
  }
  for (const { id, bytes } of await office.relatedTo(slide, 'diagramData')) {
    const diagram = await ifReadable(async () => slideOf(bytes, new Map()));
    if (!diagram) report('drawing_not_read');
    drawn.set(id, diagram?.blocks ?? []);
  }
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
function slideOf(
  bytes: Buffer | undefined,
  drawn: ReadonlyMap<string, readonly string[]>,
  isLayout = false,
): Slide {
  const slide: Slide = { title: '', blocks: [], footers: [], isHidden: false, pictures: 0, objects: [] };
  let placeholder: string | null = null;
  let paragraphs: Paragraph[] = [];
  let rows: string[][] | null = null;
  let row: string[] = [];
  let isMerged = false;
  let reads = false;
  let isPicture = false;
  let isRaised = false;
  /** Depth within what is not shown: hidden shapes, and alternative content that repeats a drawing for older programs. */
  let skipped = 0;
  /** Open elements of a formula. */
  const formula: XmlElement[] = [];
  readXml(bytes, {
    open(name, attributes) {
      if (name === 'Fallback' || skipped > 0) skipped += 1;
      if (skipped > 0) return;
      if (name === 'cNvPr' && isOn(attributes().hidden ?? '')) {
        // Its shape, the properties of the shape, and this element.
        skipped = 3;
        isPicture = false;
      }
      if (name === 'oMath' || formula.length > 0) {
        const element = { name, attributes: attributes(), children: [] };
        formula.at(-1)?.children.push(element);
        formula.push(element);
      } else if (name === 'sld') slide.isHidden = /^(?:0|false)$/.test(attributes().show ?? '');
      else if (name === 'sp') {
        placeholder = null;
        paragraphs = [];
      } else if (name === 'ph') placeholder = attributes().type ?? 'obj';
      // A date that PowerPoint updates is not part of the slide.
      else if (name === 'fld' && placeholder === 'dt') placeholder = 'updatedDate';
      else if (name === 'tbl') rows = [];
      else if (name === 'tr') row = [];
      else if (name === 'tc') {
        paragraphs = [];
        isMerged = /^(?:1|true)$/.test(attributes().vMerge ?? '');
      } else if (name === 'p') paragraphs.push({ text: '', level: 0 });
      else if (name === 'pPr') levelOf(paragraphs, Number(attributes().lvl ?? 0));
      else if (name === 'br') addText(paragraphs, ' ');
      else if (name === 'rPr') isRaised = Number.parseInt(attributes().baseline ?? '', 10) > 0;
      else if (name === 't') reads = true;
      else if (name === 'chart') slide.blocks.push(...(drawn.get(attributes().id ?? '') ?? []));
      else if (name === 'pic') isPicture = true;
      else if (name === 'ext' && isPicture && isLargePicture(attributes())) slide.pictures += 1;
      else if (name === 'oleObj') slide.objects.push(objectNotice(attributes().progId));
      else if (name === 'relIds') slide.blocks.push(...(drawn.get(attributes().dm ?? '') ?? []));
    },
    text(text) {
      if (formula.length > 0) formula.at(-1)!.children.push(text);
      else if (reads) addText(paragraphs, isRaised ? raised(text, paragraphs.at(-1)?.text ?? '') : text);
    },
    close(name) {
      if (skipped > 0) {
        skipped -= 1;
        return;
      }
      if (formula.length > 0) {
        const element = formula.pop()!;
        if (formula.length === 0) addText(paragraphs, linearFormula(element));
      } else if (name === 't') reads = false;
      else if (name === 'r') isRaised = false;
      else if (name === 'pic') isPicture = false;
      else if (name === 'tc')
        row.push(isMerged ? (rows?.at(-1)?.[row.length] ?? '') : wordsOf(paragraphs).join(' '));
      else if (name === 'tr') rows?.push(row);
      else if (name === 'tbl' && rows) {
        slide.blocks.push(tableText(rows));
        rows = null;
      } else if (name === 'sp') {
        if (!isLayout || placeholder === null) addShape(slide, placeholder, paragraphs);
      }
      // A node of a diagram.
      else if (name === 'pt') {
        slide.blocks.push(...wordsOf(paragraphs));
        paragraphs = [];
      }
    },
  });
  return slide;
}

function levelOf(paragraphs: readonly Paragraph[], level: number): void {
  const last = paragraphs.at(-1);
  if (last) last.level = Math.min(Math.max(level || 0, 0), 8);
}

function addText(paragraphs: readonly Paragraph[], text: string): void {
  const last = paragraphs.at(-1);
  if (last) last.text += text;
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
