import type { KnowledgePassage } from '../models/passage.ts';
import type { AnalysedQuestion } from './analyse-question.ts';
import type { CountedUnit } from './find-candidates.ts';
import { wayLikeness } from './prefer-alike.ts';
import type { RankedPassage } from './rank.ts';
import { type Block, type Span, structureOf } from './structure.ts';
import { termSetOf } from './term-sets.ts';

/** A passage whose words were read. */
export interface ReadPassage extends RankedPassage {
  passage: KnowledgePassage;
  /** What ranking by terms alone gave it. */
  rough: number;
  /** How alike the question and the nearest single way to ask for the passage are, 0–1, more when word for word. */
  likeness: number;
  /** Share of the question that the sentence, item or row that says most of it says together with its neighbour and the headings. */
  closeness: number;
  /** Share of the question that that sentence says alone. */
  pointed: number;
  place: BestPlace;
}

/** The sentence, item or row that says most of the question, and how far it says each unit, 0–1. */
export interface BestPlace {
  /** Alone. */
  alone: number[];
  /** With its neighbours and the headings, which count less. */
  said: number[];
  sentence: string;
  /** The sentence between its neighbours. */
  around: string;
}

/**
 * Reads passages and orders them by how closely they say what is asked: a passage whose one sentence says it goes before one that has the
 * words here and there, and so does one that is asked for in nearly the same words. Pure.
 */
export function readClosely(
  text: string,
  question: AnalysedQuestion,
  units: readonly CountedUnit[],
  ranked: readonly RankedPassage[],
  passages: ReadonlyMap<string, KnowledgePassage>,
): ReadPassage[] {
  const whole = units.reduce((sum, { weight }) => sum + weight, 0) || 1;
  return ranked
    .flatMap((one) => {
      const passage = passages.get(one.candidate._id);
      if (!passage) return [];
      const likeness = wayLikeness(passage, text, units, whole, question);
      const close = closenessOf(passage, units, whole);
      const read = { ...one, passage, rough: one.score, likeness, ...close };
      return [{ ...read, score: scoreOf(read) }];
    })
    .sort((one, other) => other.score - one.score);
}

/** Chosen on the tuning set, see README.md. */
const factors = { close: 0.68, pointed: 0.35, like: 1.3, likeFrom: 0.25 };

/** The question is a way to ask for the passage, word for word. */
const wordForWord = 4;

function scoreOf({ rough, likeness, closeness, pointed }: ReadPassage): number {
  const { close, pointed: point, like, likeFrom } = factors;
  return (
    rough *
    (close * closeness + point * pointed + like * Math.max(0, likeness - likeFrom)) *
    (likeness > 1 ? wordForWord : 1)
  );
}

function closenessOf(
  { text, heading, place, title, tableHead }: KnowledgePassage,
  units: readonly CountedUnit[],
  whole: number,
) {
  const blocks = structureOf(text);
  const columns = blocks.map((block) =>
    block.kind === 'table' && block.head ? text.slice(block.head.start, block.head.end) : '',
  );
  const above = saidIn([title, place, heading, tableHead, ...columns].join('\n'), units);
  const leaves = leavesOf(blocks);
  const said = leaves.map(({ start, end }) => saidIn(text.slice(start, end), units));
  const nothing = units.map(() => 0);
  let [closeness, pointed] = [(sumOf(above, units) / whole) * aboveAlone, 0];
  let best = { at: 0, sum: -1, said: nothing };
  for (const [at, alone] of said.entries()) {
    pointed = Math.max(pointed, sumOf(alone, units) / whole);
    const before = said[at - 1] ?? nothing;
    const led = alone.map((share, unit) => Math.max(share, aside * before[unit]!, aside * above[unit]!));
    closeness = Math.max(closeness, sumOf(led, units) / whole);
    const after = said[at + 1] ?? nothing;
    const together = led.map((share, unit) => Math.max(share, behind * after[unit]!));
    const sum = sumOf(together, units);
    if (sum > best.sum) best = { at, sum, said: together };
  }
  const textOf = (from: number, to: number) =>
    text.slice(leaves[from]?.start ?? 0, leaves[Math.min(to, leaves.length - 1)]?.end ?? 0);
  const bestPlace: BestPlace = {
    alone: said[best.at] ?? nothing,
    said: best.said,
    sentence: textOf(best.at, best.at),
    around: textOf(Math.max(0, best.at - 1), best.at + 1),
  };
  return { closeness, pointed, place: bestPlace };
}

const aside = 0.8;
const behind = 0.7;
const aboveAlone = 0.7;

function sumOf(said: readonly number[], units: readonly CountedUnit[]): number {
  return units.reduce((sum, { weight }, at) => sum + weight * said[at]!, 0);
}

/** How far each unit is said in a text, 0–1. */
function saidIn(text: string, units: readonly CountedUnit[]): number[] {
  const terms = termSetOf(text);
  return units.map(({ groups }) =>
    Math.max(
      ...groups.map(
        (group) =>
          (group.strength * group.terms.filter((term) => terms.has(term)).length) / group.terms.length,
      ),
    ),
  );
}

export function leavesOf(blocks: readonly Block[]): Span[] {
  return blocks.flatMap((block): readonly Span[] => {
    if (block.kind === 'paragraph') return block.sentences;
    if (block.kind === 'list') return block.items;
    return block.kind === 'table' && block.rows.length > 0 ? block.rows : [block];
  });
}
