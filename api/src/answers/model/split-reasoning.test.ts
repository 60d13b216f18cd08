import { expect, test } from '@jest/globals';
import { createReasoningSplitter } from './split-reasoning.ts';

function split(pieces: string[]): { said: string; thought: string } {
  const splitter = createReasoningSplitter();
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
])('tells what was thought in %j, however it is cut', (whole, thought, said) => {
  expect(split([whole])).toEqual({ said, thought });
  expect(split([...whole])).toEqual({ said, thought });
});
