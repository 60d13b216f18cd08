import type { KnowledgePassage } from '../index/passage.ts';
import { leavesOf, structureOf } from '../index/structure.ts';
import type { CountedUnit } from './find-candidates.ts';
import { type Amount, intervalFit } from './intervals.ts';
import { coverageOf, type RatedPassage, shareOf } from './rank.ts';

/** A rated passage with its text. */
export interface ReadPassage extends RatedPassage {
  passage: KnowledgePassage;
  /** Largest share of the question in a place together with the one before it and the headings, 0–1. */
  bestInContext: number;
  /** Largest share of the question in a sentence, item or row alone, 0–1. */
  bestAlone: number;
  /** How well an interval in the passage fits an amount of the question, 0–1; see `intervalFit`. */
  fit: number;
}

/** Factors for what the place before and the headings contain, and for the headings without any place. */
const fromContext = 0.8;
const fromHeadingsAlone = 0.7;

/**
 * Rates the sentences, items and rows of a passage: one with all words of the question in one place is better
 * than one with the same words in different places. Pure.
 */
export function readClosely(
  rated: RatedPassage,
  passage: KnowledgePassage,
  units: readonly CountedUnit[],
  amounts: readonly Amount[],
): ReadPassage {
  const { text, tableHead } = passage;
  const blocks = structureOf(text);
  const columns = blocks.map((block) =>
    block.kind === 'table' && block.head ? text.slice(block.head.start, block.head.end) : '',
  );
  const inColumns = coverageOf([tableHead, ...columns].join('\n'), units);
  const above = rated.inHeadings.map((share, at) => Math.max(share, inColumns[at]!));
  const fits = (amounts.length === 0 ? [] : blocks).flatMap((block, at) => {
    const names = block.kind === 'table' ? columns[at] || tableHead : '';
    return leavesOf(block).map(({ start, end }) => intervalFit(amounts, text.slice(start, end), names));
  });
  let [bestInContext, bestAlone] = [fromHeadingsAlone * shareOf(above, units), 0];
  let before: readonly number[] = [];
  for (const block of blocks)
    for (const { start, end } of leavesOf(block)) {
      const alone = coverageOf(text.slice(start, end), units);
      const inContext = alone.map((share, at) =>
        Math.max(share, fromContext * Math.max(before[at] ?? 0, above[at]!)),
      );
      bestAlone = Math.max(bestAlone, shareOf(alone, units));
      bestInContext = Math.max(bestInContext, shareOf(inContext, units));
      before = alone;
    }
  return { ...rated, passage, bestInContext, bestAlone, fit: Math.max(0, ...fits) };
}
