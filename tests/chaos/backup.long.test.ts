import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { PredictAnswer } from '../../api/src/contract/chat.ts';
import { createDiskFileStore } from '../../api/src/files/storage/disk-file-store.ts';
import { openStore } from '../../api/src/store/open-store.ts';
import {
  isEmbedded,
  keepHistory,
  removeTestData,
  testStoreConfig,
} from '../../api/src/testing/test-database.ts';
import { createVisitor, type Visitor } from '../../api/src/testing/visitor.ts';
import { findMongod } from '../mongod/find-mongod.ts';
import { startMongod } from '../mongod/start-mongod.ts';
import { type Desk, startDesk, temporaryDataDir } from '../start-desk.ts';

const root = path.join(import.meta.dirname, '../..');
/** Records and files that are moved. */
const many = {
  records: Number(process.env.MOVED_RECORDS ?? 20_000),
  files: Number(process.env.MOVED_FILES ?? 300),
};

let folder: string;
let data: Awaited<ReturnType<typeof temporaryDataDir>>;
let desk: Desk | undefined;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'desk-backup-'));
  data = await temporaryDataDir();
  await keepHistory(300);
});
afterAll(async () => {
  await keepHistory(0);
  await desk?.kill();
  await data?.remove();
  await rm(folder, { recursive: true, force: true });
});

const envOf = (dataDir: string): Record<string, string> => {
  const { mongodbUri } = testStoreConfig(dataDir);
  return { DATA_DIR: dataDir, ...(mongodbUri ? { MONGODB_URI: mongodbUri } : {}) };
};

/** Runs `npm run db -- …` in a process of its own; `onLine` may kill it. */
async function db(
  env: Record<string, string>,
  argv: string[],
  onLine: (line: string, child: ChildProcess) => void = () => undefined,
): Promise<{ code: number | null; output: string }> {
  const child = spawn(process.execPath, ['api/src/cli/db/db.ts', ...argv], {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  createInterface({ input: child.stdout }).on('line', (line) => {
    output += `${line}\n`;
    onLine(line, child);
  });
  child.stderr.on('data', (chunk) => {
    output += chunk;
  });
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { code, output };
}

async function send(visitor: Visitor, text: string): Promise<PredictAnswer> {
  const body = new FormData();
  body.append('text', text);
  body.append('file', new Blob([`# ${text}\n\nThe answer to ${text}.\n`]), 'note.md');
  const response = await visitor.fetch('POST', '/api/predict', { body });
  if (response.status !== 200) throw new Error(`POST /api/predict: ${response.status}`);
  return (await response.json()) as PredictAnswer;
}

test('a backup taken under load has every record and file that was acknowledged before it', async () => {
  desk = await startDesk({ dataDir: data.dataDir, isApiAlone: true });
  const visitors = Array.from({ length: 4 }, () => createVisitor(() => desk!.url));
  const acknowledged: { visitor: Visitor; text: string; answer: PredictAnswer }[] = [];
  const enough = Promise.withResolvers<void>();
  let isOver = false;
  const asking = visitors.map(async (visitor, who) => {
    for (let n = 0; !isOver; n += 1) {
      const text = `Question ${n} of visitor ${who}`;
      acknowledged.push({ visitor, text, answer: await send(visitor, text) });
      if (acknowledged.length === 20) enough.resolve();
    }
  });
  await enough.promise;
  const before = acknowledged.length;
  const backup = path.join(folder, 'backup');
  const made = await db(envOf(data.dataDir), ['backup', backup]);
  const after = acknowledged.length;
  isOver = true;
  await Promise.all(asking);
  expect(made).toMatchObject({ code: 0 });
  // The desk has answered meanwhile.
  expect(after).toBeGreaterThan(before);
  expect(await desk.stop()).toBe(0);

  const restored = path.join(folder, 'restored');
  expect(await db(envOf(data.dataDir), ['verify', backup])).toMatchObject({ code: 0 });
  expect(await db(envOf(restored), ['restore', backup])).toMatchObject({ code: 0 });
  desk = await startDesk({ dataDir: restored, isApiAlone: true });
  for (const { visitor, text, answer } of acknowledged.slice(0, before)) {
    const { body } = await visitor.call<{ question: string }>('GET', `/api/records/${answer.recordId}`);
    expect(body).toMatchObject({ question: text, status: 'done' });
    const file = await visitor.fetch('GET', answer.files[0]!.url);
    expect(await file.text()).toContain(`The answer to ${text}.`);
  }
  await send(visitors[0]!, 'A question after the restore');
  expect(await desk.stop()).toBe(0);
  desk = undefined;
  const { code, output } = await db(envOf(restored), ['check']);
  // A failure shows what the command said.
  expect([code, output]).toEqual([0, expect.any(String)]);
  await removeTestData(restored);
});

test('records and files are moved to MongoDB and back with equal checksums, though interrupted twice', async () => {
  const mongod = isEmbedded ? findMongod() : { missing: 'the stores under test are MongoDB' };
  if (mongod.missing !== undefined) {
    console.warn(`not tested: ${mongod.missing}`);
    return;
  }
  const from = path.join(folder, 'from');
  await fill(from);
  const server = await startMongod({ binary: mongod.path! });
  try {
    const uri = server.uri.replace('/?', '/moved?');
    const there = await moveWithKills({ DATA_DIR: from }, uri);
    const back = path.join(folder, 'back');
    const again = await moveWithKills({ DATA_DIR: from, MONGODB_URI: uri }, back);
    expect(again).toEqual(there);
    expect(there.find((line) => line.endsWith('  records'))).toContain(` ${many.records}  `);
    const check = await db({ DATA_DIR: back }, ['check']);
    expect(check.output).not.toMatch(/missing: |orphan: /);
  } finally {
    await server.end();
  }
});

/** Fills an embedded store with records and files that refer to each other. */
async function fill(dataDir: string): Promise<void> {
  const store = await openStore({ mongodbUri: null, dataDir });
  const files = createDiskFileStore(path.join(dataDir, 'files'));
  const { ObjectId } = store.connection.base.mongo;
  for (let from = 0; from < many.records; from += 1000) {
    const some = Array.from({ length: Math.min(1000, many.records - from) }, (_, n) => ({
      _id: new ObjectId(),
      owner: `guest:${n % 7}`,
      question: `Question ${from + n}`,
      answer: 'A sentence of the answer. '.repeat(100),
      ratio: (from + n) / 3,
      whole: 2,
    }));
    await store.connection.collection('records').insertMany(some);
  }
  for (let n = 0; n < many.files; n += 1) {
    const hash = n.toString(16).padStart(64, '0');
    const key = `blobs/${hash.slice(0, 2)}/${hash}.${Date.now()}-00`;
    await files.put(key, Buffer.alloc(5000 + n, `file ${n}`));
    const upload = {
      _id: `upload-${n}`,
      blob: hash,
      recordId: new ObjectId(),
      name: `${n}.txt`,
      size: 5000 + n,
    };
    await store.connection.collection<{ _id: string }>('uploads').insertOne(upload);
    await store.connection
      .collection<{ _id: string }>('blobs')
      .insertOne({ _id: hash, key } as { _id: string });
  }
  await store.close();
}

/** Kills the command while documents are copied and while files are, then lets it finish. Returns its checksums. */
async function moveWithKills(env: Record<string, string>, to: string): Promise<string[]> {
  for (const name of ['blobs:', 'uploads:']) {
    const { code, output } = await db(env, ['migrate', '--to', to], (line, child) => {
      // A part of what follows is copied.
      if (line.startsWith(name)) setTimeout(() => child.kill('SIGKILL'), name === 'blobs:' ? 300 : 100);
    });
    expect({ code, output }).toEqual({ code: null, output: expect.not.stringContaining('Everything') });
  }
  const { code, output } = await db(env, ['migrate', '--to', to]);
  expect({ code, output }).toEqual({
    code: 0,
    output: expect.stringContaining('Continuing the interrupted copy'),
  });
  return output.match(/^[0-9a-f]{64} .*$/gm)!.sort();
}
