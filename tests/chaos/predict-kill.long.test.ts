import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Connection } from 'mongoose';
import type { PredictAnswer } from '../../api/src/contract/chat.ts';
import { openStore } from '../../api/src/store/open-store.ts';
import { smallPng } from '../../api/src/testing/small-png.ts';
import { countStoredFiles } from '../../api/src/testing/stored-files.ts';
import { isEmbedded, testStoreConfig } from '../../api/src/testing/test-database.ts';
import { createVisitor, type Visitor } from '../../api/src/testing/visitor.ts';
import { type Desk, startDesk, temporaryDataDir } from '../start-desk.ts';
import { connectToRunningStore } from './connect-to-running-store.ts';

let data: Awaited<ReturnType<typeof temporaryDataDir>>;
let desk: Desk;

const start = () => startDesk({ dataDir: data.dataDir, isApiAlone: true });

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

/** Waits for a temporary file: the upload has begun, and reading has not ended. */
async function untilTaken(): Promise<void> {
  for (;;) {
    const entries = await readdir(join(data.dataDir, 'tmp'), { recursive: true, withFileTypes: true });
    if (entries.some((entry) => entry.isFile() && entry.name !== 'process')) return;
    await setTimeout(5);
  }
}

async function inRunningStore(use: (store: Connection) => Promise<unknown>): Promise<void> {
  const connection = await connectToRunningStore(data.dataDir);
  try {
    await use(connection);
  } finally {
    await connection.close();
  }
}

/** Waits until the content of a second file is stored: it has been read, and its text is not indexed yet. */
const untilKept = () =>
  inRunningStore(async (store) => {
    while ((await store.collection('blobs').countDocuments()) < 2) await setTimeout(5);
  });

const stages: [name: string, content: string | Buffer<ArrayBuffer>, until: () => Promise<void>][] = [
  ['large.txt', `one\n${'A long line of text. '.repeat(500_000)}`, untilTaken],
  ['scan.png', smallPng(2400, 2400, 200), untilTaken],
  ['long.txt', 'Another sentence of some words. '.repeat(60_000), untilKept],
];

test('a kill -9 during an upload, reading or indexing leaves nothing that the next start does not remove', async () => {
  const visitor = createVisitor(() => desk.url);
  desk = await start();
  const sent = await send(visitor, 'kept.md', '# Kept\n\nThis one stays.\n');
  const kept = (await sent.json()) as PredictAnswer;
  for (const [name, content, until] of stages) {
    const sending = send(visitor, name, content).then(
      ({ status }) => status,
      () => 'killed',
    );
    await until();
    await desk.kill();
    expect(await sending).toBe('killed');
    desk = await start();
  }
  const file = await visitor.fetch('GET', kept.files[0]?.url ?? '');
  expect(await file.text()).toContain('This one stays.');
  if (!isEmbedded) {
    // With MongoDB other processes may be running: an upload older than an hour belongs to none of them.
    expect(await desk.stop()).toBe(0);
    const createdAt = new Date(Date.now() - 2 * 3_600_000);
    await inRunningStore((store) => store.collection('uploads').updateMany({}, { $set: { createdAt } }));
    desk = await start();
  }
  // With MongoDB, the sweeps of a killed process keep their queue until their lease ends.
  await inRunningStore(async (store) => {
    for (const collection of ['blobs', 'uploads'])
      while ((await store.collection(collection).countDocuments()) > 1) await setTimeout(200);
  });
  expect(await desk.stop()).toBe(0);

  const store = await openStore(testStoreConfig(data.dataDir));
  const left = await countStoredFiles({ dataDir: data.dataDir, connection: store.connection });
  await store.close();
  expect(left).toMatchObject({ temporary: 0, bytes: 1, uploads: 1, blobs: 1, documents: 1, records: 1 });
  expect(left.findable).toBe(left.passages);
});
