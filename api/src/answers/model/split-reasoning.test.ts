import { expect, test } from '@jest/globals';
import { createReasoningSplitter } from './split-reasoning.ts';

function split(pieces: string[], expectsUnopened = false): { said: string; thought: string } {
  const splitter = createReasoningSplitter(expectsUnopened);
  const parts = [...pieces.map((piece) => splitter.take(piece)), splitter.rest()];
  return {
    said: parts.map(({ said }) => said).join(''),
    thought: parts.map(({ thought }) => thought).join(''),
  };
}

test.each([
  ['<think>Let me see. <b></think>\n\nThe answer.', 'Let me see. <b>', 'The answer.'],
  ['\n<thinking>好</thinking>答案', '好', '答案'],
  ['[THINK]a [/THIN b[/THINK] c', 'a [/THIN b', 'c'],
  ['<this is it', '', '<this is it'],
  ['A <think> later on', '', 'A <think> later on'],
  ['<think>never ends', 'never ends', ''],
  ['<thi', '', '<thi'],
])('separates the reasoning in %j, split anywhere', (whole, thought, said) => {
  expect(split([whole])).toEqual({ said, thought });
  expect(split([...whole])).toEqual({ said, thought });
});

test('reasoning without an opening mark is detected by its end, in a complete text or if it is expected', () => {
  const whole = '先想一想。\n</think>\n\n答案';
  const apart = { thought: '先想一想。\n', said: '答案' };
  expect(split([whole])).toEqual(apart);
  expect(split([whole], true)).toEqual(apart);
  expect(split([...whole], true)).toEqual(apart);
  expect(split(['<think>好</think>答案'], true)).toEqual({ thought: '好', said: '答案' });
});

test('expected reasoning without an end is the answer', () => {
  const { said } = split([...'答案，没有想。'], true);
  expect(said).toBe('答案，没有想。');
});

test.each([
  ['想。\n</think>\n\n答案', true],
  ['`</think>` closes `<think>`', false],
  ['First <think>\nthen </think>\nso', false],
  ['<think>a</think>\nb</think>\nc', false],
  ['答案', false],
])('whether %j began with reasoning without an opening mark: %s', (text, isUnopened) => {
  const splitter = createReasoningSplitter();
  for (const piece of text) splitter.take(piece);
  expect(splitter.isUnopened).toBe(isUnopened);
});
