import { expect, test } from '@jest/globals';
import { isCommonPassword, isLikeName } from './account-rules.ts';

test.each([
  '12345678',
  '87654321',
  'Password',
  'PASSWORD123',
  'qwertyuiop',
  'aaaaaaaa',
  'abababab',
  'abcdefgh',
  'iloveyou',
  'woaini1314',
])('%s is a common password', (password) => expect(isCommonPassword(password)).toBe(true));

test.each(['long enough', 'correct horse', 'a-long-password', '密码要长一点才好', 'password-1', 'Kx8#pq2Lw'])(
  '%s is not',
  (password) => expect(isCommonPassword(password)).toBe(false),
);

test.each([
  ['somebody', 'somebody', true],
  ['Somebody12', 'SOMEBODY', true],
  ['ydobemos', 'somebody', true],
  ['张三丰张三丰张三丰', '张三丰', true],
  ['somebody else entirely', 'somebody', false],
  ['long enough', 'ann', false],
])('%s is similar to the name %s: %p', (password, username, expected) =>
  expect(isLikeName(password, username)).toBe(expected),
);
