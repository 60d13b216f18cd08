import { dot, wordVectors } from '../embeddings/word-vectors.ts';
import { type Block, filterLeaves, type Item, leavesOf, type Span, sentencesIn } from '../index/structure.ts';
import type { CountedUnit } from '../retrieve/find-candidates.ts';
import {
  type AskedUnits,
  byMeaning,
  type PassageText,
  type Place,
  rankPlaces,
  textOf,
} from '../retrieve/places.ts';
import { coverageOf, shareOf } from '../retrieve/rank.ts';
import {
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

/** What is shown before the sentence or item that answers. */
const shownBefore: Size = { zh: 120, en: 240 };

/** Groups of adjacent parts; each group gets one citation. */
export function partsOf(
  passage: PassageText,
  blocks: readonly Block[],
  question: AskedUnits,
  size: Size,
): Part[][] {
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
    const names = question.asksSeveral ? [] : [passage.title, passage.place];
    const known = [...names, ...shown.flat().map((part) => textOf(passage, part))];
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
