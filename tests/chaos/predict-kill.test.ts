import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import type { PredictAnswer } from '../../api/src/contract.ts';
import { openStore } from '../../api/src/services/open-store.ts';
import { countKeptFiles } from '../../api/src/testing/kept-files.ts';
import { smallPng } from '../../api/src/testing/small-png.ts';
import { createVisitor, type Visitor } from '../../api/src/testing/visitor.ts';
import { type Desk, startDesk, temporaryDataDir } from '../start-desk.ts';

jest.setTimeout(180_000);

let data: Awaited<ReturnType<typeof temporaryDataDir>>;
let desk: Desk;

beforeAll(async () => {
  data = await temporaryDataDir();
});
afterAll(async () => {
  await desk?.kill();
  await data?.remove();
});

function send(visitor: Visitor, name: string, content: string | Buffer<ArrayBuffer>): Promise<Response> {
  const body = new FormData();
  body.append('text', 'What does it say?');
  body.append('file', new Blob([content]), name);
  return visitor.fetch('POST', '/api/predict', { body });
}

async function untilThere(...folder: string[]): Promise<void> {
  for (;;) {
    const entries = await readdir(join(data.dataDir, ...folder), { recursive: true }).catch(() => []);
    if (entries.filter((name) => !name.endsWith('process')).length > 1) return;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

test('a kill -9 in the middle of an upload, of reading or of indexing leaves nothing that the next start does not remove', async () => {
  const stages: [name: string, content: string | Buffer<ArrayBuffer>, folder: string[]][] = [
    ['large.txt', `one\n${'A long line of text. '.repeat(500_000)}`, ['tmp']],
    ['scan.png', smallPng(2400, 2400, 200), ['tmp']],
    ['long.txt', 'Another sentence of some words. '.repeat(60_000), ['files', 'blobs']],
  ];
  const visitor = createVisitor(() => desk.url);
  desk = await startDesk({ dataDir: data.dataDir });
  const kept = (await (
    await send(visitor, 'kept.md', '# Kept\n\nThis one stays.\n')
  ).json()) as PredictAnswer;
  for (const [name, content, folder] of stages) {
    const blobs = await readdir(join(data.dataDir, 'files', 'blobs'), { recursive: true });
    const sending = send(visitor, name, content).catch(() => null);
    if (folder[0] === 'tmp') await untilThere(...folder);
    else
      while ((await readdir(join(data.dataDir, ...folder), { recursive: true })).length === blobs.length)
        await new Promise((resolve) => setTimeout(resolve, 5));
    await desk.kill();
    await sending;
    desk = await startDesk({ dataDir: data.dataDir });
  }
  const file = await visitor.fetch('GET', kept.files[0]?.url ?? '');
  expect(await file.text()).toContain('This one stays.');
  expect(await desk.stop()).toBe(0);

  const store = await openStore({ mongodbUri: null, dataDir: data.dataDir });
  const left = await countKeptFiles({ dataDir: data.dataDir, connection: store.connection });
  await store.close();
  expect(left).toMatchObject({ temporary: 0, bytes: 1, uploads: 1, blobs: 1, documents: 1, records: 1 });
  expect(left.findable).toBe(left.passages);
});
