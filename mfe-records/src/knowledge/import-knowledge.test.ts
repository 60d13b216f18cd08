import { expect, test } from '@jest/globals';
import type { KnowledgeArchive } from 'api/contract/knowledge';
import { createStandInServices, failure } from 'host/stand-ins';
import { type ImportProgress, importSlices, nothingImported } from '../lib/import-dialog.tsx';
import { readKnowledge } from './import-knowledge.tsx';

const at = '2026-11-21T00:00:00.000Z';
const archive = (documents: number, pairs: number, text = ''): KnowledgeArchive => ({
  format: 'consultation-desk-knowledge',
  version: 1,
  exportedAt: at,
  documents: Array.from({ length: documents }, (_, n) => ({
    id: `d${n}`,
    title: `d${n}`,
    type: 'text',
    text,
    createdAt: at,
  })),
  pairs: Array.from({ length: pairs }, (_, n) => ({
    id: `p${n}`,
    question: 'q',
    variants: [],
    answer: 'a',
    createdAt: at,
  })),
});

const slicesOf = (given: KnowledgeArchive) => readKnowledge(JSON.stringify(given))!.slices;

test.each(['', '{', '[]', 'null', '{"format":"consultation-desk-records","version":1}'])(
  '%j is no knowledge',
  (text) => {
    expect(readKnowledge(text)).toBeUndefined();
  },
);

test('accepts a byte order mark', () => {
  const file = readKnowledge(`\ufeff${JSON.stringify(archive(1, 1))}`);
  expect(file).toEqual({ slices: [{ count: 2, body: archive(1, 1) }], numbers: { documents: 1, pairs: 1 } });
});

test('splits an archive into slices for one call each without loss', () => {
  const slices = slicesOf(archive(3, 450, 'x'.repeat(1_500_000))).map(({ body }) => body as KnowledgeArchive);

  expect(slices.map(({ documents, pairs }) => [documents.length, pairs.length])).toEqual([
    [0, 200],
    [0, 200],
    [1, 50],
    [1, 0],
    [1, 0],
  ]);
  expect(
    slices.every(({ format, version }) => format === 'consultation-desk-knowledge' && version === 1),
  ).toBe(true);
});

test('continues where it stopped', async () => {
  let calls = 0;
  const { http } = createStandInServices({
    answers: () => {
      calls += 1;
      if (calls === 2) throw failure(503, 'unavailable', 'busy');
      return { documents: 0, pairs: 200, unchanged: 0 };
    },
  }).services;
  const slices = slicesOf(archive(0, 400));
  let progress: ImportProgress = nothingImported;
  const options = {
    signal: new AbortController().signal,
    onProgress: (next: ImportProgress) => {
      progress = next;
    },
  };

  await expect(importSlices(http, '/api/knowledge/import', slices, progress, options)).rejects.toMatchObject({
    status: 503,
  });
  expect(progress).toMatchObject({ done: 200, slices: 1 });
  await importSlices(http, '/api/knowledge/import', slices, progress, options);
  expect(progress).toMatchObject({ done: 400, counts: { pairs: 400 }, slices: 2 });
});
