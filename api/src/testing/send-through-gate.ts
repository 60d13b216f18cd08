import { createCitationGate } from '../answers/model/citation-gate.ts';

/** What a gate lets through of each piece, and at the end. Passages 1 to 3 exist; each gets its number when it is first cited. */
export function sendThroughGate(pieces: readonly string[]): string[] {
  const numbers = new Map<number, number>();
  const gate = createCitationGate((number) => {
    if (number < 1 || number > 3) return null;
    if (!numbers.has(number)) numbers.set(number, numbers.size + 1);
    return numbers.get(number)!;
  });
  return [...pieces.map((piece) => gate.take(piece)), gate.rest()];
}
