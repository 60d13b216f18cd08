import { expect, test } from '@jest/globals';
import type { UploadRules } from 'api/contract/files';
import { problemsOf } from './attachments.ts';

const rules: UploadRules = {
  maxFiles: 10,
  maxBytes: 100,
  freeBytes: null,
  endings: ['.txt'],
  refusedTypes: ['video/'],
};
const sizes = (...all: number[]) =>
  all.map((size) => ({ file: new File(['x'.repeat(size)], 'a.txt'), isText: true }));

test('sizes count together, without files that cannot be sent', () => {
  expect(problemsOf(sizes(40, 60, 1), rules)).toEqual([null, null, 'size']);
  expect(problemsOf(sizes(40, 61, 60, 0), rules)).toEqual([null, 'size', null, 'empty']);
  expect(problemsOf(sizes(30, 30), { ...rules, freeBytes: 50 })).toEqual([null, 'room']);
  expect(problemsOf(sizes(30, 20), { ...rules, freeBytes: 50 })).toEqual([null, null]);
});

test('rejects files unless their extension is known, or they start like text and their type can be text', () => {
  const file = (name: string, type = '', isText = false) => ({
    file: new File(['x'], name, { type }),
    isText,
  });
  const files = [
    file('A.TXT', 'video/mp4'),
    file('Makefile', '', true),
    file('a.ts', 'video/mp2t', true),
    file('b'),
  ];
  expect(problemsOf(files, rules)).toEqual([null, null, 'type', 'type']);
  expect(problemsOf(files, null)).toEqual([null, null, null, null]);
});
