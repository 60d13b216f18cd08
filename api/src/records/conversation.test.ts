import { expect, test } from '@jest/globals';
import { conversationTitle } from './conversation.ts';

test.each([
  ['a'.repeat(40), 'a'.repeat(40)],
  ['a'.repeat(41), `${'a'.repeat(40)}…`],
  ['问'.repeat(41), `${'问'.repeat(40)}…`],
  ['👩‍👩‍👧'.repeat(41), `${'👩‍👩‍👧'.repeat(40)}…`],
  [' two\n\nlines\t of it ', 'two lines of it'],
])('%j gets the title %j', (question, title) => {
  expect(conversationTitle(question)).toBe(title);
});
