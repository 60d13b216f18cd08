import type { Citation } from '../contract/answers.ts';
import type { Language } from '../contract/language.ts';
import { englishStopWords } from '../text/stop-words.ts';
import { citationOf } from './extract-answer.ts';
import type { KnowledgePassage } from './passage.ts';
import { allTerms } from './passage-terms.ts';
import { plainName, withoutOwnMarks } from './quoted-words.ts';
import { type Block, cellsOf, leavesOf, type Span, structureOf } from './structure.ts';

/** A document as its passages, in its order. */
export interface SummarisedDocument {
  title: string;
  language: Language;
  /** UTF-16 units of its text. */
  length: number;
  passages: readonly KnowledgePassage[];
}

/** A stretch of a passage. */
interface Quote extends Span {
  passage: KnowledgePassage;
}

const mostSentences = 600;
const chosenOfShort = 3;
const chosenOfLong = 5;
const longText = 4000;
const mostHeadings = 12;
const fewHeadings = 3;
const shortestSentence = 8;
const longestSentence = 300;
/** Of two sentences that share more of their words than this one is shown. */
const repeats = 0.5;
/** A text of so many UTF-16 units is shown whole. */
const fewWords = 300;
const shownRows = 3;
const longestRows = 480;

const words = {
  zh: {
    size: (length: number) => `全文约 ${length.toLocaleString('en')} 字。`,
    points: '要点：',
    parts: '各部分：',
    table: (rows: number, columns: readonly string[]) =>
      `表格，${rows.toLocaleString('en')} 行，${columns.length} 列：${columns.join('、')}。`,
    empty: '没有可以概括的文字。',
    more: (count: number) => `另有 ${count} 个部分`,
  },
  en: {
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
 * Sums documents up in their own words: how long each is, its parts where it has several, its table's columns and first rows, and the sentences
 * that say most of what the others say. Nothing is reworded; each sentence is cited. `language` is that of the words around them. Pure.
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
  const cite = ({ passage, start, end }: Quote) => {
    citations.push(citationOf(passage, { start, end }));
    return `[${citations.length}]`;
  };
  const lines = [`**${plainName(document.title)}**  \n${frame.size(document.length)}`];
  const whole = wholeText(document);
  const table = tableOf(document.passages);
  if (table) {
    const { passage, start, end } = table.shown;
    const rows = withoutOwnMarks(passage.text.slice(start, end));
    lines.push(`${frame.table(table.rows, table.columns)}${cite(table.shown)}\n\n${rows}`);
  }
  if (whole) {
    const { text } = whole;
    return [...lines, withoutOwnMarks(text) + cite({ passage: whole, start: 0, end: text.length })].join(
      '\n\n',
    );
  }
  const headings = headingsOf(document);
  if (headings.length >= fewHeadings) lines.push(`${frame.parts}\n\n${listOf(headings, frame.more)}`);
  const chosen = table ? [] : central(document);
  if (chosen.length > 0) {
    const points = chosen.map((quote) => `- ${withoutOwnMarks(plain(quote))}${cite(quote)}`);
    lines.push(`${frame.points}\n\n${points.join('\n')}`);
  }
  return lines.length > 1 ? lines.join('\n\n') : `${lines[0]}\n\n${frame.empty}`;
}

/** The only passage of a document, where it is a few lines of prose. */
function wholeText({ passages }: SummarisedDocument): KnowledgePassage | null {
  const [only, ...others] = passages;
  if (!only || others.length > 0 || only.text.length > fewWords) return null;
  return structureOf(only.text).every(({ kind }) => kind === 'paragraph') ? only : null;
}

function listOf(headings: readonly string[], more: (count: number) => string): string {
  const shown = headings.slice(0, mostHeadings).map(withoutOwnMarks);
  const others = headings.length - shown.length;
  return [...shown, ...(others > 0 ? [more(others)] : [])].map((line) => `- ${line}`).join('\n');
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

/** Columns and number of rows, and the first rows under the head, where the document is one table. */
function tableOf(passages: readonly KnowledgePassage[]) {
  let rows = 0;
  let others = 0;
  let columns: string[] = [];
  let shown: Quote | null = null;
  for (const passage of passages) {
    for (const block of structureOf(passage.text)) {
      if (block.kind === 'table') {
        rows += block.rows.length;
        if (shown || !block.head) continue;
        const { start, end } = block.head;
        columns = cellsOf(passage.text.slice(start, end)).filter(Boolean);
        const fitting = block.rows.slice(0, shownRows).filter((row) => row.end - start <= longestRows);
        shown = { passage, start, end: fitting.at(-1)?.end ?? Math.min(end, start + longestRows) };
      } else if (block.kind !== 'heading') others += 1;
    }
  }
  return shown === null || others > 1 || rows < 2 ? null : { rows, columns, shown };
}

/** The sentences nearest to what all of them say, none twice the same; the first ones a little before others. In order. */
function central({ passages, length }: SummarisedDocument): Quote[] {
  const sentences = passages
    .flatMap(sentencesOf)
    .slice(0, mostSentences)
    .map((quote, place) => ({ quote, place, terms: tellingTerms(quote) }));
  const most = length > longText || sentences.length <= chosenOfLong ? chosenOfLong : chosenOfShort;
  const counts = new Map<string, number>();
  for (const { terms } of sentences) for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
  const weightOf = (term: string) => {
    const count = counts.get(term)!;
    const isAlone = count < 2 && sentences.length > most;
    return isAlone ? 0 : Math.log(1 + count) * Math.log(1 + sentences.length / count);
  };
  const scoreOf = ({ place, terms }: { place: number; terms: ReadonlySet<string> }) => {
    const said = [...terms].reduce((sum, term) => sum + weightOf(term), 0);
    return (said / Math.sqrt(terms.size + 8)) * (place === 0 ? 1.5 : place < 3 ? 1.2 : 1);
  };
  const scores = new Map(sentences.map((sentence) => [sentence, scoreOf(sentence)]));
  const chosen: typeof sentences = [];
  for (const sentence of sentences.toSorted((one, other) => scores.get(other)! - scores.get(one)!)) {
    if (chosen.length === most) break;
    if (!chosen.some((other) => shared(other.terms, sentence.terms) > repeats)) chosen.push(sentence);
  }
  return chosen.sort((one, other) => one.place - other.place).map(({ quote }) => quote);
}

function tellingTerms({ passage, start, end }: Quote): Set<string> {
  const terms = allTerms(passage.text.slice(start, end));
  return new Set(terms.filter((term) => term.length > 1 && !englishStopWords.has(term)));
}

function shared(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  return [...one].filter((term) => other.has(term)).length / (Math.min(one.size, other.size) || 1);
}

/** Sentences and items of a passage, without those that it has in common with the passage before it. */
function sentencesOf(passage: KnowledgePassage, at: number, passages: readonly KnowledgePassage[]): Quote[] {
  const from = passages[at - 1]?.end ?? 0;
  return structureOf(passage.text)
    .filter(({ kind }) => kind === 'paragraph' || kind === 'list')
    .flatMap((block) => joinedLeaves(passage.text, block))
    .filter(({ start, end }) => end - start >= shortestSentence && end - start <= longestSentence)
    .filter(({ start }) => passage.start + start >= from)
    .map((span) => ({ ...span, passage }));
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

/** A sentence without the mark of the list that it stood in, on one line. */
function plain({ passage, start, end }: Quote): string {
  return passage.text
    .slice(start, end)
    .replace(/^[ \t]*(?:[-*+•]|\d{1,3}[.)、])[ \t]+/, '')
    .replace(/\s*\n\s*/g, ' ')
    .trim();
}
