import type { Citation } from '../contract/answers.ts';
import type { Language } from '../contract/language.ts';
import { asksToDestroy, isAboutDeletion, withoutDestructive } from './destructive.ts';
import type { CountedUnit } from './find-candidates.ts';
import type { KnowledgePassage } from './passage.ts';
import { allTerms } from './passage-terms.ts';
import { plainName, withoutOwnMarks } from './quoted-words.ts';
import { type Block, cellsOf, keepLeaves, leavesOf, type Span, structureOf } from './structure.ts';
import { termSetOf } from './term-sets.ts';

export type PassageText = Pick<
  KnowledgePassage,
  | '_id'
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

/** A part of the answer: Markdown as it is shown, and the stretch of the passage that it was taken from. */
interface Part extends Span {
  markdown: string;
  kind: Block['kind'];
}

type Table = Extract<Block, { kind: 'table' }>;

/** How much of a passage is shown: whole up to so many UTF-16 units, tables up to so many rows. */
interface Limits {
  whole: Record<Language, number>;
  rows: number;
}

const best: Limits = { whole: { zh: 420, en: 820 }, rows: 12 };
const beside: Limits = { whole: { zh: 160, en: 320 }, rows: 3 };
const longestQuote = 480;
const smallTable = 3;
const longTable = 6;
const mostRows = 4;

/**
 * Takes the answer out of passages, the best first: of each the places that say most of the question. A short passage comes whole; of a long
 * one the sentence that says it with its neighbours, a list with the line that leads to it, a table's rows with their head. Where there is more than
 * one section, each stands under its heading, so that the steps of two procedures never read as one. What deletes something for good is left
 * out, unless the question asks for that. Nothing is reworded: every part ends in `[n]`, and `citations[n - 1].quote` stands in its document word
 * for word at `start`. `asked` is the question's text. Pure.
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

/** Joins Markdown; rows of the same table under one head. */
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

/** What is shown of the passages, by the section that they are of, the best first. Nothing comes twice. */
function sectionsOf(
  passages: readonly PassageText[],
  units: readonly CountedUnit[],
  asked: string,
): Section[] {
  const harmless = asksToDestroy(asked) ? blocksOf : (passage: PassageText) => harmlessBlocks(passage, units);
  const found = passages
    .map((passage) => ({ passage, blocks: harmless(passage) }))
    .filter(({ blocks }) => blocks.length > 0);
  const [first, ...others] =
    found.length > 0 ? found : passages.map((passage) => ({ passage, blocks: blocksOf(passage) }));
  if (first === undefined) return [];
  const quoted = [{ passage: first.passage, groups: partsOf(first.passage, first.blocks, units, best) }];
  for (const { passage, blocks } of others) {
    // Where one deletion is asked for, no other one is offered beside it.
    if (isAboutDeletion(headingOf(passage))) continue;
    const shown = quoted.filter((one) => one.passage.documentId === passage.documentId);
    const isShown = ({ start, end }: Span) =>
      shown.some((one) =>
        one.groups.flat().some((part) => {
          const move = one.passage.start - passage.start;
          return start < part.end + move && part.start + move < end;
        }),
      );
    const fresh = blocks.flatMap((block) => keepLeaves(block, (leaf) => !isShown(leaf)));
    const isRow = (parts: Part[]) => parts.length === 1 && parts[0]!.kind === 'table';
    const saidOf = (one: PassageText) => (parts: Part[]) =>
      says(one.text.slice(parts[0]!.start, parts[0]!.end), units);
    // Rows of the same table have to say as much as those of the best passage.
    const rows = shown.flatMap((one) => one.groups.filter(isRow).map(saidOf(one.passage)));
    const groups = partsOf(passage, fresh, units, beside).filter(
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

/** The blocks of a passage without what deletes something; none of one whose heading says that this is what it is about. */
function harmlessBlocks(passage: PassageText, units: readonly CountedUnit[]): Block[] {
  if (isAboutDeletion(headingOf(passage))) return [];
  return withoutDestructive(passage.text, blocksOf(passage), (words) => says(words, units) > 0);
}

/** `citation` of the stretch `start`–`end` of a passage's own text. */
export function citationOf(passage: PassageText, span: Span): Citation {
  return {
    title: passage.title,
    quote: passage.text.slice(span.start, span.end),
    start: passage.start + span.start,
    end: passage.start + span.end,
    href: `/api/passages/${encodeURIComponent(passage._id)}`,
  };
}

/** Groups of neighbouring parts; each group has one citation. */
function partsOf(
  passage: PassageText,
  blocks: readonly Block[],
  units: readonly CountedUnit[],
  limits: Limits,
): Part[][] {
  const { text, language } = passage;
  if (blocks.length === 0) return [];
  const table = blocks.find((block) => block.kind === 'table');
  const isCut = passage.tableHead !== '';
  if (table && (isCut || table.rows.length > smallTable)) {
    const beyond = beyondHeading(passage, units);
    const rows = rowsThatSay(text, table, beyond);
    const isBest = rows.length > 0 && rankPlaces(text, blocks, beyond)[0]?.block === table;
    if (isBest && (isCut || rows.length <= 2 || table.rows.length > longTable))
      return rows.map((row, index) => [rowPart(passage, table, row, index === 0)]);
  }
  if (blocks.reduce((sum, { start, end }) => sum + end - start, 0) <= limits.whole[language])
    return [blocks.map((block) => wholeBlock(passage, block))];
  const [place] = rankPlaces(text, blocks, units);
  return [place ? around(passage, blocks, place, limits) : [wholeBlock(passage, blocks[0]!)]];
}

/** A place with what it cannot be read without. */
function around(
  passage: PassageText,
  blocks: readonly Block[],
  { block, leaf }: Place,
  limits: Limits,
): Part[] {
  if (block.kind === 'paragraph') return withFollowers(passage, blocks, block, leaf);
  if (block.kind === 'table' && block.rows.length > limits.rows) return [rowPart(passage, block, leaf, true)];
  return [...leadTo(passage, blocks, block), wholeBlock(passage, block)];
}

/** What the question says besides what the section is about. */
function beyondHeading({ heading, place }: PassageText, units: readonly CountedUnit[]): CountedUnit[] {
  const terms = new Set(allTerms(`${heading}\n${place}`));
  return units.filter((unit) => !unit.terms.some((term) => terms.has(term)));
}

/** The rows that stand out, in their order; none when all say about as much. */
function rowsThatSay(text: string, table: Table, units: readonly CountedUnit[]): Span[] {
  const scored = table.rows.map((row) => ({ row, score: says(text.slice(row.start, row.end), units) }));
  const top = Math.max(...scored.map(({ score }) => score));
  const most = Math.max(...units.map(({ weight }) => weight), 0);
  const chosen = scored.filter(({ score }) => score >= top * 0.75 && score >= most * 0.6);
  if (chosen.length > mostRows || chosen.length === table.rows.length) return [];
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

/** A list whose first item was within another stands by itself now. */
function outdented(markdown: string): string {
  const indent = /^[ \t]+(?=[-*+•]|\d)/.exec(markdown)?.[0] ?? '';
  return indent === '' ? markdown : markdown.replaceAll(`\n${indent}`, '\n').slice(indent.length);
}

/** The sentence before a list, table or code that leads to it. */
function leadTo(passage: PassageText, blocks: readonly Block[], block: Block): Part[] {
  const before = blocks[blocks.indexOf(block) - 1];
  if (before?.kind !== 'paragraph') return [];
  const sentence = before.sentences.at(-1);
  return sentence ? [prose(passage, sentence)] : [];
}

const leansBack =
  /^(?:这|它|因此|所以|否则|但|不过|同时|此时|其中|这样|That|This|These|It|They|So|Otherwise|But|However|Then)/;
const leansForward = /[：:]\s*$/;

/** A sentence with the ones it leans on, and the list or code that it announces. */
function withFollowers(passage: PassageText, blocks: readonly Block[], block: Block, leaf: Span): Part[] {
  if (block.kind !== 'paragraph') return [wholeBlock(passage, block)];
  const { sentences } = block;
  // Where no sentence says anything of the question, only the heading does, the first one opens the answer.
  const at = Math.max(0, sentences.indexOf(leaf));
  const textOf = (span: Span) => passage.text.slice(span.start, span.end);
  let first = at;
  while (first > 0 && leansBack.test(textOf(sentences[first]!))) first -= 1;
  const last = Math.min(sentences.length - 1, at + 1);
  const parts = [prose(passage, { start: sentences[first]!.start, end: sentences[last]!.end })];
  const next = blocks[blocks.indexOf(block) + 1];
  const isShort = next && next.end - next.start <= best.whole[passage.language];
  const isAnnounced =
    next &&
    last === sentences.length - 1 &&
    (next.kind === 'code' ||
      leansForward.test(textOf(sentences[last]!)) ||
      (isShort && (next.kind === 'list' || next.kind === 'table')));
  return isAnnounced ? [...parts, wholeBlock(passage, next)] : parts;
}

function prose(passage: PassageText, span: Span): Part {
  return { ...span, kind: 'paragraph', markdown: passage.text.slice(span.start, span.end) };
}

/** Joins the parts of a group and puts its mark where it reads best: behind the first prose, else behind the last words. */
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

/** All of the group when it is short and nothing was left out of it, else the sentence, item or row of it that says most. */
function quoteOf(passage: PassageText, parts: readonly Part[], units: readonly CountedUnit[]): Span {
  const whole = { start: parts[0]!.start, end: parts.at(-1)!.end };
  const isUnbroken = parts.every(
    ({ end }, at) => passage.text.slice(end, parts[at + 1]?.start ?? end).trim() === '',
  );
  if (isUnbroken && whole.end - whole.start <= longestQuote) return whole;
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
  return { start, end: Math.min(end, start + longestQuote) };
}

/** Sum of the weights of the units that a text says. */
export function says(text: string, units: readonly CountedUnit[]): number {
  const terms = termSetOf(text);
  return units.reduce(
    (sum, unit) => (unit.terms.some((term) => terms.has(term)) ? sum + unit.weight : sum),
    0,
  );
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
    leavesOf(block).map((leaf) => ({ block, leaf, score: says(text.slice(leaf.start, leaf.end), units) })),
  );
  return places.sort((one, other) => other.score - one.score);
}
