/** A filter for a streamed text. It holds back text until it is known whether to show it. */
export interface TextGate {
  /** Takes the next piece, and returns the text that can be shown. */
  take(text: string): string;
  /** Returns the text that is held back at the end. */
  rest(): string;
}

/** Combines gates: each takes what the one before returns. */
export function inSeries(gates: readonly TextGate[]): TextGate {
  return {
    take: (text) => gates.reduce((piece, gate) => gate.take(piece), text),
    rest: () => gates.reduce((held, gate) => gate.take(held) + gate.rest(), ''),
  };
}

/** Joins surrogate pairs that are split between pieces. Lone surrogates become U+FFFD. */
export function createWholeCharacters(): TextGate {
  let held = '';
  return {
    take(text) {
      const all = held + text;
      const last = all.charCodeAt(all.length - 1);
      const isHalf = last >= 0xd800 && last <= 0xdbff;
      held = isHalf ? all.slice(-1) : '';
      return (isHalf ? all.slice(0, -1) : all).toWellFormed();
    },
    rest() {
      const text = held.toWellFormed();
      held = '';
      return text;
    },
  };
}
