import type { CountedUnit } from './find-candidates.ts';
import type { KnowledgePassage } from './passage.ts';
import { type RatedPassage, weigh } from './rank.ts';
import { leavesOf, structureOf } from './structure.ts';
import { termSetOf } from './term-sets.ts';

/** A passage whose text was read. */
export interface ReadPassage extends RatedPassage {
  passage: KnowledgePassage;
  /** Share of the question that its best sentence, item or row says together with its neighbour and the headings. */
  closeness: number;
  /** Share of the question that a single sentence, item or row says alone. */
  pointed: number;
  /** How far its best place says each unit, with the neighbours and the headings, which count less. */
  place: number[];
}

const aside = 0.8;
const behind = 0.7;
const aboveAlone = 0.7;

/**
 * Reads a passage for the sentence, item or row that says most of the question: one that says all of it in one place goes before one that
 * has the words here and there. Pure.
 */
export function readClosely(
  rated: RatedPassage,
  passage: KnowledgePassage,
  units: readonly CountedUnit[],
): ReadPassage {
  const { text, tableHead } = passage;
  const whole = units.reduce((sum, { weight }) => sum + weight, 0) || 1;
  const blocks = structureOf(text);
  const columns = blocks.map((block) =>
    block.kind === 'table' && block.head ? text.slice(block.head.start, block.head.end) : '',
  );
  const inColumns = parseQuestion([tableHead, ...columns].join('\n'), units);
  const above = rated.above.map((share, at) => Math.max(share, inColumns[at]!));
  const said = blocks.flatMap(leavesOf).map(({ start, end }) => parseQuestion(text.slice(start, end), units));
  const nothing = units.map(() => 0);
  let closeness = (weigh(above, units) / whole) * aboveAlone;
  let pointed = 0;
  let best = { sum: -1, place: above.map((share) => share * aboveAlone) };
  for (const [at, alone] of said.entries()) {
    const before = said[at - 1] ?? nothing;
    const after = said[at + 1] ?? nothing;
    const led = alone.map((share, unit) => Math.max(share, aside * before[unit]!, aside * above[unit]!));
    const place = led.map((share, unit) => Math.max(share, behind * after[unit]!));
    pointed = Math.max(pointed, weigh(alone, units) / whole);
    closeness = Math.max(closeness, weigh(led, units) / whole);
    const sum = weigh(place, units);
    if (sum > best.sum) best = { sum, place };
  }
  return {
    ...rated,
    passage,
    closeness,
    pointed,
    place: best.place,
  };
}

/** How far each unit is said in a text, 0–1. */
export function parseQuestion(text: string, units: readonly CountedUnit[]): number[] {
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
