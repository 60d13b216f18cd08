import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { defused } from './write-csv.ts';

test.each([
  '=1+1',
  '+1',
  '-1',
  '@A1',
  '\t=1',
  '\r=1',
  '\ttext',
  '  =1',
  '\u3000＝1',
  '\u{feff}=1',
  '\u200b@x',
  '\0=1',
  '\n=1',
  '＝1',
  '＋1',
  '－1',
  '＠1',
])('%j is no formula any more', (field) => {
  expect(defused(field)).toBe(`'${field}`);
});

test.each(['', ' ', 'text', '1=1', 'a@b.c', '王芳', '“=1”', "'=1", '13800138000', '2026-01-05 00:00:00'])(
  '%j stays as it is',
  (field) => {
    expect(defused(field)).toBe(field);
  },
);

test('whatever a field is, what is written begins with no sign of a formula', () => {
  const parts = fc.constantFrom('=', '+', '-', '@', '＝', '\t', '\r', '\n', ' ', '\u3000', 'a', '1', "'");
  fc.assert(
    fc.property(
      fc.array(parts).map((some) => some.join('')),
      (field) => {
        const written = defused(field);
        expect(written).not.toMatch(/^[\s\u{feff}]*[=+\-@＝＋－＠]/u);
        expect(written).not.toMatch(/^\s*[\t\r]/);
        expect([field, `'${field}`]).toContain(written);
      },
    ),
  );
});
