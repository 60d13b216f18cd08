/** Numbers that look random and are the same for the same seed, so that a failing case can be had again. */
export interface Random {
  /** From 0 to before `below`. */
  int(below: number): number;
  pick<T>(from: readonly T[]): T;
  chance(probability: number): boolean;
}

// Looked up once: in a test's own realm every look at a global costs more than the arithmetic.
const { floor, imul } = Math;

/** Mulberry32. */
export function createRandom(seed: number): Random {
  let state = seed;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const int = (below: number) => floor(next() * below);
  return { int, pick: (from) => from[int(from.length)]!, chance: (probability) => next() < probability };
}
