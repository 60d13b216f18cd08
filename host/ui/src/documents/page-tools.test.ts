import { expect, test } from '@jest/globals';
import { keyStep } from './page-tools.tsx';

const press = (key: string, held: object = {}) =>
  keyStep({ key, ctrlKey: false, metaKey: false, altKey: false, ...held });

test.each([
  ['+', { step: 1 }],
  ['=', { step: 1 }],
  ['-', { step: -1 }],
  ['ArrowRight', { turn: 1 }],
  ['ArrowLeft', { turn: -1 }],
  ['a', {}],
])('%s changes the zoom or turns a page', (key, change) => {
  expect(press(key)).toEqual({ step: undefined, turn: undefined, ...change });
});

test.each(['ctrlKey', 'metaKey', 'altKey'])('with %s, all keys belong to the browser', (held) => {
  for (const key of ['+', '=', '-', 'ArrowRight', 'ArrowLeft'])
    expect(press(key, { [held]: true })).toEqual({});
});
