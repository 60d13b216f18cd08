/** Lets a text through that comes in pieces, and holds back what cannot be judged yet. */
export interface TextGate {
  /** What may be shown now of all that came. */
  take(text: string): string;
  /** What was still held at the end. */
  rest(): string;
}

/** The gates one after the other. */
export function inSeries(gates: readonly TextGate[]): TextGate {
  return {
    take: (text) => gates.reduce((piece, gate) => gate.take(piece), text),
    rest: () => gates.reduce((held, gate) => gate.take(held) + gate.rest(), ''),
  };
}
