import { fold } from '../../text/fold.ts';
import { dot, wordVectors } from '../embeddings/word-vectors.ts';
import type { KnowledgePassage } from '../index/passage.ts';
import { type Block, leavesOf, type Span, structureOf } from '../index/structure.ts';
import type { CountedUnit } from './find-candidates.ts';
import { amountsIn, intervalFit } from './intervals.ts';
import { coverageOf, minSaid, shareOf, weightOf } from './rank.ts';
import { siblingFinder } from './siblings.ts';

export type Table = Extract<Block, { kind: 'table' }>;

/** The best place of a passage for a question: its `own` text, for a row also with column names, and `fit`. */
export function bestPlaceOf(passage: KnowledgePassage, units: readonly CountedUnit[], asked: string) {
  const [best] = rankPlaces(passage, structureOf(passage.text), askedUnits(units, asked));
  if (!best) return { text: '', own: '', isRow: false, fit: 0 };
  const { block, leaf, fit } = best;
  const isRow = block.kind === 'table';
  const own = textOf(passage, leaf);
  return { text: `${own}\n${isRow ? headText(passage, block) : ''}`, own, isRow, fit };
}

/** What is compared with the places of a passage. */
export type AskedUnits = ReturnType<typeof askedUnits>;

/** The units, vector and amounts of a question, whether it asks for steps, and for several things. */
export function askedUnits(units: readonly CountedUnit[], asked: string) {
  return {
    units,
    vector: wordVectors().vectorOf(asked),
    amounts: amountsIn(asked),
    saysSibling: siblingFinder(asked).saysSibling,
    asksHow: asksHow.test(fold(asked)),
    asksSeveral: asksSeveral(asked),
  };
}

const asksHow = /怎[么样]|如何|步骤|流程|\bhow (?:do|can|to|should|would|does)\b|\b(?:steps|procedure)\b/u;

const severalClauses =
  /[,;?。]\s*[^\d\s]|\band (?:who|what|when|where|which|how|why|is|are|can|do|does|did|will)\b/u;

/** Whether a question has several clauses, which may ask for several things. */
export const asksSeveral = (asked: string): boolean => severalClauses.test(fold(asked));

export const textOf = ({ text }: KnowledgePassage, { start, end }: Span) => text.slice(start, end);

/** All that is indexed of a passage: title, headings, ways to ask for it, column names and text. */
export function wholeText({ title, place, ways, tableHead, text }: KnowledgePassage): string {
  return [title, place, ...ways, tableHead, text].join('\n');
}

/** The header row of a table, by default the first one; `tableHead` if the passage begins within it. */
export function headText(passage: KnowledgePassage, table?: Table): string {
  const own = table ?? structureOf(passage.text).find((block): block is Table => block.kind === 'table');
  return (own?.head ? textOf(passage, own.head) : passage.tableHead).trim();
}

/** The sum of the units' weights, each multiplied by its coverage by the text. */
export function weightSaid(text: string, units: readonly CountedUnit[]): number {
  return weightOf(coverageOf(text, units), units);
}

/** A sentence, item, row or piece of code, with its block. */
export interface Place {
  block: Block;
  leaf: Span;
  /** Its text; of a row with the column names. */
  words: string;
  score: number;
  /** Cosine with the question. */
  cosine: number;
  /** Share of the question that it contains by itself, 0–1. */
  share: number;
  /** Whether it says a unit of the question, or contains an interval that fits. */
  isSaid: boolean;
  /** How well an interval that it states fits an amount of the question, 0–1; see `intervalFit`. */
  fit: number;
}

/** Weights in a place's score, compared with the shares of the question that it contains. */
const byFit = 1;
export const byMeaning = 2;
const lossOfSibling = 0.5;
/** Factor for what the place before contains. */
const fromNeighbour = 0.5;

/**
 * Ranks the places of a passage, best first, equal ones in their order. The score is the sum of the shares of
 * the question that a place contains alone and together with the place before, its cosine with the question,
 * and `fit`, less if it says a sibling of what was asked for.
 */
export function rankPlaces(
  passage: KnowledgePassage,
  blocks: readonly Block[],
  { units, vector, amounts, saysSibling }: AskedUnits,
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
      const loss = saysSibling(textOf(passage, leaf)) ? lossOfSibling : 0;
      return {
        block,
        leaf,
        words,
        cosine,
        share,
        score: share + shareOf(inContext, units) + byMeaning * cosine + byFit * fit - loss,
        isSaid: fit > 0 || said.some((share) => share >= minSaid),
        fit,
      };
    });
  });
  return places.sort((one, other) => other.score - one.score);
}
