import { dot, wordVectors } from '../embeddings/word-vectors.ts';
import type { KnowledgePassage } from '../index/passage.ts';
import {
  areClauses,
  type Block,
  filterLeaves,
  type Item,
  leavesOf,
  type Span,
  sentencesIn,
} from '../index/structure.ts';
import { type AskedUnits, byMeaning, type Place, rankPlaces, textOf } from '../retrieve/places.ts';
import { coverageOf, shareOf } from '../retrieve/rank.ts';
import {
  type Excerpt,
  gainOf,
  introductionOf,
  lengthOf,
  outdented,
  type Part,
  type Size,
  sizeOf,
  wholeBlock,
  wholeList,
} from './part.ts';
import { rowsOf } from './rows-of.ts';

type List = Extract<Block, { kind: 'list' }>;

/** Maximum length of what is shown before the sentence or item that answers. */
const shownBefore: Size = { zh: 120, en: 240 };

/** Chooses the parts of a passage to show, in groups of adjacent parts with one citation each. */
export function partsOf(excerpt: Excerpt, size: Size): Part[][] {
  const { passage, blocks, question } = excerpt;
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
  if (best.block.kind === 'table') return rowsOf(excerpt, best.block);
  const shown = [around(excerpt, best, size)];
  // A question for several things may be answered in several places.
  for (const place of places) {
    if (shown.length === maxPlaces) break;
    if (place.block.kind === 'table' || isWithin(place.leaf, shown.flat())) continue;
    const names = question.asksSeveral ? [] : [passage.title, passage.place];
    const known = [...names, ...shown.flat().map((part) => textOf(passage, part))];
    const said = coverageOf(textOf(passage, place.leaf), question.units);
    const gain = gainOf(said, coverageOf(known.join('\n'), question.units), question.units);
    if (gain < minGainOfPlace) continue;
    const rest = blocks.flatMap((block) => filterLeaves(block, (leaf) => !isWithin(leaf, shown.flat())));
    shown.push(around({ ...excerpt, blocks: rest }, place, { en: 0 }));
  }
  return shown;
}

const maxPlaces = 3;

/** Share of the question that a further place of a passage must add. */
const minGainOfPlace = 0.12;

const isWithin = (leaf: Span, shown: readonly Part[]) =>
  shown.some(({ start, end }) => leaf.start < end && start < leaf.end);

/** A place with what is needed to understand it, and with what follows within `size`. */
function around(excerpt: Excerpt, place: Place, size: Size): Part[] {
  const { leaf } = place;
  const block =
    excerpt.blocks.find(({ start, end }) => start <= leaf.start && leaf.end <= end) ?? place.block;
  if (block.kind === 'paragraph') return fromSentence(excerpt, block, place, size);
  if (block.kind === 'list') return ofList(excerpt, block, place, size);
  return [...introductionOf(excerpt, block), wholeBlock(excerpt.passage, block)];
}

/** Share of the answer's score from which on the sentence before it is shown too. */
const rivalShare = 0.7;

const refersBack =
  /^(?:这|它|因此|所以|否则|反之|但|不过|同时|此时|此后|之后|届时|其中|这样|That|This|These|Those|It|They|So|Otherwise|But|However|Then|Afterwards|After that)/;

/** A sentence that the next one continues. */
const isOpen = /[；;]\s*$/;

/** A sentence that announces a list or code. */
const announces = /[：:]\s*$/;

/** A sentence with those that it refers back to, and with what follows within `size`. */
function fromSentence(excerpt: Excerpt, block: Paragraph, { leaf, isSaid }: Place, size: Size): Part[] {
  const { passage, question } = excerpt;
  const { sentences } = block;
  const at = indexOfLeaf(sentences, leaf);
  const answer = sentences[at]!;
  const score = scoreOfText(textOf(passage, answer), question);
  const isNeeded = (before: Span) =>
    answer.end - before.start <= sizeOf(shownBefore, passage) &&
    (isOpen.test(textOf(passage, before)) ||
      scoreOfText(textOf(passage, before), question) >= rivalShare * score);
  let first = at;
  while (first > 0 && refersBack.test(textOf(passage, sentences[first]!))) first -= 1;
  while (first > 0 && isNeeded(sentences[first - 1]!)) first -= 1;
  const limit = answer.start + sizeOf(size, passage);
  const shown = [answer, ...sentences.slice(at + 1).filter(({ end }) => end <= limit)];
  const parts = [proseOf(passage, [...sentences.slice(first, at), ...shown], isSaid ? [answer] : [])];
  const isWhole = shown.at(-1) === sentences.at(-1);
  return withoutAnnouncement(passage, isWhole ? withNext(excerpt, block, parts, limit) : parts, answer);
}

const indexOfLeaf = (leaves: readonly Span[], leaf: Span) =>
  Math.max(
    0,
    leaves.findIndex(({ start }) => start === leaf.start),
  );

/** Adds to parts that end with `block` what follows up to `limit`, and what they announce. */
function withNext(
  { passage, blocks }: Excerpt,
  block: Block,
  before: readonly Part[],
  limit: number,
): Part[] {
  const parts = [...before];
  for (const next of blocks.slice(blocks.indexOf(block) + 1)) {
    const isAnnounced = announces.test(textOf(passage, parts.at(-1)!));
    if (isAnnounced || next.kind === 'code') parts.push(beginningOf(passage, next));
    else if (next.end <= limit) parts.push(wholeBlock(passage, next));
    else if (next.kind === 'paragraph' && next.sentences[0]!.end <= limit) {
      const fitting = next.sentences.filter(({ end }) => end <= limit);
      parts.push(proseOf(passage, fitting));
    }
    if (parts.at(-1)!.end !== next.end) break;
  }
  return parts;
}

type Paragraph = Extract<Block, { kind: 'paragraph' }>;

function proseOf(passage: KnowledgePassage, sentences: readonly Span[], answers: readonly Span[] = []): Part {
  const span = { start: sentences[0]!.start, end: sentences.at(-1)!.end };
  return { ...span, kind: 'paragraph', markdown: marked(passage, span, answers) };
}

/** Removes the last sentence if it announces what is not shown, unless it is the answer. */
function withoutAnnouncement(passage: KnowledgePassage, parts: readonly Part[], answer: Span): Part[] {
  const last = parts.at(-1)!;
  const sentences = last.kind === 'paragraph' ? sentencesIn(passage.text, last) : [];
  if (!announces.test(textOf(passage, last)) || sentences.at(-1)?.start === answer.start) return [...parts];
  if (sentences.length <= 1) return parts.slice(0, -1);
  const cut = lengthOf({ start: sentences.at(-2)!.end, end: last.end });
  return [...parts.slice(0, -1), { ...last, end: last.end - cut, markdown: last.markdown.slice(0, -cut) }];
}

/** Lists of steps and code whole; of other blocks as much as the maximum length of a list. */
function beginningOf(passage: KnowledgePassage, block: Block): Part {
  const limit = block.start + sizeOf(wholeList, passage);
  const leaves = leavesOf(block);
  const isSteps = block.kind === 'list' && block.ordered;
  const last = leaves.findLast(({ end }) => end <= limit) ?? leaves[0];
  return wholeBlock(passage, isSteps || block.kind === 'code' || !last ? block : { ...block, end: last.end });
}

/** Whether a block is a list of steps: numbered, and no clauses. */
function isSteps(passage: KnowledgePassage, block: Block): block is List {
  return block.kind === 'list' && block.ordered && !areClauses(passage.text, block);
}

/**
 * Lists of steps and short lists whole; of others the item that answers, with its parents and what follows.
 */
function ofList(excerpt: Excerpt, block: List, { leaf, isSaid }: Place, size: Size): Part[] {
  const { passage, question } = excerpt;
  const introduction = introductionOf(excerpt, block);
  const limit = leaf.start + sizeOf(size, passage);
  const at = indexOfLeaf(block.items, leaf);
  const item = block.items[at]!;
  const isOfSteps = isSteps(passage, block);
  const whole = isOfSteps ? wholeList : at === 0 ? size : shownBefore;
  const isWhole = lengthOf(block) <= sizeOf(whole, passage);
  const isSeveral = block.items.length > 1 || areClauses(passage.text, block);
  const isMarked = isSaid && isSeveral && !(isOfSteps && question.asksHow);
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
  const parts = withNext(excerpt, block, [...introduction, partOf(block)], limit);
  return withoutAnnouncement(passage, parts, item);
}

/** The items that the nested item `at` belongs to, outermost first. */
function parentsOf({ text }: KnowledgePassage, { items }: List, at: number): Item[] {
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

/** Maximum length of a label, the first words of an item that name its subject. */
const labelOfItem: Size = { zh: 10, en: 24 };

/** The sentence of an item that says most of the question, except a label. */
function bestSentenceOf(passage: KnowledgePassage, item: Span, question: AskedUnits): Span {
  const all = sentencesIn(passage.text, item);
  const isLabel = all.length > 1 && lengthOf(all[0]!) <= sizeOf(labelOfItem, passage);
  const sentences = isLabel ? all.slice(1) : all;
  const scoreOf = (sentence: Span) => scoreOfText(textOf(passage, sentence), question);
  return sentences.reduce((best, one) => (scoreOf(one) > scoreOf(best) ? one : best), sentences[0] ?? item);
}

function scoreOfText(text: string, { units, vector }: AskedUnits): number {
  return 2 * shareOf(coverageOf(text, units), units) + byMeaning * dot(vector, wordVectors().vectorOf(text));
}

const sentenceMarks = /[。！？…；.!?;:：]+[」』”’）】"')]*$/u;

/** A span of a passage as Markdown, with these places in bold unless they contain emphasis or marks. */
function marked(passage: KnowledgePassage, span: Span, places: readonly Span[]): string {
  let [markdown, from] = ['', span.start];
  for (const place of places) {
    const words = textOf(passage, place);
    // In CommonMark, `**` after punctuation and before a letter does not end bold text.
    const bare = words.replace(sentenceMarks, '').replaceAll('**', '');
    const canBeBold = bare.trim() !== '' && bare === bare.trim() && !/[*|]|\n\s*\n|__|\[|^`/.test(bare);
    const shown = canBeBold ? `**${bare}**${sentenceMarks.exec(words)?.[0] ?? ''}` : words;
    markdown += passage.text.slice(from, place.start) + shown;
    from = place.end;
  }
  return markdown + passage.text.slice(from, span.end);
}
