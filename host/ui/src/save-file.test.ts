import { expect, test } from '@jest/globals';
import { fileNameOf } from './save-file.ts';

test('takes the UTF-8 name before the plain one', () => {
  const both = `attachment; filename="records.pdf"; filename*=UTF-8''%E8%AE%B0%E5%BD%95.pdf`;
  expect(fileNameOf(both)).toBe('记录.pdf');
  expect(fileNameOf('attachment; filename="a \\"b\\".csv"')).toBe('a "b".csv');
  expect(fileNameOf('attachment; filename=records.json')).toBe('records.json');
});

test('ignores an unreadable name, and returns an empty text for none', () => {
  expect(fileNameOf(`attachment; filename="x.pdf"; filename*=UTF-8''%E8%ZZ`)).toBe('x.pdf');
  expect(fileNameOf('attachment')).toBe('');
  expect(fileNameOf(undefined)).toBe('');
});

test('a name is never a path', () => {
  expect(fileNameOf('attachment; filename="../../etc/passwd"')).toBe('.._.._etc_passwd');
});

test.each([
  [`attachment; filename="x.json"; filename*=UTF-8''%E5%92%A8%E8%AF%A2.json`, '咨询.json'],
  [`attachment; filename*=UTF-8''..%2F..%2Fetc`, '.._.._etc'],
  [`attachment; filename*=UTF-8''%E8%ZZ`, ''],
  ['attachment', ''],
  [undefined, ''],
])('reads the file name in %s', (disposition, name) => {
  expect(fileNameOf(disposition)).toBe(name);
});
