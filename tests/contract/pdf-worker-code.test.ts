import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect, test } from '@jest/globals';

const require = createRequire(import.meta.url);
const build = require('../../host/ui/src/documents/worker-code.cjs') as (
  this: object,
  source: string,
) => string;
const WORKER = require.resolve('pdfjs-dist/legacy/build/pdf.worker.min.mjs');

const codeOf = (source: string) => {
  const files: string[] = [];
  const context = { context: import.meta.dirname, addDependency: (file: string) => files.push(file) };
  const built = build.call(context, source);
  return { files, code: JSON.parse(built.slice('export default '.length, -1)) as string };
};

test('the worker contains its decoder of JPEG 2000 images and imports no scripts', () => {
  const { code, files } = codeOf(readFileSync(WORKER, 'utf8'));

  expect(files).toHaveLength(1);
  expect(code).not.toMatch(/\bimport\s*\(/);
  expect(code).not.toMatch(/\beval\(|importScripts/);
  expect(code).toContain('try{r=(decodeJpeg2000()())}');
  expect(code).toContain('class Jbig2Image');
});

test('the build fails if another version loads its decoder in another way', () => {
  expect(() => codeOf('const a = 1;')).toThrow('in another way');
});
