import type { TextGate } from './text-gate.ts';

/** Joins a surrogate pair that is split between pieces. Lone ones become U+FFFD, of the same length. */
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
