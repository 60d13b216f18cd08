import type { CountedUnit } from './find-candidates.ts';
import type { ReadPassage } from './read-closely.ts';

/**
 * How sure it is that a passage answers, as log odds. A bare score does not tell: what counts is how much of the question one place of the
 * passage says, how alike they are, and how much of it the rarest word is that it lacks. Fitted (logistic regression) on the
 * questions of `fixtures/` and of the bench's tuning set, with and without an answer; see README.md.
 */
export function oddsOf(
  passage: ReadPassage,
  units: readonly CountedUnit[],
  total: number,
  isSameLanguage: boolean,
  names: ReadonlySet<string>,
): number {
  const whole = units.reduce((sum, { weight }) => sum + weight, 0) || 1;
  const rarest = Math.max(0.1, ...units.map(({ weight }) => weight));
  const missed = Math.max(
    0,
    ...units.filter(({ surface }) => passage.missing.includes(surface)).map(({ weight }) => weight),
  );
  const unnamed = units.filter(
    ({ surface, looked }) => names.has(surface) && looked[0]!.passages === 0,
  ).length;
  // Rarity grows with the knowledge base, and what is enough does not.
  const said = passage.said * Math.min(1, fittedOn / Math.log(1 + total));
  return (
    -6.2 +
    1.02 * passage.coverage +
    1.59 * passage.closeness +
    0.07 * passage.pointed +
    1.55 * Math.min(1, passage.likeness) +
    0.43 * passage.headingCoverage +
    2.14 * passage.titleCoverage -
    0.78 * (missed / 8) +
    0.08 * (missed / rarest) +
    1.14 * Math.min(3, passage.said / whole) +
    0.18 * Math.log(1 + whole) -
    (isSameLanguage ? 0.55 : 0) +
    1.75 * Math.log(1 + said) -
    withoutName * unnamed
  );
}

/** Not fitted: the tuning set has too few. A name that the knowledge base never says is not what it tells of. */
const withoutName = 2;

/** Natural logarithm of the number of passages that the odds were fitted on. */
const fittedOn = 7.6;

/** From these odds on it answers: chosen so that most questions without an answer are refused, and few others. */
export const enoughOdds = -0.4;
/** Whoever asks about a file means it. */
export const enoughOfFile = -2.5;
