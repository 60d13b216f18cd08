import { createRandom } from './random.ts';
import { type Fares, type SimulatedCanary, simulateCanary } from './simulate-canary.ts';

export const usual: Fares = { failing: 0.005, erring: 0.02, lcp: null };

/**
 * The number of pages after which each of `runs` simulated canaries was halted, smallest first; Infinity if
 * it was not. Deterministic.
 */
export function simulateHalts(
  runs: number,
  simulated: Partial<SimulatedCanary> & Pick<SimulatedCanary, 'canary'>,
): number[] {
  const random = createRandom(20_261_121);
  const all = Array.from({ length: runs }, () => {
    const halt = simulateCanary({ share: 50, pages: 10_000, live: usual, ...simulated }, random);
    return halt?.page ?? Number.POSITIVE_INFINITY;
  });
  return all.sort((a, b) => a - b);
}

/** The halted ones, for healthy canaries. */
export const falsely = (all: readonly number[]) =>
  all.filter((page) => page !== Number.POSITIVE_INFINITY).length;
