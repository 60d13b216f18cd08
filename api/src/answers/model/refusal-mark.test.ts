import { expect, test } from '@jest/globals';
import { createRefusalGate } from './refusal-mark.ts';

function send(pieces: readonly string[]) {
  const gate = createRefusalGate();
  return {
    text: pieces.map((piece) => gate.take(piece)).join('') + gate.rest(),
    hasRefused: gate.hasRefused,
  };
}

test.each([
  ['NOT_IN_PASSAGES\n资料里没有保修期。', '资料里没有保修期。'],
  ['**NOT_IN_PASSAGES**: nothing about that.', 'nothing about that.'],
  ['[NOT_IN_PASSAGES] 没有。', '没有。'],
  ['`NOT_IN_PASSAGES`', ''],
  ['没有依据。\nNOT_IN_PASSAGES', '没有依据。\n'],
])('the mark is left out in any notation: %s', (written, text) => {
  expect(send([written])).toEqual({ text, hasRefused: true });
  expect(send([...written])).toEqual({ text, hasRefused: true });
});

test.each(['NOT in passages [1]', 'N', '可以[1]。**是**', 'NOT_IN'])('anything else is shown: %s', (text) => {
  expect(send([...text])).toEqual({ text, hasRefused: false });
});
