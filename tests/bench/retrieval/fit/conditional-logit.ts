import { solve } from './logistic-regression.ts';

/** Alternatives of one choice, such as the passages found for a question. */
export interface Choice {
  /** Values of the features of each alternative. */
  alternatives: readonly (readonly number[])[];
  /** Indices of the right alternatives; at least one. */
  right: readonly number[];
}

const rounds = 20;

/**
 * Conditional logistic regression (McFadden, 1974) by Newton's method: weights with which a softmax over the alternatives of each
 * choice gives the right ones the largest probability, with `penalty` on the squares of the weights (L2). Several right ones share the
 * choice equally. Pure.
 */
export function fitChoices(choices: readonly Choice[], penalty: number): number[] {
  const width = choices[0]?.alternatives[0]?.length ?? 0;
  const weights = new Array<number>(width).fill(0);
  for (let round = 0; round < rounds; round += 1) {
    const slope = weights.map((weight) => -penalty * weight);
    const curve = weights.map((_, at) => weights.map((_, other) => (at === other ? penalty : 0)));
    for (const { alternatives, right } of choices) {
      const chances = chancesOf(alternatives.map((values) => scoreOf(weights, values)));
      const means = meansOf(alternatives, chances);
      const wanted = meansOf(
        right.map((at) => alternatives[at]!),
        right.map(() => 1 / right.length),
      );
      for (let one = 0; one < width; one += 1) slope[one]! += wanted[one]! - means[one]!;
      for (const [at, values] of alternatives.entries())
        for (let one = 0; one < width; one += 1)
          for (let other = 0; other < width; other += 1)
            curve[one]![other]! +=
              chances[at]! * (values[one]! - means[one]!) * (values[other]! - means[other]!);
    }
    for (const [at, step] of solve(curve, slope).entries()) weights[at]! += step;
  }
  return weights;
}

/** The weighted sum of the values. */
export function scoreOf(weights: readonly number[], values: readonly number[]): number {
  return weights.reduce((sum, weight, at) => sum + weight * values[at]!, 0);
}

function chancesOf(scores: readonly number[]): number[] {
  const top = Math.max(...scores);
  const shares = scores.map((score) => Math.exp(score - top));
  const all = shares.reduce((sum, one) => sum + one, 0);
  return shares.map((one) => one / all);
}

function meansOf(rows: readonly (readonly number[])[], chances: readonly number[]): number[] {
  return rows[0]!.map((_, one) => rows.reduce((sum, values, at) => sum + chances[at]! * values[one]!, 0));
}
