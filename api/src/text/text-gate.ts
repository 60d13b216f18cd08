/** A filter for a streamed text, which holds back what cannot be judged yet. */
export interface TextGate {
  /** The text that can be shown now. */
  take(text: string): string;
  /** The text still held back at the end. */
  rest(): string;
}

/** The gates one after the other. */
export function inSeries(gates: readonly TextGate[]): TextGate {
  return {
    take: (text) => gates.reduce((piece, gate) => gate.take(piece), text),
    rest: () => gates.reduce((held, gate) => gate.take(held) + gate.rest(), ''),
  };
}
