import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { callInWorker } from '../../testing/call-in-worker.ts';
import { sendThroughGate } from '../../testing/send-through-gate.ts';

const through = (...pieces: string[]) => sendThroughGate(pieces);

test('renumbers passages in the order of their citation', () => {
  expect(through('B[3], A[1], B again[3].').join('')).toBe('B[1], A[2], B again[1].');
});

test('leaves out numbers without a passage, with the space before them', () => {
  expect(through('So it is [17]. And [0] so on [1, 9].').join('')).toBe('So it is. And so on [1].');
});

test('holds back an incomplete mark', () => {
  expect(through('Yes ', '[', '1', '7]', '. No [', '2', ']', '.')).toEqual([
    'Yes',
    '',
    '',
    '',
    '. No',
    '',
    '',
    ' [1].',
    '',
  ]);
});

test.each([
  ['甲[2，1]乙【3】', '甲[1][2]乙[3]'],
  ['all of them [1-3]', 'all of them [1][2][3]'],
  ['[2–9] and [3 to 1]', '[1][2] and [3][1][2]'],
  ['a footnote[^2] and another[^8]', 'a footnote[1] and another'],
  ['【2†source】 and 【4:0†source】 and 【7†handbook.md】', '[1] and and'],
  ['（来源：2）（来源 9）(Source 3) (documents 1, 2)', '[1][2] [3][1]'],
  ['[来源2][资料：7][ref 1]', '[1][2]'],
  ['（见资料 2）(see source 9)（参见来源：1）[详见文档 7]', '[1][2]'],
  ['[[2]] and [[8]]', '[1] and'],
  ['[1; 2] [1 & 3]', '[1][2] [1][3]'],
  ['see [2](https://evil.example/a?b=c), [8](http://evil.example) and [1](#x)', 'see [1], and [2]'],
  ['[2]: https://evil.example', '[1] : https://evil.example'],
  ['[1](//evil.example/x) [2](<https://evil.example> "1") [8]( http://evil.example )', '[1] [2]'],
  ['[2](javascript:alert(1)) and [1](see below)', '[1] (javascript:alert(1)) and [2] (see below)'],
  ['[2][here] and [1][8][there]', '[1] [here] and [2] [there]'],
  ['［２］和［９］、〔1〕和〔８〕', '[1]和、[2]和'],
  [String.raw`\[2\] and \[9\]`, '[1] and'],
  ['[\u00a02] and [\u200b9\u2060]', '[1] and'],
  ['a ` lone backtick [99]\n\nand [98] so on [1]', 'a ` lone backtick\n\nand so on [1]'],
])('understands %s', (given, expected) => {
  expect(through(given).join('')).toBe(expected);
  expect(through(...given).join('')).toBe(expected);
});

test.each([
  'See [the page](x) and `argv[99]`, [a1], ```\nlist[77]\n``` then [',
  '(1) first, (2) second, （3）third, [ ] open, [x] done',
  '[2024-11-21] and [1234], a (so-called) source, (s',
  '``code with ` and [99]`` and ```js\nconst a = `b[98]`;\n```',
])('passes %s through unchanged', (text) => {
  expect(through(text).join('')).toBe(text);
  expect(through(...text).join('')).toBe(text);
});

test('the result does not depend on how the text is split', () => {
  const whole =
    '一[1]二 [7]三【2】`a[1]`四[3, 1]五 (来源：9)六[1-2]七[^3]（资料 2）八 ```\nx[5]\n``` 九[2](https://a.b/c) ` 十[12';
  const expected = through(whole).join('');
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: whole.length - 1 }), { maxLength: 12 }), (cuts) => {
      const places = [0, ...cuts.toSorted((one, other) => one - other), whole.length];
      const pieces = places.slice(1).map((end, index) => whole.slice(places[index], end));
      expect(through(...pieces).join('')).toBe(expected);
    }),
  );
});

test('no number without a passage is ever shown, except in code', () => {
  const piece = fc.oneof(
    fc.constantFrom('[', ']', '【', '】', '(', ')', '来源', 'source ', '^', ',', '-', ' ', '\n\n', '†', ':'),
    fc.integer({ min: 0, max: 12 }).map(String),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
      const numbers = [
        ...through(...pieces)
          .join('')
          .matchAll(/\[(\d{1,3})\]/g),
      ].map(([, one]) => Number(one));
      expect(numbers.filter((number) => number < 1 || number > 3)).toEqual([]);
    }),
  );
});

/** Ends also where a pattern would be tried in 2 to the power of the length of the text ways. */
const throughInWorker = async (pieces: string[]) =>
  (await callInWorker(
    new URL('../../testing/send-through-gate.ts', import.meta.url),
    'sendThroughGate',
    pieces,
  )) as string[];

test.each([', 2', ' , \t 2', '-2', ' 和 来源 2', ', source2'])(
  'processes a long list of numbers with %j quickly, also when it comes in pieces',
  async (unit) => {
    const list = `[1${unit.repeat(40)}`;
    expect((await throughInWorker([...list])).join('')).toBe(list);
  },
);

test.each([' ', '[', '`', '(', '[1', 'x '])('a very long run of %j is processed quickly', async (unit) => {
  const long = unit.repeat(300_000);
  expect((await throughInWorker([long])).join('').length).toBeGreaterThan(0);
});
