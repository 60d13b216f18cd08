import { createCitationGate } from '../answers/model/citation-gate.ts';

/**
 * The output of a gate for each piece, and at the end. Passages 1 to 3 exist; each is numbered at its first
 * citation.
 */
export function sendThroughGate(pieces: readonly string[]): string[] {
  const numbers = new Map<number, number>();
  const gate = createCitationGate((number) => {
    if (number < 1 || number > 3) return null;
    if (!numbers.has(number)) numbers.set(number, numbers.size + 1);
    return numbers.get(number)!;
  });
  return [...pieces.map((piece) => gate.take(piece)), gate.rest()];
}
