import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { expect } from '@jest/globals';
import { openEmbeddedStore } from 'embedded-store/open-embedded-store.ts';
import mongoose from 'mongoose';

const WRITER = fileURLToPath(new URL('./store-writer.ts', import.meta.url));

/**
 * Kills a process that writes into the embedded store, once per round after the given number of acknowledged
 * writes, and checks the remaining data.
 */
export async function killStoreWriter(rounds: readonly number[]): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'desk-kill-'));
  try {
    const acknowledged: number[] = [];
    const socketDirs: string[] = [];
    for (const [round, enough] of rounds.entries()) {
      acknowledged.push(...(await writeAndKill(dataDir, round * 1_000_000, enough)));
      socketDirs.push(await readFile(join(dataDir, 'store.socket'), 'utf8'));
    }
    expect(acknowledged.length).toBeGreaterThanOrEqual(rounds.reduce((sum, n) => sum + n, 0));
    await checkWritten(dataDir, acknowledged, socketDirs);
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function checkWritten(dataDir: string, acknowledged: number[], socketDirs: string[]): Promise<void> {
  const store = await openEmbeddedStore({ dataDir });
  const client = await mongoose.mongo.MongoClient.connect(store.uri);
  const docs = client.db('desk').collection<{ _id: number; at: number }>('written');
  const found = new Map((await docs.find({}).toArray()).map(({ _id, at }) => [_id, at]));
  expect(acknowledged.filter((id) => found.get(id) !== id + 1)).toEqual([]);
  // Every index key leads to its document, and every document has its key.
  expect(await docs.countDocuments({ at: { $gte: 0 } })).toBe(found.size);
  expect((await docs.find({ at: { $gte: 0 } }).toArray()).length).toBe(found.size);
  await client.close();
  await store.close();
  const sockets = await readdir(tmpdir());
  const last = await readFile(join(dataDir, 'store.socket'), 'utf8');
  expect([...socketDirs, last].filter((dir) => sockets.includes(basename(dir)))).toEqual([]);

  const file = new DatabaseSync(join(dataDir, 'store.sqlite'));
  expect(file.prepare('PRAGMA integrity_check').all()).toEqual([{ integrity_check: 'ok' }]);
  file.close();
}

async function writeAndKill(dataDir: string, from: number, enough: number): Promise<number[]> {
  const writer = spawn(process.execPath, [WRITER, dataDir, String(from)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = '';
  writer.stdout.setEncoding('utf8');
  for await (const text of writer.stdout) {
    said += text;
    if (said.split('\n').length > enough) writer.kill('SIGKILL');
  }
  if (writer.signalCode === null) await once(writer, 'exit');
  expect(writer.signalCode).toBe('SIGKILL');
  return said.split('\n').slice(0, -1).map(Number);
}
