import type { KnowledgeModels } from '../models/knowledge-models.ts';
import { termCountId } from '../models/term-count.ts';
import type { CountedUnit } from './find-candidates.ts';

const mostMended = 3;
const mostLooked = 300;
const shortest = 5;
/** A guess counts less than a word that is there. */
const guessShare = 0.7;

/**
 * Gives Latin words that the knowledge base never says the nearest word that it does say, when that is one slip away (two from
 * nine letters on) and begins with the same two letters. Looks through at most 300 neighbours in the alphabet a word, for three
 * words.
 */
export async function mendTypos(
  models: Pick<KnowledgeModels, 'termCounts'>,
  units: readonly CountedUnit[],
  total: number,
  scopes: readonly string[],
): Promise<CountedUnit[]> {
  const unknown = units.filter((unit) => unit.passages === 0 && isMendable(unit)).slice(0, mostMended);
  const mended = new Map<CountedUnit, CountedUnit>();
  for (const unit of unknown) {
    const word = unit.terms[0]!;
    const near = (
      await Promise.all(scopes.map((scope) => neighboursOf(models, scope, word.slice(0, 2))))
    ).flat();
    const best = near
      .filter(({ term }) => slips(word, term) <= (word.length >= 9 ? 2 : 1))
      .sort((one, other) => other.passages - one.passages)[0];
    if (best === undefined) continue;
    const rare = Math.log(1 + (total - best.passages + 0.5) / (best.passages + 0.5));
    mended.set(unit, {
      ...unit,
      terms: [best.term],
      passages: best.passages,
      weight: guessShare * unit.share * rare,
    });
  }
  return units.map((unit) => mended.get(unit) ?? unit);
}

function isMendable(unit: CountedUnit): boolean {
  return unit.terms.length === 1 && unit.terms[0]!.length >= shortest && /^[a-z]+$/.test(unit.terms[0]!);
}

async function neighboursOf(models: Pick<KnowledgeModels, 'termCounts'>, scope: string, beginning: string) {
  const from = termCountId(scope, beginning);
  const rows = await models.termCounts
    .find({ _id: { $gte: from, $lt: `${from}\u{ffff}` } })
    .limit(mostLooked)
    .lean();
  return rows.map(({ _id, passages }) => ({ term: _id.slice(scope.length + 1), passages }));
}

/** Damerau's distance (letters added, lost, changed, or neighbours swapped), 3 for anything further apart than 2. */
export function slips(one: string, other: string): number {
  if (Math.abs(one.length - other.length) > 2) return 3;
  let beforeLast: number[] = [];
  let last = Array.from({ length: other.length + 1 }, (_, column) => column);
  for (let row = 1; row <= one.length; row += 1) {
    const now = [row];
    for (let column = 1; column <= other.length; column += 1) {
      const isSame = one[row - 1] === other[column - 1];
      let least = Math.min(last[column]! + 1, now[column - 1]! + 1, last[column - 1]! + (isSame ? 0 : 1));
      const isSwap =
        row > 1 && column > 1 && one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      if (isSwap) least = Math.min(least, beforeLast[column - 2]! + 1);
      now.push(least);
    }
    beforeLast = last;
    last = now;
  }
  return Math.min(3, last[other.length]!);
}
