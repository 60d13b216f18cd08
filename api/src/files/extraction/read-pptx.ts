import { detectLanguage } from './detect-language.ts';
import { tooLarge, unreadable } from './file-failure.ts';
import type { FileToRead, ReadFile } from './file-to-read.ts';
import { relationsOf, titleIn } from './office-relations.ts';
import { placeMark } from './place-marks.ts';
import { readXml } from './read-xml.ts';
import { unpackZip } from './read-zip.ts';
import { createTable } from './table-rows.ts';

/** Slides, notes and diagrams; images, charts and media are never unpacked. */
const wanted =
  /^(?:docProps\/core\.xml|ppt\/presentation\.xml|ppt\/(?:slides|notesSlides|diagrams)\/[^/]+\.xml|ppt\/(?:slides\/)?_rels\/[^/]+\.rels)$/;

const words = {
  zh: { slide: (number: number) => `第 ${number} 张幻灯片`, notes: '备注：' },
  en: { slide: (number: number) => `Slide ${number}`, notes: 'Notes: ' },
} as const;

/** Reads a PowerPoint presentation: each visible slide with number and title, followed by its notes. */
export async function readPptx({ bytes, limits }: FileToRead): Promise<ReadFile> {
  const parts = await unpackZip(bytes, wanted, limits.maxUnpacked);
  const relations = relationsOf(parts, 'ppt/presentation.xml');
  const names: string[] = [];
  readXml(parts.get('ppt/presentation.xml'), {
    open(name, attributes) {
      const slide = name === 'sldId' ? relations.get(attributes().id ?? '') : undefined;
      if (slide) names.push(slide.part);
    },
  });
  if (relations.size === 0) throw unreadable('damaged');
  if (names.length > limits.maxPages) throw tooLarge('pages', limits.maxPages);
  const slides = names.map((name) => ({ ...slideOf(parts.get(name)), besides: besidesOf(parts, name) }));
  const language = detectLanguage(
    slides.map(({ title, blocks }) => [title, ...blocks].join('\n')).join('\n'),
  );
  const { slide, notes } = words[language];
  const texts = slides.map(({ title, blocks, isHidden, besides }, index) => {
    const said = [...blocks, ...besides.diagrams, ...besides.notes.map((text) => `${notes}${text}`)];
    if (isHidden || (title === '' && said.length === 0)) return '';
    const mark = placeMark({ slide: index + 1 });
    return [`${mark}# ${slide(index + 1)}`, ...(title === '' ? [] : [`## ${title}`]), ...said].join('\n\n');
  });
  const title = titleIn(parts) || (slides.find((one) => one.title !== '')?.title ?? '');
  return { text: texts.filter(Boolean).join('\n\n'), title, pages: Math.max(1, names.length) };
}

/** Text of a slide that is stored in separate parts. */
function besidesOf(
  parts: ReadonlyMap<string, Buffer>,
  slide: string,
): { notes: string[]; diagrams: string[] } {
  const others = [...relationsOf(parts, slide).values()];
  const read = (type: string) =>
    others.filter((one) => one.type === type).map(({ part }): Slide => slideOf(parts.get(part)));
  return {
    notes: read('notesSlide').flatMap(({ blocks }) => blocks),
    diagrams: read('diagramData').flatMap(({ blocks }) => blocks),
  };
}

interface Slide {
  title: string;
  /** Paragraphs, lists and tables as Markdown, in order. */
  blocks: string[];
  isHidden: boolean;
}

interface Paragraph {
  text: string;
  level: number;
}

/** Placeholders without text of the slide itself. */
const withoutContent = /^(?:sldNum|dt|ftr|hdr|sldImg)$/;

/** The text of a slide, of its notes, or of a diagram's data. */
function slideOf(bytes: Buffer | undefined): Slide {
  const slide: Slide = { title: '', blocks: [], isHidden: false };
  let placeholder: string | null = null;
  let paragraphs: Paragraph[] = [];
  let rows: string[][] | null = null;
  let row: string[] = [];
  let isMerged = false;
  let reads = false;
  /** Depth within alternative content that repeats a drawing for older programs. */
  let fallback = 0;
  readXml(bytes, {
    open(name, attributes) {
      if (name === 'Fallback' || fallback > 0) fallback += 1;
      if (fallback > 0) return;
      if (name === 'sld') slide.isHidden = /^(?:0|false)$/.test(attributes().show ?? '');
      else if (name === 'sp') {
        placeholder = null;
        paragraphs = [];
      } else if (name === 'ph') placeholder = attributes().type ?? 'obj';
      else if (name === 'tbl') rows = [];
      else if (name === 'tr') row = [];
      else if (name === 'tc') {
        paragraphs = [];
        isMerged = /^(?:1|true)$/.test(attributes().vMerge ?? '');
      } else if (name === 'p') paragraphs.push({ text: '', level: 0 });
      else if (name === 'pPr') levelOf(paragraphs, Number(attributes().lvl ?? 0));
      else if (name === 'br') addText(paragraphs, ' ');
      else if (name === 't') reads = true;
    },
    text(text) {
      if (reads) addText(paragraphs, text);
    },
    close(name) {
      if (fallback > 0) {
        fallback -= 1;
        return;
      }
      if (name === 't') reads = false;
      else if (name === 'tc')
        row.push(isMerged ? (rows?.at(-1)?.[row.length] ?? '') : wordsOf(paragraphs).join(' '));
      else if (name === 'tr') rows?.push(row);
      else if (name === 'tbl' && rows) {
        slide.blocks.push(...tableOf(rows));
        rows = null;
      } else if (name === 'sp') addShape(slide, placeholder, paragraphs);
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

function tableOf([head = [], ...rows]: readonly string[][]): string[] {
  if (head.length < 2) return [head, ...rows].flat().filter(Boolean);
  const table = createTable(head, Number.POSITIVE_INFINITY);
  for (const row of rows) table.add(row);
  return [table.text()];
}
