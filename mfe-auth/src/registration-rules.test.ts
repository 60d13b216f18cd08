import { expect, test } from '@jest/globals';
import { isValid } from './test-form.tsx';

test.each([
  ['', false],
  ['ab', false],
  ['abc', true],
  ['   ', false],
  ['王小明', true],
  ['𠮷𠮷', false],
])('username %j is valid: %s', (value, expected) => {
  expect(isValid('username', value)).toBe(expected);
});

test.each([
  ['', false],
  ['12345', false],
  ['123456', true],
  ['      ', false],
])('password %j is valid: %s', (value, expected) => {
  expect(isValid('password', value)).toBe(expected);
});

test.each([
  ['', false],
  ['lin', false],
  ['lin@', false],
  ['@example.com', false],
  ['lin@example', false],
  ['lin@example.com', true],
  ['lin.xiao+desk@mail.example.co.uk', true],
  ['lin@@example.com', false],
  ['lin xiao@example.com', false],
  ['lin@exa mple.com', false],
  ['lin..xiao@example.com', false],
  ['lin@example..com', false],
  ['lin@-example.com', false],
  ['lin@example.com.', false],
  ['林晓@例子.中国', true],
])('e-mail %j is valid: %s', (value, expected) => {
  expect(isValid('email', value)).toBe(expected);
});

test('an e-mail address has at most 320 characters', () => {
  const domain = '@example.com';
  expect(isValid('email', 'a'.repeat(320 - domain.length) + domain)).toBe(true);
  expect(isValid('email', 'a'.repeat(321 - domain.length) + domain)).toBe(false);
});

// A backtracking pattern would exceed the time limit of a test on these.
test.each([`${'a.'.repeat(50_000)}@${'a-'.repeat(50_000)}`, `a@${'a-'.repeat(150)}`, `${'a.'.repeat(150)}@`])(
  'rejects a long hostile address',
  (address) => {
    expect(isValid('email', address)).toBe(false);
  },
);
