import { expect, test } from '@jest/globals';
import { strengthOf } from './login-fields.tsx';

test.each([
  ['', 'short'],
  ['  1234567  ', 'short'],
  ['aaaaaaaaaaaaaaaa', 'weak'],
  ['abcdefgh', 'weak'],
  ['abcdEF12', 'fair'],
  ['correct horse battery', 'good'],
  ['春眠不觉晓处处闻啼鸟', 'weak'],
])('%j is %s', (password, strength) => {
  expect(strengthOf(password)).toBe(strength);
});
