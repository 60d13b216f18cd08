import { fold } from '../../text/fold.ts';
import { dot, wordVectors } from '../embeddings/word-vectors.ts';
import type { KnowledgePassage } from '../index/passage.ts';
import { type Block, leavesOf, type Span, structureOf } from '../index/structure.ts';
import type { CountedUnit } from './find-candidates.ts';
import { type Amount, amountsIn, intervalFit } from './intervals.ts';
import { coverageOf, shareOf, weightOf } from './rank.ts';

/** What ranking and extraction read of a passage. */
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

export type Table = Extract<Block, { kind: 'table' }>;

export function blocksOf({ text }: PassageText): Block[] {
  return structureOf(text);
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

/** The units of a question, its vector and amounts, whether it asks for steps, and whether for several things. */
export interface AskedUnits {
  units: readonly CountedUnit[];
  vector: Float32Array;
  amounts: readonly Amount[];
  asksHow: boolean;
  asksSeveral: boolean;
}

export function askedUnits(units: readonly CountedUnit[], asked: string): AskedUnits {
  return {
    units,
    vector: wordVectors().vectorOf(asked),
    amounts: amountsIn(asked),
    asksHow: asksHow.test(fold(asked)),
    asksSeveral: asksSeveral(asked),
  };
}

const asksHow = /怎[么样]|如何|步骤|流程|\bhow (?:do|can|to|should|would|does)\b|\b(?:steps|procedure)\b/u;

const severalClauses =
  /[,;?。]\s*[^\d\s]|\band (?:who|what|when|where|which|how|why|is|are|can|do|does|did|will)\b/u;

/** Whether a question has several clauses, which may ask for several things. */
export const asksSeveral = (asked: string): boolean => severalClauses.test(fold(asked));

export const textOf = ({ text }: PassageText, { start, end }: Span) => text.slice(start, end);

/** Share of a word from which on it counts as said. */
export const isSaidShare = 0.5;

/** The header row of a table; that of the passage if the text begins within it. */
export function headText(passage: PassageText, table?: Table): string {
  const own = table ?? structureOf(passage.text).find((block): block is Table => block.kind === 'table');
  return (own?.head ? textOf(passage, own.head) : passage.tableHead).trim();
}

/** Weight of the units that a text says. */
export function weightSaid(text: string, units: readonly CountedUnit[]): number {
  return weightOf(coverageOf(text, units), units);
}

/** A sentence, item, row or piece of code, with its block. */
export interface Place {
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

export const byMeaning = 2;

/**
 * The places of a passage by how much of the question they say, alone and with the sentence before, and how near they are in meaning, the best
 * first; of equals the earlier one.
 */
export function rankPlaces(
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
