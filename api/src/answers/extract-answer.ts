import type { Citation } from '../contract/answers.ts';
import type { Language } from '../contract/language.ts';
import { asksToDelete, isAboutDeletion, withoutDestructive } from './destructive.ts';
import type { CountedUnit } from './find-candidates.ts';
import type { KnowledgePassage } from './passage.ts';
import { allTerms } from './passage-terms.ts';
import { plainName, withoutOwnMarks } from './quoted-words.ts';
import { coverageOf, weightOf } from './rank.ts';
import { type Block, cellsOf, filterLeaves, leavesOf, type Span, structureOf } from './structure.ts';

export type PassageText = Pick<
  KnowledgePassage,
  | '_id'
  | 'owner'
  | 'documentId'
  | 'title'
  | 'place'
  | 'heading'
  | 'ways'
  | 'language'
  | 'text'
  | 'start'
  | 'end'
  | 'tableHead'
  | 'edition'
>;

export interface ExtractedAnswer {
  /** Markdown with `[n]` at the end of what citation n backs. */
  text: string;
  citations: Citation[];
}

/** A part of the answer: its Markdown and the span of the passage it comes from. */
interface Part extends Span {
  markdown: string;
  kind: Block['kind'];
}

type Table = Extract<Block, { kind: 'table' }>;

/** Maximum size of passages and tables that are shown whole, in UTF-16 units and rows. */
interface Limits {
  whole: Record<Language, number>;
  rows: number;
}

const limitsOfBest: Limits = { whole: { zh: 420, en: 820 }, rows: 12 };
const limitsOfOthers: Limits = { whole: { zh: 160, en: 320 }, rows: 3 };
const maxQuoteLength = 480;
const maxWholeRows = 3;
const minLongTable = 6;
const maxRows = 4;

/**
 * Extracts an answer from passages, best first. Short passages are shown whole; of long ones the part that says most of the question: a sentence
 * with the next one, a list with its introduction, rows of a table with its header. Several sections appear under their headings, so that the steps of two
 * procedures are never mixed. Instructions for permanent deletion are left out unless the question asks for them. Nothing is reworded: every part
 * ends in `[n]`, and `citations[n - 1].quote` is the document's text at `start`. Pure.
 *
 * @param asked the question's text.
 */
export function extractAnswer(
  passages: readonly PassageText[],
  units: readonly CountedUnit[],
  asked = '',
): ExtractedAnswer {
  const citations: Citation[] = [];
  const sections = sectionsOf(passages, units, asked);
  const texts = sections.map(({ heading, quoted }) => {
    const groups = quoted.flatMap(({ passage, groups }) => groups.map((parts) => ({ passage, parts })));
    const said = groups.map(({ passage, parts }) => cite(passage, parts, units, citations));
    const text = said.reduce(joined, '');
    return sections.length > 1 ? `**${plainName(heading)}**\n\n${text}` : text;
  });
  return { text: texts.join('\n\n'), citations };
}

/** Joins Markdown; rows of the same table share one header. */
function joined(before: string, next: string): string {
  const head = /^\|.*\|\n\|[-:| ]+\|\n/.exec(next)?.[0];
  const isTable = !before.includes('\n\n') && before.startsWith('|');
  if (isTable && head && before.startsWith(head)) return `${before}\n${next.slice(head.length)}`;
  if (isTable && !head && next.startsWith('|')) return `${before}\n${next}`;
  return before === '' ? next : `${before}\n\n${next}`;
}

interface Section {
  heading: string;
  quoted: { passage: PassageText; groups: Part[][] }[];
}

/** The parts to show by section, best first, without repetitions. */
function sectionsOf(
  passages: readonly PassageText[],
  units: readonly CountedUnit[],
  asked: string,
): Section[] {
  const harmless = asksToDelete(asked) ? blocksOf : (passage: PassageText) => harmlessBlocks(passage, units);
  const found = passages
    .map((passage) => ({ passage, blocks: harmless(passage) }))
    .filter(({ blocks }) => blocks.length > 0);
  const [first, ...others] =
    found.length > 0 ? found : passages.map((passage) => ({ passage, blocks: blocksOf(passage) }));
  if (first === undefined) return [];
  const quoted = [
    { passage: first.passage, groups: partsOf(first.passage, first.blocks, units, limitsOfBest) },
  ];
  for (const { passage, blocks } of others) {
    // A question about one deletion gets no instructions for another.
    if (isAboutDeletion(headingOf(passage))) continue;
    const shown = quoted.filter((one) => one.passage.documentId === passage.documentId);
    const isShown = ({ start, end }: Span) =>
      shown.some((one) =>
        one.groups.flat().some((part) => {
          const move = one.passage.start - passage.start;
          return start < part.end + move && part.start + move < end;
        }),
      );
    const fresh = blocks.flatMap((block) => filterLeaves(block, (leaf) => !isShown(leaf)));
    const isRow = (parts: Part[]) => parts.length === 1 && parts[0]!.kind === 'table';
    const saidOf = (one: PassageText) => (parts: Part[]) =>
      weightSaid(one.text.slice(parts[0]!.start, parts[0]!.end), units);
    // Further rows of a table must say as much as those of the best passage.
    const rows = shown.flatMap((one) => one.groups.filter(isRow).map(saidOf(one.passage)));
    const groups = partsOf(passage, fresh, units, limitsOfOthers).filter(
      (parts) => !isRow(parts) || saidOf(passage)(parts) >= Math.max(0, ...rows),
    );
    if (groups.length > 0) quoted.push({ passage, groups });
  }
  const sections = Map.groupBy(quoted, ({ passage }) => `${passage.documentId}\n${passage.place}`);
  return [...sections.values()].map((some) => ({
    heading: headingOf(some[0]!.passage),
    quoted: some.sort((one, other) => one.passage.start - other.passage.start),
  }));
}

function headingOf({ place, title }: PassageText): string {
  return place.split(' › ').at(-1) || title;
}

function blocksOf({ text }: PassageText): Block[] {
  return structureOf(text);
}

/** The blocks of a passage without instructions for permanent deletion; none if its heading is about deletion. */
function harmlessBlocks(passage: PassageText, units: readonly CountedUnit[]): Block[] {
  if (isAboutDeletion(headingOf(passage))) return [];
  return withoutDestructive(passage.text, blocksOf(passage), (words) => weightSaid(words, units) > 0);
}

/** The citation of a span of a passage's text. */
export function citationOf(passage: PassageText, span: Span): Citation {
  return {
    title: passage.title,
    quote: passage.text.slice(span.start, span.end),
    start: passage.start + span.start,
    end: passage.start + span.end,
    href: `/api/passages/${encodeURIComponent(passage._id)}`,
    isPrivate: passage.owner !== '',
  };
}

/** Groups of adjacent parts; each group gets one citation. */
function partsOf(
  passage: PassageText,
  blocks: readonly Block[],
  units: readonly CountedUnit[],
  limits: Limits,
): Part[][] {
  const { text, language } = passage;
  if (blocks.length === 0) return [];
  const table = blocks.find((block) => block.kind === 'table');
  const isContinued = passage.tableHead !== '';
  if (table && (isContinued || table.rows.length > maxWholeRows)) {
    const besidesHeading = unitsBesidesHeading(passage, units);
    const rows = rowsThatSay(text, table, besidesHeading);
    const isBest = rows.length > 0 && rankPlaces(text, blocks, besidesHeading)[0]?.block === table;
    if (isBest && (isContinued || rows.length <= 2 || table.rows.length > minLongTable))
      return rows.map((row, index) => [rowPart(passage, table, row, index === 0)]);
  }
  if (blocks.reduce((sum, { start, end }) => sum + end - start, 0) <= limits.whole[language])
    return [blocks.map((block) => wholeBlock(passage, block))];
  const [place] = rankPlaces(text, blocks, units);
  return [place ? around(passage, blocks, place, limits) : [wholeBlock(passage, blocks[0]!)]];
}

/** A place with the parts needed to understand it. */
function around(
  passage: PassageText,
  blocks: readonly Block[],
  { block, leaf }: Place,
  limits: Limits,
): Part[] {
  if (block.kind === 'paragraph') return withContext(passage, blocks, block, leaf);
  if (block.kind === 'table' && block.rows.length > limits.rows) return [rowPart(passage, block, leaf, true)];
  return [...introductionOf(passage, blocks, block), wholeBlock(passage, block)];
}

/** The units of the question that the section's headings do not say. */
function unitsBesidesHeading({ heading, place }: PassageText, units: readonly CountedUnit[]): CountedUnit[] {
  const terms = new Set(allTerms(`${heading}\n${place}`));
  return units.filter((unit) => !unit.terms.some((term) => terms.has(term)));
}

/** The rows that say most of the question, in their order; none if too many or all do. */
function rowsThatSay(text: string, table: Table, units: readonly CountedUnit[]): Span[] {
  const scored = table.rows.map((row) => ({ row, score: weightSaid(text.slice(row.start, row.end), units) }));
  const top = Math.max(...scored.map(({ score }) => score));
  const most = Math.max(...units.map(({ weight }) => weight), 0);
  const chosen = scored.filter(({ score }) => score >= top * 0.75 && score >= most * 0.6);
  if (chosen.length > maxRows || chosen.length === table.rows.length) return [];
  return chosen.map(({ row }) => row);
}

function rowPart(passage: PassageText, table: Table, row: Span, isFirst: boolean): Part {
  const inner = trimPipes(passage.text, row);
  const head = isFirst ? `${headOf(passage, table)}\n` : '';
  return { ...inner, kind: 'table', markdown: `${head}${passage.text.slice(row.start, row.end).trim()}` };
}

function headOf(passage: PassageText, table: Table): string {
  const head = table.head ? passage.text.slice(table.head.start, table.head.end) : passage.tableHead;
  return head === '' ? '' : `${head.trim()}\n|${'---|'.repeat(cellsOf(head).length)}`;
}

function trimPipes(text: string, row: Span): Span {
  const line = text.slice(row.start, row.end);
  const inner = line.replace(/^[\s|]+|[\s|]+$/g, '');
  const start = row.start + line.indexOf(inner);
  return { start, end: start + inner.length };
}

function wholeBlock(passage: PassageText, block: Block): Part {
  const markdown = outdented(passage.text.slice(block.start, block.end));
  const beginsInside = block.kind === 'table' && (block.head?.start ?? -1) < block.start;
  const above = beginsInside ? headOf(passage, block) : '';
  const head = above && `${above}\n`;
  return { start: block.start, end: block.end, kind: block.kind, markdown: head + markdown };
}

/** Removes the indentation of a nested list that is shown alone. */
function outdented(markdown: string): string {
  const indent = /^[ \t]+(?=[-*+•]|\d)/.exec(markdown)?.[0] ?? '';
  return indent === '' ? markdown : markdown.replaceAll(`\n${indent}`, '\n').slice(indent.length);
}

/** The sentence before a list, table or code block that introduces it. */
function introductionOf(passage: PassageText, blocks: readonly Block[], block: Block): Part[] {
  const before = blocks[blocks.indexOf(block) - 1];
  if (before?.kind !== 'paragraph') return [];
  const sentence = before.sentences.at(-1);
  return sentence ? [prose(passage, sentence)] : [];
}

const refersBack =
  /^(?:这|它|因此|所以|否则|但|不过|同时|此时|其中|这样|That|This|These|It|They|So|Otherwise|But|However|Then)/;
const announces = /[：:]\s*$/;

/** A sentence with those it refers back to, the next one, and the list or code block it introduces. */
function withContext(passage: PassageText, blocks: readonly Block[], block: Block, leaf: Span): Part[] {
  if (block.kind !== 'paragraph') return [wholeBlock(passage, block)];
  const { sentences } = block;
  // The first sentence if only the heading matches the question.
  const at = Math.max(0, sentences.indexOf(leaf));
  const textOf = (span: Span) => passage.text.slice(span.start, span.end);
  let first = at;
  while (first > 0 && refersBack.test(textOf(sentences[first]!))) first -= 1;
  const last = Math.min(sentences.length - 1, at + 1);
  const parts = [prose(passage, { start: sentences[first]!.start, end: sentences[last]!.end })];
  const next = blocks[blocks.indexOf(block) + 1];
  const isShort = next && next.end - next.start <= limitsOfBest.whole[passage.language];
  const isContinuation =
    next &&
    last === sentences.length - 1 &&
    (next.kind === 'code' ||
      announces.test(textOf(sentences[last]!)) ||
      (isShort && (next.kind === 'list' || next.kind === 'table')));
  return isContinuation ? [...parts, wholeBlock(passage, next)] : parts;
}

function prose(passage: PassageText, span: Span): Part {
  return { ...span, kind: 'paragraph', markdown: passage.text.slice(span.start, span.end) };
}

/** Joins the parts of a group and puts its citation mark after the last prose, else after the last part that is no code. */
function cite(
  passage: PassageText,
  parts: readonly Part[],
  units: readonly CountedUnit[],
  citations: Citation[],
): string {
  citations.push(citationOf(passage, quoteOf(passage, parts, units)));
  const mark = `[${citations.length}]`;
  const marked = parts.findLastIndex(({ kind }) => kind === 'paragraph');
  const at = marked >= 0 ? marked : parts.findLastIndex(({ kind }) => kind !== 'code');
  const texts = parts.map(({ markdown, kind }, index) => {
    const text = kind === 'code' ? markdown : withoutOwnMarks(markdown);
    return index === at ? withMark(text, kind, mark) : text;
  });
  if (at < 0) texts.push(mark);
  return texts.join('\n\n');
}

function withMark(markdown: string, kind: Part['kind'], mark: string): string {
  if (kind !== 'table') return `${markdown}${mark}`;
  return markdown.replace(/\s*\|\s*$/, ` ${mark} |`);
}

/** The whole group if it is short and contiguous, else its sentence, item or row that says most of the question. */
function quoteOf(passage: PassageText, parts: readonly Part[], units: readonly CountedUnit[]): Span {
  const whole = { start: parts[0]!.start, end: parts.at(-1)!.end };
  const isUnbroken = parts.every(
    ({ end }, at) => passage.text.slice(end, parts[at + 1]?.start ?? end).trim() === '',
  );
  if (isUnbroken && whole.end - whole.start <= maxQuoteLength) return whole;
  const leaves = parts.flatMap((part) =>
    rankPlaces(
      passage.text.slice(part.start, part.end),
      structureOf(passage.text.slice(part.start, part.end)),
      units,
    ).map(({ leaf, score }) => ({
      start: part.start + leaf.start,
      end: part.start + leaf.end,
      score,
    })),
  );
  const { start, end } = leaves.reduce((best, leaf) => (leaf.score > best.score ? leaf : best));
  return { start, end: Math.min(end, start + maxQuoteLength) };
}

/** Weight of the units that a text says. */
function weightSaid(text: string, units: readonly CountedUnit[]): number {
  return weightOf(coverageOf(text, units), units);
}

/** A sentence, item, row or piece of code, with its block. */
interface Place {
  block: Block;
  leaf: Span;
  score: number;
}

/** The places of a passage by how much of the question they say, the best first; of equals the earlier one. */
function rankPlaces(text: string, blocks: readonly Block[], units: readonly CountedUnit[]): Place[] {
  const places = blocks.flatMap((block) =>
    leavesOf(block).map((leaf) => ({
      block,
      leaf,
      score: weightSaid(text.slice(leaf.start, leaf.end), units),
    })),
  );
  return places.sort((one, other) => other.score - one.score);
}
