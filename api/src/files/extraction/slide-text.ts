import { readXml } from './read-xml.ts';
import { createTable } from './table-rows.ts';

export interface Slide {
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
const furniture = /^(?:sldNum|dt|ftr|hdr|sldImg)$/;

/** The text of a slide, of its notes, or of a diagram's data. */
export function slideOf(bytes: Buffer | undefined): Slide {
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
  if (words.length === 0 || (placeholder !== null && furniture.test(placeholder))) return;
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
