import { expect, test } from '@jest/globals';
import { createRandom } from '../../testing/random.ts';
import { termsOf } from '../../text/terms.ts';
import { maxTerms, recordTerms } from './record-terms.ts';

const record = { question: '问', contact: null, source: 'none', feedback: null } as const;
const wordsOf = (answer: string) =>
  recordTerms({ ...record, answer }).filter((term) => !term.startsWith('='));

test.each([
  ['退货须在七日内申请，运费1,250.50元。', 'Chinese sentences'],
  ['退货须在七日内申请', 'Chinese without a mark'],
  ["Don't wait: it's 1,250.50 in all, or 𠀀𠀁𠀂 more. ", 'words, numbers and rare characters'],
  ['𠀀𠀁𠀂', 'rare characters alone'],
])('a long answer of %j has the terms of the whole text', (piece) => {
  for (const indent of ['', 'x ', 'xy ', 'xyz ']) {
    const answer = indent + piece.repeat(Math.ceil(13_000 / piece.length));
    const whole = new Set([...termsOf('问'), ...termsOf(answer)].map(({ term }) => term));
    expect(new Set(wordsOf(answer))).toEqual(whole);
  }
});

test('a long answer without marks has every pair of its characters', () => {
  const answer = Array.from({ length: 9_000 }, (_, at) => String.fromCharCode(0x4e00 + at)).join('');
  const whole = new Set([...termsOf('问'), ...termsOf(answer)].map(({ term }) => term));
  expect(new Set(wordsOf(answer))).toEqual(whole);
});

test('the number of terms of a record is limited, and those of its question and filters are always included', () => {
  const random = createRandom(3);
  const answer = Array.from({ length: 400_000 }, () => String.fromCharCode(0x4e00 + random.int(20_000))).join(
    '',
  );
  const terms = recordTerms({ ...record, answer, contact: { id: '10001', name: '' } });
  expect(terms).toHaveLength(maxTerms);
  expect(new Set(terms).size).toBe(maxTerms);
  expect(terms).toEqual(expect.arrayContaining(['问', '=contact:10001', '=source:none', '=feedback:none']));
});
