import { expect, test } from '@jest/globals';
import { refuseName, refusePassword } from './account-rules.ts';

/** Letters that form no word. */
const written = (length: number) => Array.from({ length }, (_, at) => 'qjzxvkwy'[(at * 3) % 8]).join('');

test.each([
  [2, 'name_length'],
  [3, null],
  [64, null],
  [65, 'name_length'],
])('a name of %d characters: %s', (length, refusal) => {
  expect(refuseName(written(length))).toBe(refusal);
});

// Counted in characters, not in UTF-16 units.
test.each([
  ['𠮷', 'name_length'],
  ['𠮷𠮷', null],
  ['林a', null],
  ['はな', null],
  ['김아', null],
  ['é1', 'name_length'],
  ['𠮷'.repeat(64), null],
  ['𠮷'.repeat(65), 'name_length'],
])('names with a Chinese, Japanese or Korean character have 2–64, here %s: %s', (name, refusal) => {
  expect(refuseName(name)).toBe(refusal);
});

test.each(['a\u200bbc', 'abc\n', 'a\u2028bc', 'a\u0000bc'])(
  'invisible characters in a name are refused',
  (name) => {
    expect(refuseName(name)).toBe('name_characters');
  },
);

test.each([
  ['аdmin1', 'name_scripts'],
  ['admіn', 'name_scripts'],
  ['ΑDMIN', 'name_scripts'],
  ['ᴀdminՏ', 'name_scripts'],
  ['王аdmin', 'name_scripts'],
  ['Ꭰmitri', 'name_scripts'],
  ['ⲟlga', 'name_scripts'],
  ['Дмитрий Ωmega', 'name_scripts'],
  ['admin1', null],
  ['José_Müller-2', null],
  ['王小明 Tom', null],
  ['田中さん カナ abc', null],
  ['김철수 kim', null],
  ['Дмитрий 2', null],
  ['Ελένη', null],
  ['محمد', null],
])('the alphabets of the name %s: %s', (name, refusal) => {
  expect(refuseName(name)).toBe(refusal);
});

test.each([
  [7, 'password_length'],
  [8, null],
  [128, null],
  [129, 'password_length'],
])('a password of %d characters: %s', (length, refusal) => {
  expect(refusePassword(written(length))).toBe(refusal);
});
