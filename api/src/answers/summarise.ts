import type { Citation, Language } from '../contract.ts';
import type { KnowledgePassage } from '../models/passage.ts';
import { citationOf } from './extract-answer.ts';
import { allTerms } from './passage-terms.ts';
import { plainName, withoutOwnMarks } from './quoted-words.ts';
import { englishStopWords } from './stop-words.ts';
import { type Block, leavesOf, type Span, structureOf } from './structure.ts';

/** A document as its passages, in its order. */
export interface SummarisedDocument {
  title: string;
  language: Language;
  /** UTF-16 units of its text. */
  length: number;
  passages: readonly KnowledgePassage[];
}

interface Sentence extends Span {
  passage: KnowledgePassage;
  /** How many sentences stand before it. */
  place: number;
  terms: ReadonlySet<string>;
}

const mostSentences = 600;
const chosenOfShort = 3;
const chosenOfLong = 5;
const longText = 4000;
const mostHeadings = 12;
const fewHeadings = 3;
const shortestSentence = 8;
const longestSentence = 300;
const repeats = 0.5;
/** A text of so many UTF-16 units is shown whole. */
const fewWords = 300;
const shownRows = 3;
const longestRows = 480;

const words = {
  zh: {
    of: (title: string) => `**${title}**`,
    size: (length: number) => `全文约 ${length.toLocaleString('en')} 字。`,
    points: '要点：',
    parts: '各部分：',
    table: (rows: number, columns: readonly string[]) =>
      `表格，${rows.toLocaleString('en')} 行，${columns.length} 列：${columns.join('、')}。`,
    empty: '没有可以概括的文字。',
    more: (count: number) => `另有 ${count} 个部分`,
  },
  en: {
    of: (title: string) => `**${title}**`,
    size: (length: number) => `About ${length.toLocaleString('en')} characters.`,
    points: 'What it says:',
    parts: 'Its parts:',
    table: (rows: number, columns: readonly string[]) =>
      `A table of ${rows.toLocaleString('en')} rows and ${columns.length} columns: ${columns.join(', ')}.`,
    empty: 'There is no text to sum up.',
    more: (count: number) => `and ${count} more`,
  },
} as const;

/**
 * Sums documents up in their own words: how long each is, its parts where it has several, its table's columns, and the sentences that
 * say most of what the others say, in the document's order. Nothing is reworded; each sentence is cited. `language` is that of the words around
 * them. Pure; O(n) for the first 600 sentences of each.
 */
export function summarise(
  documents: readonly SummarisedDocument[],
  language: Language,
): { text: string; citations: Citation[] } {
  const citations: Citation[] = [];
  const texts = documents.map((document) => summaryOf(document, language, citations));
  return { text: texts.join('\n\n'), citations };
}

function summaryOf(document: SummarisedDocument, language: Language, citations: Citation[]): string {
  const frame = words[language];
  const lines = [`${frame.of(plainName(document.title))}  \n${frame.size(document.length)}`];
  const table = tableOf(document.passages);
  if (table) lines.push(tableSummary(document, frame.table(table.rows, table.columns), citations));
  const whole = table ? null : wholeText(document);
  if (whole) {
    citations.push(citationOf(whole, { start: 0, end: whole.text.length }));
    return [...lines, `${withoutOwnMarks(whole.text)}[${citations.length}]`].join('\n\n');
  }
  const headings = headingsOf(document);
  if (headings.length >= fewHeadings) lines.push(`${frame.parts}\n\n${listOf(headings, frame.more)}`);
  const sentences = sentencesOf(document.passages);
  const isLong = document.length > longText || sentences.length <= chosenOfLong;
  const chosen = central(sentences, isLong ? chosenOfLong : chosenOfShort);
  if (chosen.length > 0 && !table) {
    const points = chosen.map((sentence) => {
      citations.push(citationOf(sentence.passage, sentence));
      return `- ${withoutOwnMarks(plain(sentence))}[${citations.length}]`;
    });
    lines.push(`${frame.points}\n\n${points.join('\n')}`);
  }
  return lines.length > 1 ? lines.join('\n\n') : `${lines[0]}\n\n${frame.empty}`;
}

/** What a table is, with its first rows. */
function tableSummary({ passages }: SummarisedDocument, told: string, citations: Citation[]): string {
  for (const passage of passages) {
    const span = firstRows(passage);
    if (!span) continue;
    citations.push(citationOf(passage, span));
    return `${told}[${citations.length}]\n\n${withoutOwnMarks(passage.text.slice(span.start, span.end))}`;
  }
  return told;
}

/** The only passage of a document, where it is a few lines of prose. */
function wholeText({ passages }: SummarisedDocument): KnowledgePassage | null {
  const [only, ...others] = passages;
  if (!only || others.length > 0 || only.text.length > fewWords) return null;
  return structureOf(only.text).every(({ kind }) => kind === 'paragraph') ? only : null;
}

function listOf(headings: readonly string[], more: (count: number) => string): string {
  const shown = headings.slice(0, mostHeadings).map((heading) => `- ${withoutOwnMarks(heading)}`);
  return [
    ...shown,
    ...(headings.length > mostHeadings ? [`- ${more(headings.length - mostHeadings)}`] : []),
  ].join('\n');
}

/** The outermost headings of which there are several. */
function headingsOf({ passages, title }: SummarisedDocument): string[] {
  const paths = passages.map(({ place }) => place.split(' › '));
  for (const depth of [0, 1, 2]) {
    const names = [...new Set(paths.flatMap((path) => path[depth] ?? []))].filter(
      (name) => name !== '' && name !== title,
    );
    if (names.length >= fewHeadings) return names;
  }
  return [];
}

/** Head and rows, when the document is one table. */
function tableOf(passages: readonly KnowledgePassage[]): { rows: number; columns: string[] } | null {
  let rows = 0;
  let others = 0;
  let head = '';
  for (const { text } of passages) {
    for (const block of structureOf(text)) {
      if (block.kind !== 'table') {
        if (block.kind !== 'heading') others += 1;
        continue;
      }
      rows += block.rows.length;
      if (head === '' && block.head) head = text.slice(block.head.start, block.head.end);
    }
  }
  if (head === '' || others > 1 || rows < 2) return null;
  const columns = head
    .trim()
    .replace(/^\||\|$/g, '')
    .split('|')
    .map((cell) => cell.trim())
    .filter(Boolean);
  return { rows, columns };
}

function sentencesOf(passages: readonly KnowledgePassage[]): Sentence[] {
  const sentences: Sentence[] = [];
  const seen = new Set<number>();
  for (const passage of passages) {
    for (const block of structureOf(passage.text)) {
      if (block.kind === 'heading' || block.kind === 'table' || block.kind === 'code') continue;
      for (const { start, end } of joinedLeaves(passage.text, block)) {
        const at = passage.start + start;
        const length = end - start;
        if (seen.has(at) || length < shortestSentence || length > longestSentence) continue;
        seen.add(at);
        const terms = new Set(allTerms(passage.text.slice(start, end)).filter((term) => telling(term)));
        sentences.push({ passage, start, end, place: sentences.length, terms });
        if (sentences.length >= mostSentences) return sentences;
      }
    }
  }
  return sentences;
}

/** The number of a section ends no sentence: what follows goes with it. */
function joinedLeaves(text: string, block: Block): Span[] {
  const joined: Span[] = [];
  let from: number | null = null;
  for (const { start, end } of leavesOf(block)) {
    from ??= start;
    if (/^\S*\s?\d{1,3}\.$/.test(text.slice(from, end))) continue;
    joined.push({ start: from, end });
    from = null;
  }
  return joined;
}

function telling(term: string): boolean {
  return term.length > 1 && !englishStopWords.has(term);
}

/** The sentences nearest to what all of them say, none twice the same; the first ones a little before others. In order. */
function central(sentences: readonly Sentence[], most: number): Sentence[] {
  const counts = new Map<string, number>();
  for (const { terms } of sentences) for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
  const weightOf = (term: string) => {
    const count = counts.get(term)!;
    return count < 2 && sentences.length > most
      ? 0
      : Math.log(1 + count) * Math.log(1 + sentences.length / count);
  };
  const rated = sentences.map((sentence) => {
    const said = [...sentence.terms].reduce((sum, term) => sum + weightOf(term), 0);
    const early = sentence.place === 0 ? 1.5 : sentence.place < 3 ? 1.2 : 1;
    return { sentence, score: (said / Math.sqrt(sentence.terms.size + 8)) * early };
  });
  const chosen: Sentence[] = [];
  for (const { sentence } of rated.toSorted((one, other) => other.score - one.score)) {
    if (chosen.length >= most) break;
    if (!chosen.some((other) => shared(other.terms, sentence.terms) > repeats)) chosen.push(sentence);
  }
  return chosen.sort((one, other) => one.place - other.place);
}

function shared(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  let both = 0;
  for (const term of one) if (other.has(term)) both += 1;
  return both / (Math.min(one.size, other.size) || 1);
}

/** A sentence without the mark of the list that it stood in, on one line. */
function plain({ passage, start, end }: Sentence): string {
  return passage.text
    .slice(start, end)
    .replace(/^[ \t]*(?:[-*+•]|\d{1,3}[.)、])[ \t]+/, '')
    .replace(/\s*\n\s*/g, ' ')
    .trim();
}

/** The head of its first table and as many of the first rows as are short enough; null without a table. */
function firstRows({ text }: KnowledgePassage): Span | null {
  for (const block of structureOf(text)) {
    if (block.kind !== 'table' || !block.head) continue;
    const { start } = block.head;
    const fitting = block.rows.slice(0, shownRows).filter(({ end }) => end - start <= longestRows);
    return { start, end: fitting.at(-1)?.end ?? Math.min(block.head.end, start + longestRows) };
  }
  return null;
}
