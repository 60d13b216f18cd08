import type { Citation } from '../contract/answers.ts';
import type { Language } from '../contract/language.ts';
import { fold } from '../text/fold.ts';
import { asksToDelete, isAboutDeletion, withoutDestructive } from './destructive.ts';
import { isShared } from './document.ts';
import { dot, wordVectors } from './embeddings/word-vectors.ts';
import type { CountedUnit } from './find-candidates.ts';
import { type Amount, amountsIn, intervalFit } from './intervals.ts';
import { fullPlace, type KnowledgePassage } from './passage.ts';
import { placeAt } from './passage-places.ts';
import { allTerms } from './passage-terms.ts';
import { plainName, withoutOwnMarks } from './quoted-words.ts';
import { type Coverage, coverageOf, shareOf, weightOf } from './rank.ts';
import {
  type Block,
  cellsOf,
  filterLeaves,
  type Item,
  leavesOf,
  type Span,
  sentencesIn,
  structureOf,
} from './structure.ts';

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
  | 'places'
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
  /** It is one or some rows of a table. */
  isRow?: true;
  /** The cells of its rows that are not shown. */
  restOfRow?: string;
  /** Rows of its table that answer as well and are not shown. */
  restOfTable?: string;
}

type Table = Extract<Block, { kind: 'table' }>;
type List = Extract<Block, { kind: 'list' }>;

/** Sizes in UTF-16 units; other languages have those of English. */
type Size = Partial<Record<Language, number>> & { en: number };

/** What is shown of a passage from the sentence that answers on; more is folded. */
const shownOfBest: Size = { zh: 240, en: 480 };
const shownOfOthers: Size = { zh: 60, en: 130 };
/** What is shown before the sentence or item that answers. */
const shownBefore: Size = { zh: 120, en: 240 };
/** Steps, and tables, that are shown whole. */
const wholeList: Size = { zh: 500, en: 1000 };
const maxQuoteLength = 480;
/** Rows of a table that are shown; more are folded. */
const wholeTable: Size = { zh: 300, en: 500 };
const maxWholeRows = 3;
/** Tables with more columns are shown with the row's name and the columns that were asked for. */
const maxColumns = 4;
const maxChosenColumns = 5;

/**
 * Extracts an answer from passages, best first. The sentence, item or row that says most of the question is marked and begins what is shown of its
 * passage, lists of steps are shown whole; the rest of the section comes with the citation (`restOfSection`, `restOfRow`). A further passage is shown only
 * if it says something of the question that the earlier ones do not, and several sections appear under their headings, so that the steps of two
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
    const said = quoted.flatMap(({ passage, groups, rest }) =>
      groups.map((parts, at) => cite(passage, parts, units, citations, at === groups.length - 1 ? rest : '')),
    );
    const text = said.reduce(joined, '');
    return sections.length > 1 ? `**${plainName(heading)}**\n\n${text}` : text;
  });
  return { text: texts.join('\n\n'), citations };
}

const maxRelated = 2;
/** Text around the place of a related quote that is shown with it; a longer quote is cut. */
const relatedBefore: Size = { zh: 75, en: 150 };
const relatedAfter: Size = { zh: 150, en: 300 };
const maxRelatedLength = 250;

/**
 * At most two short quotes of passages that do not answer but may help, of the best passage and of the one whose place says most: the sentence, item or row that says most
 * of the question, with its neighbours, and its place. Never instructions for permanent deletion. Pure.
 */
export function extractRelated(
  passages: readonly PassageText[],
  units: readonly CountedUnit[],
  asked: string,
): ExtractedAnswer {
  const question = askedUnits(units, asked);
  const found = passages.flatMap((passage) => {
    const blocks = harmlessBlocks(passage, []).filter(({ kind }) => kind !== 'code');
    const places = rankPlaces(passage, blocks, question);
    const best = places.find(({ isSaid }) => isSaid) ?? places[0];
    return best ? [{ passage, blocks, ...best }] : [];
  });
  const [first, ...others] = found;
  const quoted = first ? [first, ...others.sort((one, other) => other.score - one.score)] : [];
  const citations = quoted.slice(0, maxRelated).map(({ passage, blocks, block, leaf }) => {
    const { start, end } =
      block.kind === 'table' ? trimPipes(passage.text, leaf) : withNeighbours(passage, blocks, leaf);
    const longest = leaf.start - start + Math.max(sizeOf(relatedAfter, passage), maxRelatedLength);
    const cut = passage.text.slice(start, Math.min(end, start + longest)).replace(/[\ud800-\udbff]$/, '');
    return { citation: citationOf(passage, { start, end: start + cut.length }), passage, kind: block.kind };
  });
  const texts = citations.map(({ citation: { quote }, passage, kind }, at) => {
    const words =
      kind === 'table' ? cellsOf(quote).filter(Boolean).join(' · ') : quote.replaceAll(/\s+/g, ' ');
    return `> ${withoutOwnMarks(words)}[${at + 1}]\n>\n> — ${plainName(fullPlace(passage))}`;
  });
  return { text: texts.join('\n\n'), citations: citations.map(({ citation }) => citation) };
}

/** A sentence or item with those before and after it that are near, up to a table, code or text that is left out. */
function withNeighbours(passage: PassageText, blocks: readonly Block[], leaf: Span): Span {
  const leaves = blocks.filter(({ kind }) => kind !== 'table').flatMap(leavesOf);
  const at = leaves.findIndex(({ start }) => start === leaf.start);
  const isNext = (before: Span, after: Span) => passage.text.slice(before.end, after.start).trim() === '';
  let { start, end } = leaf;
  const before = leaves[at - 1];
  if (before && isNext(before, leaf) && leaf.start - before.start <= sizeOf(relatedBefore, passage))
    start = before.start;
  for (const next of leaves.slice(at + 1)) {
    if (!isNext({ start, end }, next) || next.end - leaf.start > sizeOf(relatedAfter, passage)) break;
    end = next.end;
  }
  return { start, end };
}

/** Joins Markdown; rows of the same table share one header. */
function joined(before: string, next: string): string {
  const head = /^\|.*\|\n\|[-:| ]+\|\n/.exec(next)?.[0];
  const isTable = !before.includes('\n\n') && before.startsWith('|');
  if (isTable && head && before.startsWith(head)) return `${before}\n${next.slice(head.length)}`;
  if (isTable && !head && next.startsWith('|')) return `${before}\n${next}`;
  return before === '' ? next : `${before}\n\n${next}`;
}

/** What is shown of a passage, as groups of adjacent parts with a citation each, and the rest of it. */
interface Quoted {
  passage: PassageText;
  groups: Part[][];
  rest: string;
}

interface Section {
  heading: string;
  quoted: Quoted[];
}

/** What to show by section, best first, without repetitions. */
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
  const question = askedUnits(units, asked);
  const quote = (passage: PassageText, blocks: readonly Block[], size: Size): Quoted => {
    const groups = partsOf(passage, blocks, question, size);
    return { passage, groups, rest: restOf(passage, blocks, groups.flat()) };
  };
  const quoted = [quote(first.passage, first.blocks, shownOfBest)];
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
    const next = quote(passage, fresh, shownOfOthers);
    if (next.groups.length === 0) continue;
    if (addsRows(next, shown, units) || saysMore(next, quoted, units)) quoted.push(next);
  }
  const sections = Map.groupBy(
    withoutRowFirst(quoted, units),
    ({ passage }) => `${passage.documentId}\n${passage.place}`,
  );
  return [...sections.values()].map((some) => ({
    heading: headingOf(some[0]!.passage),
    quoted: some.sort((one, other) => one.passage.start - other.passage.start),
  }));
}

/** Puts a passage whose text says more of the question before a row of another table. */
function withoutRowFirst(quoted: readonly Quoted[], units: readonly CountedUnit[]): readonly Quoted[] {
  const isTable = ({ groups }: Quoted) => groups[0]?.[0]?.kind === 'table';
  const [first] = quoted;
  if (!first || !isTable(first)) return quoted;
  const shareSaid = (one: Quoted) => {
    const { title, place } = one.passage;
    const shown = one.groups.flat().map((part) => textOf(one.passage, part));
    const columns = isTable(one) ? headText(one.passage) : '';
    return shareOf(coverageOf([title, place, columns, ...shown].join('\n'), units), units);
  };
  const better = quoted.find((one) => !isTable(one) && shareSaid(one) > shareSaid(first));
  return better ? [better, ...quoted.filter((one) => one !== better)] : quoted;
}

/** Whether these are rows of the table that rows are shown of, and say as much of the question. */
function addsRows(next: Quoted, shown: readonly Quoted[], units: readonly CountedUnit[]): boolean {
  const saidOf = ({ passage, groups }: Quoted) =>
    groups.map((parts) => (parts[0]!.isRow ? weightSaid(textOf(passage, parts[0]!), units) : 0));
  const rows = shown.filter(({ passage }) => headText(passage) === headText(next.passage)).flatMap(saidOf);
  const most = Math.max(0, ...rows);
  return most > 0 && saidOf(next).every((said) => said >= most);
}

/** Share of the question that a further passage must add. */
const minGain = 0.1;

/** Whether what is shown of a passage says something of the question that the passages before do not. */
function saysMore(next: Quoted, before: readonly Quoted[], units: readonly CountedUnit[]): boolean {
  const known = coverageOf(before.map(({ passage }) => wholeOf(passage)).join('\n'), units);
  const parts = next.groups.flat().map((part) => textOf(next.passage, part));
  const said = coverageOf([next.passage.place, ...parts].join('\n'), units);
  return gainOf(said, known, units) >= minGain;
}

/** Share of the question that `said` has beyond `known`. */
function gainOf(said: Coverage, known: Coverage, units: readonly CountedUnit[]): number {
  return shareOf(
    said.map((share, at) => Math.max(0, share - known[at]!)),
    units,
  );
}

function wholeOf({ title, place, tableHead, text }: PassageText): string {
  return [title, place, tableHead, text].join('\n');
}

/** What is not shown of a passage, as Markdown; of a table only with prose, as its other rows are other things. */
function restOf(passage: PassageText, blocks: readonly Block[], shown: readonly Part[]): string {
  const overlaps = ({ start, end }: Span) => shown.some((part) => start < part.end && part.start < end);
  return blocks
    .filter((block) => block.kind !== 'table' || !overlaps(block))
    .flatMap((block) => filterLeaves(block, (leaf) => !overlaps(leaf)))
    .map((block) => withoutOwnMarks(wholeBlock(passage, block).markdown))
    .join('\n\n');
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
  const at = placeAt(passage, passage.start + span.start);
  return {
    title: passage.title,
    quote: passage.text.slice(span.start, span.end),
    start: passage.start + span.start,
    end: passage.start + span.end,
    href: `/api/passages/${encodeURIComponent(passage._id)}`,
    isPrivate: !isShared(passage.owner),
    ...(passage.place ? { place: passage.place } : {}),
    ...(at ? { at } : {}),
  };
}

/** The sentence, item or row of a passage that says most of a question, a row with its columns, and how well an interval of it fits. */
export function bestPlaceOf(
  passage: PassageText,
  units: readonly CountedUnit[],
  asked: string,
): { text: string; isRow: boolean; fit: number } {
  const [best] = rankPlaces(passage, blocksOf(passage), askedUnits(units, asked));
  if (!best) return { text: '', isRow: false, fit: 0 };
  const { block, leaf, fit } = best;
  const isRow = block.kind === 'table';
  return {
    text: `${textOf(passage, leaf)}\n${isRow ? headText(passage, block) : ''}`,
    isRow,
    fit,
  };
}

/** The units of a question, its vector and amounts, and whether it asks for steps. */
interface AskedUnits {
  units: readonly CountedUnit[];
  vector: Float32Array;
  amounts: readonly Amount[];
  asksHow: boolean;
}

function askedUnits(units: readonly CountedUnit[], asked: string): AskedUnits {
  const vector = wordVectors().vectorOf(asked);
  return { units, vector, amounts: amountsIn(asked), asksHow: asksHow.test(fold(asked)) };
}

const asksHow = /怎[么样]|如何|步骤|流程|\bhow (?:do|can|to|should|would|does)\b|\b(?:steps|procedure)\b/u;

const sizeOf = (size: Size, { language }: PassageText) => size[language] ?? size.en;
const lengthOf = ({ start, end }: Span) => end - start;
const textOf = ({ text }: PassageText, { start, end }: Span) => text.slice(start, end);

/** Groups of adjacent parts; each group gets one citation. */
function partsOf(passage: PassageText, blocks: readonly Block[], question: AskedUnits, size: Size): Part[][] {
  const places = rankPlaces(passage, blocks, question);
  const [first] = places;
  const isInTable = first?.block.kind === 'table';
  const saysMoreThanRow = ({ block, share, fit }: Place) =>
    block.kind !== 'table' && share > first!.share && fit >= first!.fit;
  const best =
    (question.asksHow ? places.find(({ block }) => isSteps(passage, block)) : undefined) ??
    (isInTable ? places.find(saysMoreThanRow) : undefined) ??
    first;
  if (best === undefined) return [];
  if (best.block.kind === 'table') return rowsOf(passage, best.block, blocks, question);
  const shown = [around(passage, blocks, best, size, question)];
  // A question of several parts may be answered in several places.
  for (const place of places) {
    if (shown.length === maxPlaces) break;
    if (place.block.kind === 'table' || isWithin(place.leaf, shown.flat())) continue;
    const known = [passage.title, passage.place, ...shown.flat().map((part) => textOf(passage, part))];
    const said = coverageOf(textOf(passage, place.leaf), question.units);
    const gain = gainOf(said, coverageOf(known.join('\n'), question.units), question.units);
    if (gain >= minGainOfPlace)
      shown.push(around(passage, withoutShown(blocks, shown.flat()), place, { en: 0 }, question));
  }
  return shown;
}

const maxPlaces = 3;
/** Share of the question that a further place of a passage must add. */
const minGainOfPlace = 0.12;

const isWithin = (leaf: Span, shown: readonly Part[]) =>
  shown.some(({ start, end }) => leaf.start < end && start < leaf.end);

function withoutShown(blocks: readonly Block[], shown: readonly Part[]): Block[] {
  return blocks.flatMap((block) => filterLeaves(block, (leaf) => !isWithin(leaf, shown)));
}

/** A place with what follows it and is needed to understand it. */
function around(
  passage: PassageText,
  blocks: readonly Block[],
  place: Place,
  size: Size,
  question: AskedUnits,
): Part[] {
  const block =
    blocks.find(({ start, end }) => start <= place.leaf.start && place.leaf.end <= end) ?? place.block;
  if (block.kind === 'paragraph') return fromSentence(passage, blocks, block, place, size, question);
  if (block.kind === 'list') return ofList(passage, blocks, block, place, size, question);
  return [...introductionOf(passage, blocks, block), wholeBlock(passage, block)];
}

/** Share of what the answer says of the question from which on the sentence before is shown with it. */
const rivalShare = 0.7;
const refersBack =
  /^(?:这|它|因此|所以|否则|反之|但|不过|同时|此时|此后|之后|届时|其中|这样|That|This|These|Those|It|They|So|Otherwise|But|However|Then|Afterwards|After that)/;
/** What follows continues the sentence. */
const isOpen = /[；;]\s*$/;
const announces = /[：:]\s*$/;
const introduces = /[：:]\s*$|如下|[以下][下列]|步骤|\b(?:follow(?:s|ing)?|below|these|steps)\b/iu;

/** A sentence with those it refers back to, and what follows within `size`, with the list or code that it announces. */
function fromSentence(
  passage: PassageText,
  blocks: readonly Block[],
  block: Paragraph,
  { leaf, isSaid }: Place,
  size: Size,
  { units, vector }: AskedUnits,
): Part[] {
  const { sentences } = block;
  const at = Math.max(
    0,
    sentences.findIndex(({ start }) => start === leaf.start),
  );
  const answer = sentences[at]!;
  const score = scoreOfText(textOf(passage, answer), units, vector);
  const isNeeded = (before: Span) =>
    answer.end - before.start <= sizeOf(shownBefore, passage) &&
    (isOpen.test(textOf(passage, before)) ||
      scoreOfText(textOf(passage, before), units, vector) >= rivalShare * score);
  let first = at;
  while (first > 0 && refersBack.test(textOf(passage, sentences[first]!))) first -= 1;
  while (first > 0 && isNeeded(sentences[first - 1]!)) first -= 1;
  const limit = answer.start + sizeOf(size, passage);
  const within = (some: readonly Span[]) => some.filter((one, index) => one.end <= limit || index === 0);
  const shown = [answer, ...within(sentences.slice(at)).slice(1)];
  const parts = [proseOf(passage, [...sentences.slice(first, at), ...shown], isSaid ? [answer] : [])];
  const isWhole = shown.at(-1) === sentences.at(-1);
  return withoutAnnouncement(
    passage,
    isWhole ? withNext(passage, blocks, block, parts, limit) : parts,
    answer,
  );
}

/** Parts that end with `block`, with what follows up to `limit`, and the list or code that they announce. */
function withNext(
  passage: PassageText,
  blocks: readonly Block[],
  block: Block,
  before: readonly Part[],
  limit: number,
): Part[] {
  const parts = [...before];
  for (const next of blocks.slice(blocks.indexOf(block) + 1)) {
    const isAnnounced = announces.test(textOf(passage, parts.at(-1)!));
    if (isAnnounced || next.kind === 'code') parts.push(beginningOf(passage, next));
    else if (next.end <= limit) parts.push(wholeBlock(passage, next));
    else if (next.kind === 'paragraph' && next.sentences[0]!.end <= limit)
      parts.push(
        proseOf(
          passage,
          next.sentences.filter(({ end }) => end <= limit),
        ),
      );
    if (parts.at(-1)!.end !== next.end) break;
  }
  return parts;
}

type Paragraph = Extract<Block, { kind: 'paragraph' }>;

function proseOf(passage: PassageText, sentences: readonly Span[], answers: readonly Span[] = []): Part {
  const span = { start: sentences[0]!.start, end: sentences.at(-1)!.end };
  return { ...span, kind: 'paragraph', markdown: marked(passage, span, answers) };
}

/** Without the last sentence if it announces what is not shown, unless it answers. */
function withoutAnnouncement(passage: PassageText, parts: readonly Part[], answer: Span): Part[] {
  const last = parts.at(-1)!;
  const sentences = last.kind === 'paragraph' ? sentencesIn(passage.text, last) : [];
  if (!announces.test(textOf(passage, last)) || sentences.at(-1)?.start === answer.start) return [...parts];
  if (sentences.length <= 1) return parts.slice(0, -1);
  const cut = lengthOf({ start: sentences.at(-2)!.end, end: last.end });
  return [...parts.slice(0, -1), { ...last, end: last.end - cut, markdown: last.markdown.slice(0, -cut) }];
}

/** A list of steps, or a block of code, whole; of other blocks as much as is shown of a list. */
function beginningOf(passage: PassageText, block: Block): Part {
  const limit = block.start + sizeOf(wholeList, passage);
  const leaves = leavesOf(block);
  const isSteps = block.kind === 'list' && block.ordered;
  const last = leaves.findLast(({ end }) => end <= limit) ?? leaves[0];
  return wholeBlock(passage, isSteps || block.kind === 'code' || !last ? block : { ...block, end: last.end });
}

/** Whether a block is a list of steps: numbered, and not as long as the items of minutes. */
function isSteps(passage: PassageText, block: Block): block is List {
  if (block.kind !== 'list' || !block.ordered) return false;
  return sentencesIn(passage.text, block).length <= maxSentencesOfStep * block.items.length;
}

/** Maximum number of sentences of a step, on average. Its number counts as one, too. */
const maxSentencesOfStep = 3;

/** A list of steps, or a short one, whole; of another the item that answers, below those that contain it, and what follows. */
function ofList(
  passage: PassageText,
  blocks: readonly Block[],
  block: List,
  { leaf, isSaid }: Place,
  size: Size,
  question: AskedUnits,
): Part[] {
  const introduction = introductionOf(passage, blocks, block);
  const limit = leaf.start + sizeOf(size, passage);
  const at = Math.max(
    0,
    block.items.findIndex(({ start }) => start === leaf.start),
  );
  const item = block.items[at]!;
  const isOfSteps = isSteps(passage, block);
  const whole = isOfSteps ? wholeList : at === 0 ? size : shownBefore;
  const isWhole = lengthOf(block) <= sizeOf(whole, passage);
  const isMarked = isSaid && block.items.length > 1 && !(isOfSteps && question.asksHow);
  const marks = isMarked ? [bestSentenceOf(passage, { ...item, start: item.contentStart }, question)] : [];
  const partOf = (span: Span): Part => ({
    start: span.start,
    end: span.end,
    kind: 'list',
    markdown: outdented(marked(passage, span, marks)),
  });
  if (!isWhole) {
    const last = block.items.findLast(({ end }) => end <= limit) ?? item;
    const parents = parentsOf(passage, block, at).map((span) => wholeBlock(passage, { ...block, ...span }));
    return [...introduction, ...parents, partOf({ start: item.start, end: Math.max(item.end, last.end) })];
  }
  return withoutAnnouncement(
    passage,
    withNext(passage, blocks, block, [...introduction, partOf(block)], limit),
    item,
  );
}

/** The items that the nested item `at` belongs to, outermost first. */
function parentsOf({ text }: PassageText, { items }: List, at: number): Item[] {
  const indentOf = ({ start, end }: Span) => text.slice(start, end).search(/\S/);
  const parents: Item[] = [];
  let indent = indentOf(items[at]!);
  for (const item of items.slice(0, at).toReversed()) {
    if (indentOf(item) >= indent) continue;
    indent = indentOf(item);
    parents.unshift(item);
  }
  return parents;
}

/** The first words of an item that name what it is about. */
const labelOfItem: Size = { zh: 10, en: 24 };

/** The sentence of an item that says most of the question, except a label before others. */
function bestSentenceOf(passage: PassageText, item: Span, { units, vector }: AskedUnits): Span {
  const sentences = sentencesIn(passage.text, item);
  const [first] = sentences;
  const isLabel = first && sentences.length > 1 && lengthOf(first) <= sizeOf(labelOfItem, passage);
  const scoreOf = (sentence: Span) => scoreOfText(textOf(passage, sentence), units, vector);
  return sentences
    .slice(isLabel ? 1 : 0)
    .reduce((best, one) => (scoreOf(one) > scoreOf(best) ? one : best), sentences[isLabel ? 1 : 0] ?? item);
}

function scoreOfText(text: string, units: readonly CountedUnit[], vector: Float32Array): number {
  return 2 * shareOf(coverageOf(text, units), units) + byMeaning * dot(vector, wordVectors().vectorOf(text));
}

const sentenceMarks = /[。！？…；.!?;:：]+[」』”’）】"')]*$/u;

/** A span of a passage as Markdown with the places in bold. Those with emphasis of their own stay as they are. */
function marked(passage: PassageText, span: Span, places: readonly Span[]): string {
  let [markdown, from] = ['', span.start];
  for (const place of places) {
    const words = textOf(passage, place);
    // Bold that ends in punctuation before a letter is none in CommonMark.
    const bare = words.replace(sentenceMarks, '').replaceAll('**', '');
    const canBeBold = bare.trim() !== '' && bare === bare.trim() && !/[*|]|\n\s*\n|__|\[|^`/.test(bare);
    const shown = canBeBold ? `**${bare}**${sentenceMarks.exec(words)?.[0] ?? ''}` : words;
    markdown += passage.text.slice(from, place.start) + shown;
    from = place.end;
  }
  return markdown + passage.text.slice(from, span.end);
}

/** The rows that say most of the question, best first, adjacent ones together; a short table, and one of which no row says more, whole. */
function rowsOf(
  passage: PassageText,
  table: Table,
  blocks: readonly Block[],
  question: AskedUnits,
): Part[][] {
  const head = headText(passage, table);
  const besides = unitsBesides([passage.heading, passage.place, head], question.units);
  const chosen = rowsThatSay(passage, table, head, { ...question, units: besides });
  const isShort = passage.tableHead === '' && table.rows.length <= maxWholeRows;
  const isWhole = chosen.length === 0 || (isShort && chosen.length > 1);
  const rows = isWhole ? table.rows : chosen;
  const columns = columnsFor(passage, head, rows, question);
  const isNarrowed = columns.shown.length < cellsOf(head).length;
  if (isWhole && !isNarrowed && lengthOf(table) <= sizeOf(wholeList, passage))
    return [[...introductionOf(passage, blocks, table), wholeBlock(passage, table)]];
  const ends = sumsOf(rows.map((row) => lineOf(passage, row, columns).length));
  const fits = Math.max(1, ends.filter((end) => end <= sizeOf(wholeTable, passage)).length);
  const shown = rows.slice(0, fits);
  const groups = adjacent(passage, shown).map((run, at) => [rowPart(passage, head, run, columns, at === 0)]);
  const folded = table.rows.filter((row) => rows.includes(row) && !shown.includes(row));
  if (folded.length > 0) {
    const lines = folded.map((row) => textOf(passage, row).trim());
    groups.at(-1)!.at(-1)!.restOfTable = withHead(head, lines.join('\n'));
  }
  return groups;
}

/** Rows in runs of adjacent ones, in the order of the first row of each. */
function adjacent({ text }: PassageText, rows: readonly Span[]): Span[][] {
  const runs: Span[][] = [];
  for (const row of rows.toSorted((one, other) => one.start - other.start)) {
    const last = runs.at(-1)?.at(-1);
    if (last && text.slice(last.end, row.start).trim() === '') runs.at(-1)!.push(row);
    else runs.push([row]);
  }
  const rankOf = (run: readonly Span[]) => Math.min(...run.map((row) => rows.indexOf(row)));
  return runs.sort((one, other) => rankOf(one) - rankOf(other));
}

function sumsOf(values: readonly number[]): number[] {
  let sum = 0;
  return values.map((value) => {
    sum += value;
    return sum;
  });
}

interface Columns {
  shown: readonly number[];
  asked: readonly number[];
}

/** The columns to show: all of a narrow table, else the row's name, those by which the rows were found, and those that were asked for. */
function columnsFor(
  passage: PassageText,
  head: string,
  rows: readonly Span[],
  { units, vector }: AskedUnits,
): Columns {
  const names = cellsOf(head);
  const widths = rows.map((row) => cellsOf(textOf(passage, row)).length);
  const all = Array.from({ length: Math.max(names.length, ...widths) }, (_, at) => at);
  const named = unitsBesides([head], units);
  const saysAny = (text: string, some: readonly CountedUnit[]) =>
    coverageOf(text, some).some((share, at) => share >= isSaidShare && some[at]!.weight > 0);
  const isNaming = names.map((_, at) =>
    rows.some((row) => saysAny(cellsOf(textOf(passage, row))[at] ?? '', named)),
  );
  const asked = names.flatMap((name, at) =>
    name !== '' && !isNaming[at] && saysAny(name, units) ? [at] : [],
  );
  if (names.length <= maxColumns || asked.length === 0) return { shown: all, asked };
  const isNeeded = (at: number) => at === 0 || isNaming[at] === true || asked.includes(at);
  const nearness = names.map((name) => dot(vector, wordVectors().vectorOf(name)));
  const others = all
    .filter((at) => !isNeeded(at) && nearness[at]! > minNearness)
    .sort((one, other) => nearness[other]! - nearness[one]!)
    .slice(0, Math.max(0, maxChosenColumns - all.filter(isNeeded).length));
  return { shown: all.filter((at) => isNeeded(at) || others.includes(at)), asked };
}

/** Cosine of the question and a column's name from which on it may be asked for. */
const minNearness = 0.2;

const isSaidShare = 0.5;

/** The units of the question that these texts do not say. */
function unitsBesides(texts: readonly string[], units: readonly CountedUnit[]): CountedUnit[] {
  const terms = new Set(allTerms(texts.join('\n')));
  return units.filter((unit) => !unit.terms.some((term) => terms.has(term)));
}

/**
 * The rows that say most of the question, best first, without those that say only a part of what another says; of these those whose
 * intervals fit the amounts of the question best. None if all say as much.
 */
function rowsThatSay(
  passage: PassageText,
  table: Table,
  head: string,
  { units, amounts }: AskedUnits,
): Span[] {
  const scored = table.rows.map((row) => {
    const said = coverageOf(textOf(passage, row), units);
    return { row, said, score: weightOf(said, units) };
  });
  const fits = table.rows.map((row) => intervalFit(amounts, textOf(passage, row), head));
  const bestFit = Math.max(...fits);
  const some = scored.filter((_, at) => fits[at] === bestFit);
  const top = Math.max(...some.map(({ score }) => score));
  const most = Math.max(...units.map(({ weight }) => weight), 0);
  const isNamed = ({ score }: { score: number }) => score > 0 && score >= top * 0.75 && score >= most * 0.6;
  const chosen = some.filter((one) => isNamed(one) || (bestFit > 0 && top === 0));
  const saysAll = (one: Coverage, other: Coverage) => other.every((share, at) => one[at]! >= share);
  const best = chosen.filter(
    ({ said, score }) => !chosen.some((other) => other.score > score && saysAll(other.said, said)),
  );
  if (best.length === table.rows.length && best.length > 1) return [];
  return best.sort((one, other) => other.score - one.score).map(({ row }) => row);
}

/** The shown cells of a row, those that were asked for in bold. */
function lineOf(passage: PassageText, row: Span, { shown, asked }: Columns): string {
  const cells = cellsOf(textOf(passage, row));
  const cellAt = (at: number) => {
    const cell = cells[at] ?? '';
    return asked.includes(at) && cell !== '' && !/[*_`\\[]/.test(cell) ? `**${cell}**` : cell;
  };
  return `| ${shown.map(cellAt).join(' | ')} |`;
}

/** Adjacent rows of a table. */
function rowPart(
  passage: PassageText,
  head: string,
  rows: readonly Span[],
  columns: Columns,
  isFirst: boolean,
): Part {
  const names = cellsOf(head);
  const lines = rows.map((row) => lineOf(passage, row, columns)).join('\n');
  const top = head && `| ${columns.shown.map((at) => names[at] ?? '').join(' | ')} |`;
  const rests = rows.flatMap((row) => {
    const cells = cellsOf(textOf(passage, row));
    const others = cells.flatMap((cell, at) =>
      columns.shown.includes(at) || cell === '' ? [] : [`${names[at] ?? ''} ${cell}`.trim()],
    );
    const [first] = rows.length > 1 ? cells : [];
    return others.length > 0 ? [[first, ...others].filter(Boolean).join(' · ')] : [];
  });
  return {
    start: trimPipes(passage.text, rows[0]!).start,
    end: trimPipes(passage.text, rows.at(-1)!).end,
    kind: 'table',
    isRow: true,
    markdown: isFirst ? withHead(top, lines) : lines,
    ...(rests.length > 0 ? { restOfRow: withoutOwnMarks(rests.join('\n\n')) } : {}),
  };
}

/** Rows of a table below their header row, if there is one. */
function withHead(head: string, rows: string): string {
  return head === '' ? rows : `${head}\n|${'---|'.repeat(cellsOf(head).length)}\n${rows}`;
}

/** The header row of a table; that of the passage if the text begins within it. */
function headText(passage: PassageText, table?: Table): string {
  const own = table ?? structureOf(passage.text).find((block): block is Table => block.kind === 'table');
  return (own?.head ? textOf(passage, own.head) : passage.tableHead).trim();
}

function trimPipes(text: string, row: Span): Span {
  const line = text.slice(row.start, row.end);
  const inner = line.replace(/^[\s|]+|[\s|]+$/g, '');
  const start = row.start + line.indexOf(inner);
  return { start, end: start + inner.length };
}

function wholeBlock(passage: PassageText, block: Block): Part {
  const { start, end, kind } = block;
  const markdown = outdented(passage.text.slice(start, end));
  const beginsInside = kind === 'table' && (block.head?.start ?? -1) < start;
  return {
    start,
    end,
    kind,
    markdown: beginsInside ? withHead(headText(passage, block), markdown) : markdown,
  };
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
  return sentence && introduces.test(textOf(passage, sentence))
    ? [{ ...sentence, kind: 'paragraph', markdown: textOf(passage, sentence) }]
    : [];
}

/** Joins the parts of a group and puts its citation mark after the last part that is no code. */
function cite(
  passage: PassageText,
  parts: readonly Part[],
  units: readonly CountedUnit[],
  citations: Citation[],
  rest: string,
): string {
  const restOfRow = parts.map((part) => part.restOfRow ?? '').join('');
  const restOfSection = [...parts.map((part) => part.restOfTable), rest].filter(Boolean).join('\n\n');
  citations.push({
    ...citationOf(passage, quoteOf(passage, parts, units)),
    ...(restOfRow ? { restOfRow } : {}),
    ...(restOfSection ? { restOfSection } : {}),
  });
  const mark = `[${citations.length}]`;
  const at = parts.findLastIndex(({ kind }) => kind !== 'code');
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
  if (isUnbroken && lengthOf(whole) <= maxQuoteLength) return whole;
  const leaves = parts.flatMap((part) => {
    const text = textOf(passage, part);
    return structureOf(text)
      .flatMap(leavesOf)
      .map(({ start, end }) => ({
        start: part.start + start,
        end: part.start + end,
        score: weightSaid(text.slice(start, end), units),
      }));
  });
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
  /** Share of the question that it says alone. */
  share: number;
  /** Whether it says anything of the question. */
  isSaid: boolean;
  /** How well an interval that it states fits an amount of the question, 0–1. */
  fit: number;
}

const byFit = 1;
const fromNeighbour = 0.5;
const byMeaning = 2;

/**
 * The places of a passage by how much of the question they say, alone and with the sentence before, and how near they are in meaning, the best
 * first; of equals the earlier one.
 */
function rankPlaces(
  passage: PassageText,
  blocks: readonly Block[],
  { units, vector, amounts }: AskedUnits,
): Place[] {
  const hasVector = vector.some((one) => one !== 0);
  let before: number[] = [];
  const places = blocks.flatMap((block) => {
    const columns = block.kind === 'table' ? headText(passage, block) : '';
    return leavesOf(block).map((leaf): Place => {
      const words = `${textOf(passage, leaf)}\n${columns}`;
      const said = coverageOf(words, units);
      const near = before;
      before = said;
      const inContext = said.map((share, at) => Math.max(share, fromNeighbour * (near[at] ?? 0)));
      const cosine = hasVector ? dot(vector, wordVectors().vectorOf(words)) : 0;
      const share = shareOf(said, units);
      const fit = intervalFit(amounts, textOf(passage, leaf), columns);
      return {
        block,
        leaf,
        share,
        score: share + shareOf(inContext, units) + byMeaning * cosine + byFit * fit,
        isSaid: fit > 0 || said.some((share) => share >= isSaidShare),
        fit,
      };
    });
  });
  return places.sort((one, other) => other.score - one.score);
}
