import { expect, test } from '@jest/globals';
import { describeError, isExpected, scriptsIn } from './describe-error.ts';

const at = (error: Error, stack: string) => Object.assign(error, { stack });

test('contains name, message and position in a file', () => {
  const error = at(
    new TypeError("Cannot read properties of undefined (reading 'text')"),
    'TypeError: …\n    at say (https://desk.example/chatbot/releases/mfe-chat/1.4.0/chat.1a2b3c4d.js:1:2345)',
  );
  expect(describeError(error)).toBe(
    "TypeError: Cannot read properties of undefined (reading 'text') (chat.1a2b3c4d.js:1:2345)",
  );
});

test.each([
  [
    'Unexpected token \'我\', "我的身份证号是…" is not valid JSON',
    'Unexpected token \'…\', "…" is not valid JSON',
  ],
  ['no contact 13812345678', 'no contact #'],
  ['mail to li.hua@example.com failed', 'mail to … failed'],
  ['GET https://desk.example/api/search?q=salary#top failed', 'GET https://desk.example/api/search failed'],
  ['Module "./chat" does not exist in container.', 'Module "./chat" does not exist in container.'],
  ['没有找到「工资」', '…"…"'],
  ["cannot open 'my letter to them'", "cannot open '…'"],
])('removes personal data from %j', (message, description) => {
  expect(describeError(at(new Error(message), ''))).toBe(`Error: ${description}`);
});

test('describes a failed call by its error code, not by the sentence shown to the visitor', () => {
  const failure = Object.assign(at(new Error('问题太长，最多 4000 字'), ''), {
    status: 422,
    error: 'invalid_field',
  });
  expect(describeError(failure)).toBe('HttpFailure: 422 invalid_field');
});

test('truncates at 500 characters and accepts any thrown value', () => {
  expect(
    describeError(at(new Error('x'.repeat(900)), 'at https://d.example/a.js:1:2')).length,
  ).toBeLessThanOrEqual(500);
  for (const thrown of [undefined, null, 7, { stack: 9 }, Symbol('s')])
    expect(describeError(thrown)).toMatch(/^thrown: /);
  expect(describeError('plain')).toBe('plain');
});

test('finds the scripts in the stack formats of each browser', () => {
  const chromium = at(
    new Error(''),
    'Error\n    at a (https://d.example/x.js:1:2)\n    at https://d.example/y.js:3:4',
  );
  const firefox = at(new Error(''), 'a@https://d.example/x.js:1:2\n@https://d.example/y.js:3:4');
  for (const error of [chromium, firefox])
    expect(scriptsIn(error, '').map((address) => address.replace(/^a@/, ''))).toEqual([
      'https://d.example/x.js',
      'https://d.example/y.js',
    ]);
  expect(scriptsIn('Script error.', 'https://d.example/z.js')).toEqual(['https://d.example/z.js']);
});

test('does not report cancelled requests', () => {
  expect(isExpected(new DOMException('gone', 'AbortError'))).toBe(true);
  expect(isExpected({ status: 0, error: 'offline', message: '' })).toBe(true);
  expect(isExpected('ResizeObserver loop completed with undelivered notifications.')).toBe(true);
  expect(isExpected(new Error('x'))).toBe(false);
  expect(isExpected(undefined)).toBe(false);
});
