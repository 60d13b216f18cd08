import type { Citation } from '../../contract/answers.ts';
import type { Language } from '../../contract/language.ts';
import { createSay, listOf, type Say } from '../../i18n/texts-of.ts';
import { englishStopWords } from '../../text/stop-words.ts';
import type { KnowledgePassage } from '../index/passage.ts';
import { allTerms } from '../index/passage-terms.ts';
import { type Block, cellsOf, leavesOf, type Span, structureOf } from '../index/structure.ts';
import { citationOf } from './extract-answer.ts';
import { plainName, withoutOwnMarks } from './quoted-words.ts';

/** A document with its passages, in the order of the text. */
export interface SummarisedDocument {
  title: string;
  language: Language;
  /** Length of its text in UTF-16 units. */
  length: number;
  passages: readonly KnowledgePassage[];
}

/** A span of a passage. */
interface Quote extends Span {
  passage: KnowledgePassage;
}

/** Number of compared sentences, and of those shown of short texts and of texts of `minLongText` units. */
const maxSentences = 600;
const sentencesOfShort = 3;
const sentencesOfLong = 5;
const minLongText = 4000;
/** Lengths of shown sentences. This and all other lengths are UTF-16 units. */
const minSentenceLength = 8;
const maxSentenceLength = 300;
/** Numbers of headings from which on, and up to which, they are listed. */
const minHeadings = 3;
const maxHeadings = 12;
/** Of two sentences that share more than this part of the shorter one's words, only one is shown. */
const maxOverlap = 0.5;
/** Maximum length of a text that is shown whole. */
const maxWholeText = 300;
/** Maximum number of rows that are shown of a table, and their length with the header row. */
const shownRows = 3;
const maxRowsLength = 480;

/**
 * Summarises documents extractively: their length, headings, the columns and first rows of a table, and the
 * most central sentences, each with a citation. `language` is that of the labels. Pure.
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
  const say = createSay('answers', language);
  const cite = ({ passage, start, end }: Quote) => {
    citations.push(citationOf(passage, { start, end }));
    return `[${citations.length}]`;
  };
  const lines = [
    `**${plainName(document.title)}**  \n${say('size', { length: document.length.toLocaleString('en') })}`,
  ];
  const whole = wholeText(document);
  const table = tableOf(document.passages);
  if (table) {
    const { passage, start, end } = table.shown;
    const { columns, rows } = table;
    const head = say('table', {
      rows: rows.toLocaleString('en'),
      count: columns.length,
      columns: listOf(columns),
    });
    lines.push(`${head}${cite(table.shown)}\n\n${withoutOwnMarks(passage.text.slice(start, end))}`);
  }
  if (whole) {
    const text = withoutOwnMarks(whole.text) + cite({ passage: whole, start: 0, end: whole.text.length });
    return [...lines, text].join('\n\n');
  }
  const headings = headingsOf(document);
  if (headings.length >= minHeadings) lines.push(`${say('parts')}\n\n${headingList(headings, say)}`);
  const chosen = table ? [] : central(document);
  if (chosen.length > 0) {
    const points = chosen.map((quote) => `- ${withoutOwnMarks(plain(quote))}${cite(quote)}`);
    lines.push(`${say('points')}\n\n${points.join('\n')}`);
  }
  return lines.length > 1 ? lines.join('\n\n') : `${lines[0]}\n\n${say('empty')}`;
}

/** The only passage of a document of a few lines of prose; null for any other document. */
function wholeText({ passages }: SummarisedDocument): KnowledgePassage | null {
  const [only, ...others] = passages;
  if (!only || others.length > 0 || only.text.length > maxWholeText) return null;
  return structureOf(only.text).every(({ kind }) => kind === 'paragraph') ? only : null;
}

function headingList(headings: readonly string[], say: Say<'answers'>): string {
  const lines = headings.slice(0, maxHeadings).map(withoutOwnMarks);
  const others = headings.length - lines.length;
  if (others > 0) lines.push(say('more_parts', { count: others }));
  return lines.map((line) => `- ${line}`).join('\n');
}

/** The headings of the outermost level with several ones. */
function headingsOf({ passages, title }: SummarisedDocument): string[] {
  const paths = passages.map(({ place }) => place.split(' › '));
  for (const depth of [0, 1, 2]) {
    const names = [...new Set(paths.flatMap((path) => path[depth] ?? []))].filter(
      (name) => name !== '' && name !== title,
    );
    if (names.length >= minHeadings) return names;
  }
  return [];
}

/** Columns, number of rows and first rows of a document that is one table; null for any other. */
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
        const fitting = block.rows.slice(0, shownRows).filter((row) => row.end - start <= maxRowsLength);
        shown = { passage, start, end: fitting.at(-1)?.end ?? Math.min(end, start + maxRowsLength) };
      } else if (block.kind !== 'heading') others += 1;
    }
  }
  return shown === null || others > 1 || rows < 2 ? null : { rows, columns, shown };
}

/**
 * The most central sentences in their order, without near-duplicates. Sentences are rated by their frequent
 * words, and the first three of a document count up to 1.5 times.
 */
function central({ passages, length }: SummarisedDocument): Quote[] {
  const sentences = passages
    .flatMap(sentencesOf)
    .slice(0, maxSentences)
    .map((quote, place) => ({ quote, place, terms: contentTerms(quote) }));
  const most =
    length > minLongText || sentences.length <= sentencesOfLong ? sentencesOfLong : sentencesOfShort;
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
    if (!chosen.some((other) => shared(other.terms, sentence.terms) > maxOverlap)) chosen.push(sentence);
  }
  return chosen.sort((one, other) => one.place - other.place).map(({ quote }) => quote);
}

function contentTerms({ passage, start, end }: Quote): Set<string> {
  const terms = allTerms(passage.text.slice(start, end));
  return new Set(terms.filter((term) => term.length > 1 && !englishStopWords.has(term)));
}

function shared(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  return [...one].filter((term) => other.has(term)).length / (Math.min(one.size, other.size) || 1);
}

/** The sentences and items of a passage, without those that repeat the end of the passage before it. */
function sentencesOf(passage: KnowledgePassage, at: number, passages: readonly KnowledgePassage[]): Quote[] {
  const from = passages[at - 1]?.end ?? 0;
  return structureOf(passage.text)
    .filter(({ kind }) => kind === 'paragraph' || kind === 'list')
    .flatMap((block) => joinedLeaves(passage.text, block))
    .filter(({ start, end }) => end - start >= minSentenceLength && end - start <= maxSentenceLength)
    .filter(({ start }) => passage.start + start >= from)
    .map((span) => ({ ...span, passage }));
}

/** The sentences and items of a block. A section number ("§ 3.") is joined with the sentence after it. */
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

/** A sentence on one line, without its list mark. */
function plain({ passage, start, end }: Quote): string {
  return passage.text
    .slice(start, end)
    .replace(/^[ \t]*(?:[-*+•]|\d{1,3}[.)、])[ \t]+/, '')
    .replace(/\s*\n\s*/g, ' ')
    .trim();
}
