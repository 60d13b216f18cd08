import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { pagesInWal } from './scrub.ts';

let folder: string;
let file: string;
let sqlite: DatabaseSync;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'desk-wal-'));
  file = join(folder, 'store.sqlite');
  sqlite = new DatabaseSync(file);
  sqlite.exec('PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0');
  sqlite.exec('CREATE TABLE t (id INTEGER PRIMARY KEY, body BLOB)');
});
afterEach(() => {
  sqlite.close();
  rmSync(folder, { recursive: true, force: true });
});

const insert = (bytes: number) =>
  sqlite.prepare('INSERT INTO t (body) VALUES (?)').run(Buffer.alloc(bytes, 1));
const runCheckpoint = () => Number(sqlite.prepare('PRAGMA wal_checkpoint(PASSIVE)').get()?.checkpointed);

test('lists the pages after the checkpointed frames, and all pages of a WAL that started again', () => {
  insert(100_000);
  const first = pagesInWal(file);
  expect(first.pages.size).toBeGreaterThan(20);
  const scrubbed = { wal: first.wal, frames: runCheckpoint() };
  expect(pagesInWal(file, scrubbed)).toEqual({ wal: first.wal, pages: new Set() });

  // After a complete checkpoint the next write starts at the beginning of the WAL, whose file does not shrink.
  insert(10);
  const second = pagesInWal(file, scrubbed);
  expect(second.wal).not.toBe(first.wal);
  expect(second.pages.size).toBeGreaterThan(0);
  expect(second.pages.size).toBeLessThan(5);

  // Its pages are listed until `scrubbed` covers them.
  insert(50_000);
  const third = pagesInWal(file, scrubbed);
  expect(third.wal).toBe(second.wal);
  expect([...third.pages]).toEqual(expect.arrayContaining([...second.pages]));
  expect(third.pages.size).toBeGreaterThan(10);
});
