/** Pseudo-random numbers, determined by a seed so that a failing case can be reproduced. */
export interface Random {
  /** An integer in [0, below). */
  int(below: number): number;
  pick<T>(from: readonly T[]): T;
  chance(probability: number): boolean;
}

// Cached: in jest's realm, access to globals costs more than the arithmetic.
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
