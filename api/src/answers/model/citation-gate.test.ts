import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { createCitationGate } from './citation-gate.ts';
import { createReasoningFilter } from './hide-reasoning.ts';

/** Passages 1 to 3 exist; each gets its number when it is first cited. */
function gateOfThree() {
  const numbers = new Map<number, number>();
  return createCitationGate((number) => {
    if (number < 1 || number > 3) return null;
    if (!numbers.has(number)) numbers.set(number, numbers.size + 1);
    return numbers.get(number)!;
  });
}

function through(...pieces: string[]): string[] {
  const gate = gateOfThree();
  return [...pieces.map((piece) => gate.take(piece)), gate.rest()];
}

test('renumbers in the order in which passages are cited', () => {
  expect(through('B[3], A[1], B again[3].').join('')).toBe('B[1], A[2], B again[1].');
});

test('leaves out what stands for nothing, with the space before it', () => {
  expect(through('So it is [17]. And [0] so on [1, 9].').join('')).toBe('So it is. And so on [1].');
});

test('holds a mark back while it comes in pieces', () => {
  expect(through('Yes ', '[', '1', '7]', '. No [', '2', ']')).toEqual([
    'Yes',
    '',
    '',
    '',
    '. No',
    '',
    ' [1]',
    '',
  ]);
});

test('understands lists and full-width brackets', () => {
  expect(through('甲[2，1]乙【3】').join('')).toBe('甲[1][2]乙[3]');
});

test('lets other brackets and code through as they are', () => {
  const text = 'See [the page](x) and `argv[1]`, [a1], ```\nlist[7]\n``` then [';
  expect(through(text).join('')).toBe(text);
});

test('however the text is cut, the result is the same', () => {
  const whole = '一[1]二 [7]三【2】`a[1]`四[3, 1]五[12';
  const expected = through(whole).join('');
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: whole.length - 1 }), { maxLength: 12 }), (cuts) => {
      const places = [0, ...cuts.toSorted((one, other) => one - other), whole.length];
      const pieces = places.slice(1).map((end, index) => whole.slice(places[index], end));
      expect(through(...pieces).join('')).toBe(expected);
    }),
  );
});

test('hides reasoning however it is cut, and nothing else', () => {
  const filtered = (pieces: string[]) => {
    const filter = createReasoningFilter();
    return pieces.map((piece) => filter.take(piece)).join('') + filter.rest();
  };
  const whole = '<think>Let me see. <b></think>\n\nThe answer.';
  expect(filtered([whole])).toBe('The answer.');
  expect(filtered([...whole])).toBe('The answer.');
  expect(filtered(['<thi', 's is it'])).toBe('<this is it');
  expect(filtered(['A <think> later on'])).toBe('A <think> later on');
  expect(filtered(['<think>never ends'])).toBe('');
});
