import { expect, test } from '@jest/globals';
import { literalString } from './open-document.ts';

test('a literal string is UTF-16 with a byte order mark, with line ends and delimiters escaped', () => {
  const bytes = (text: string) => Buffer.from(literalString(text), 'latin1').toString('latin1');
  expect(bytes('a')).toBe('\xfe\xff\0a');
  // U+4E0D contains the byte of a CR, U+5C28 those of a backslash and a parenthesis.
  expect(bytes('不')).toBe('\xfe\xff\x4e\\r');
  expect(bytes('尨')).toBe('\xfe\xff\\\\\\(');
  expect(bytes('𠮷')).toBe('\xfe\xff\xd8\x42\xdf\xb7');
});
