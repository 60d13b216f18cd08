import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { createToolCallGate } from './tool-call-gate.ts';

function send(pieces: readonly string[]) {
  const gate = createToolCallGate();
  const text = pieces.map((piece) => gate.take(piece)).join('') + gate.rest();
  return { text, hasCall: gate.hasCall };
}

const call = '{"name": "search", "arguments": {"query": "a \\"}\\" b"}}';
const calls = [
  `<tool_call>\n${call}\n</tool_call>`,
  `<tool_call>${call}`,
  `${call}\n</tool_call>`,
  `<function_calls><invoke name="search"><parameter name="q">x</parameter></invoke></function_calls>`,
  '<function=search>{"q": 1}</function>',
  `<tool_calls>[${call}]</tool_calls>`,
  `<|tool_calls_begin|>${call}`,
  '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>search\n```json\n{}\n```<｜tool▁calls▁end｜>',
  '<|python_tag|>search.call(query="x")',
  `[TOOL_CALLS] [${call}]`,
  `[TOOL_REQUEST]${call}[END_TOOL_REQUEST]`,
  `functools[${call}]`,
  '✿FUNCTION✿: search\n✿ARGS✿: {}',
  `\`\`\`tool_code\nprint(search("x"))\n\`\`\``,
  'Action: search\nAction Input: {"q": "x"}\n',
  call,
  `[${call}, ${call}]`,
  '{"tool_calls": [{"id": "1", "type": "function", "function": {"name": "f", "arguments": "{}"}}]}',
  '{"type": "function", "function": {"name": "f", "parameters": {}}}',
  '{"name": "search", "arguments": {"query": "cut o',
];

test.each(calls)('a call in text form is left out: %s', (written) => {
  expect(send([written])).toMatchObject({ text: expect.stringMatching(/^\s*$/), hasCall: true });
  expect(send([...written])).toMatchObject({ text: expect.stringMatching(/^\s*$/), hasCall: true });
  const after = send([...`我查一下。\n${written}`]);
  expect(after.text.trim()).toBe('我查一下。');
  expect(after.hasCall).toBe(true);
});

test('text after a call is left out, as it depends on a missing result', () => {
  expect(send([...`先查。<tool_call>${call}</tool_call>\n可以退款。`])).toEqual({
    text: '先查。',
    hasCall: true,
  });
});

test.each([
  'a < b, c<d and <b>bold</b> [1][2] f(x) [TOOL] {"a": 1}',
  '{"price": 3, "name": "tea"}',
  '[1] 见说明。',
  '用 `<tool_call>` 标记，或 `[TOOL_CALLS]`。',
  'An example:\n\n```json\n{"name": "search", "arguments": {}}\n```\nDone.',
  '```\n<tool_call>\n```\n',
  'Action: restart the server.\nThen wait.',
  '{"name": "tea", "price": 3}',
  'functions and functional',
])('anything else is shown unchanged: %s', (text) => {
  expect(send([text])).toEqual({ text, hasCall: false });
  expect(send([...text])).toEqual({ text, hasCall: false });
});

test('the result does not depend on how the text is split', () => {
  const parts = fc.constantFrom(
    ...calls,
    '文字',
    '\n',
    '`',
    '```',
    '<',
    '[',
    '{',
    '"',
    'Action:',
    ' a ',
    '</tool_call>',
  );
  fc.assert(
    fc.property(fc.array(parts, { maxLength: 8 }), fc.integer({ min: 1, max: 9 }), (some, size) => {
      const text = some.join('\n');
      const pieces = text.match(new RegExp(`[\\s\\S]{1,${size}}`, 'g')) ?? [];
      expect(send(pieces)).toEqual(send([...text]));
    }),
    { numRuns: 300 },
  );
});
