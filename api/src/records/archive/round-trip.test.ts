import { afterAll, expect, test } from '@jest/globals';
import {
  archiveOf,
  archiveRecord,
  exportJson,
  idOf,
  importArchive,
  importPieces,
} from '../../testing/archives.ts';
import { checkRoundTrips } from '../../testing/check-round-trips.ts';
import { createScriptedAnswerer } from '../../testing/scripted-answerer.ts';
import { startTestApi } from '../../testing/start-test-api.ts';
import { createVisitor } from '../../testing/visitor.ts';

const here = await startTestApi({ answerer: createScriptedAnswerer() });
const elsewhere = await startTestApi({ answerer: createScriptedAnswerer() });
afterAll(async () => {
  await here.end();
  await elsewhere.end();
});

test('imported records are exported unchanged, on the same and on another server', () =>
  checkRoundTrips(here.url, elsewhere.url, 8));

test('an archive may be split into chunks at any position', async () => {
  const text = JSON.stringify(archiveOf([archiveRecord(1, { question: '一𠮷"\\二', answer: 'é\u2028' })]));
  const bytes = Buffer.from(text);
  const pieces = Array.from({ length: bytes.length }, (_, at) => bytes.subarray(at, at + 1));
  const visitor = createVisitor(here.url);

  const { status } = await importPieces(visitor, pieces as unknown as Iterable<string>);

  expect(status).toBe(200);
  expect((await exportJson(visitor)).records[0]).toMatchObject({ question: '一𠮷"\\二', answer: 'é\u2028' });
});

test('hundreds of records of one conversation are exported and imported unchanged', async () => {
  const records = Array.from({ length: 600 }, (_, n) =>
    archiveRecord(5000 + n, { conversationId: idOf(9, 'c') }),
  );
  const visitor = createVisitor(here.url);

  expect((await importArchive(visitor, archiveOf(records))).body.imported).toBe(600);
  const archive = await exportJson(visitor);

  expect(archive.records).toEqual([...records].reverse());
  expect(archive.conversations).toMatchObject([{ recordCount: 600, updatedAt: records.at(-1)?.createdAt }]);
});
