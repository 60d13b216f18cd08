import { chmodSync, closeSync, existsSync, openSync } from 'node:fs';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { setTimeout } from 'node:timers/promises';
import { StoreError } from '../errors.ts';
import { createScrubber, pagesInWal, type Scrubbed } from './scrub.ts';
import type { Checkpointer } from './start-checkpointer.ts';

/** What one command read, in index entries and in documents. */
export interface ReadCounts {
  entries: number;
  rows: number;
}

/** Who folds the WAL back; see `startCheckpointer`. */
export type Checkpoints = Pick<Checkpointer, 'inWal' | 'backlog' | 'scrub' | 'goOn'>;

/**
 * The SQLite file. All writes of one turn of the event loop share one transaction (a group commit); each
 * runs within a savepoint of its own, so that one that fails takes nothing of the others along.
 */
export interface Database {
  exec(sql: string): void;
  /** A statement, prepared once. */
  statement(sql: string): StatementSync;
  /** Runs a write whole or not at all, within this turn's transaction. */
  atomically<T>(work: () => T): T;
  /** Called backwards when the write that is running, or its transaction, is rolled back. */
  onUndo(undo: () => void): void;
  /** Resolves when this turn's transaction is in the file; rejects when it is not. At once if nothing was written. */
  committed(): Promise<void>;
  /**
   * As `committed`, and beyond the operating system's caches, in the data file itself with an empty WAL: for writes that ask for `j: true`.
   * So once a deletion has answered, nothing in the data folder holds what it deleted.
   */
  synced(): Promise<void>;
  /** Resolves when the WAL is short enough for a command that writes much to go on. */
  room(): Promise<void>;
  /** From now on somebody else folds the WAL back. */
  leaveCheckpoints(to: Checkpoints): void;
  counts: ReadCounts;
  /** The data file, for who scrubs it. */
  fd: number;
  close(): void;
}

const MAX_STATEMENTS = 500;
const BUSY_MS = 2000;
/** Pages of the WAL that a command which writes much may be ahead of the data file. */
const MOST_BEHIND = 2000;
const FEW = 500;
/** 64 MB; pages that change often are then written once. */
const LONG_WAL = 16_000;
const CHECK_MS = 5;
/** How long `j: true` tries. */
const EMPTY_MS = 60_000;
/** Marks the file as one of ours: "desk". */
const APPLICATION_ID = 0x6465736b;
const FORMAT = 1;

/**
 * The store holds the secret that signs cookies: its files are this user's alone, whatever the umask was when they were made. SQLite gives
 * the WAL and its index the mode of the data file.
 */
function makePrivate(file: string): void {
  closeSync(openSync(file, 'a', 0o600));
  for (const path of [file, `${file}-wal`, `${file}-shm`]) if (existsSync(path)) chmodSync(path, 0o600);
}

export function openDatabase(file: string): Database {
  makePrivate(file);
  const sqlite = new DatabaseSync(file);
  configure(sqlite);
  checkFormat(sqlite, file);
  const fd = openSync(file, 'r+');
  const scrubber = createScrubber(fd);
  const statements = new Map<string, StatementSync>();
  let undos: (() => void)[] = [];
  let batch: PromiseWithResolvers<void> | undefined;
  let emptying: Promise<void> | undefined;
  let others: Checkpoints | undefined;

  const statement = (sql: string) => {
    let prepared = statements.get(sql);
    if (prepared) return prepared;
    if (statements.size >= MAX_STATEMENTS) statements.clear();
    prepared = sqlite.prepare(sql);
    statements.set(sql, prepared);
    return prepared;
  };

  const undoTo = (mark: number) => {
    for (const undo of undos.splice(mark).reverse()) undo();
  };

  const begin = () => {
    if (batch) return;
    statement('BEGIN IMMEDIATE').run();
    batch = Promise.withResolvers();
    // A batch without anyone waiting must not end the process when it fails.
    batch.promise.catch(() => {});
    setImmediate(commit);
  };

  const fail = (error: unknown) => {
    if (sqlite.isTransaction) statement('ROLLBACK').run();
    undoTo(0);
    batch?.reject(translated(error));
    batch = undefined;
  };

  function commit(): void {
    if (!batch) return;
    try {
      statement('COMMIT').run();
    } catch (error) {
      fail(error);
      return;
    }
    undos = [];
    const done = batch;
    batch = undefined;
    done.resolve();
    shortenWal();
  }

  /** Where somebody else folds the WAL back, the writer does it only when the WAL is long and little is left to do. */
  function shortenWal(): void {
    if (!others || emptying || others.inWal() < LONG_WAL || others.backlog() > FEW) return;
    statement('PRAGMA wal_checkpoint(PASSIVE)').get();
  }

  /** First what takes long, beside the commands; then, in one turn of this thread, the little that is left. */
  async function scrubbedAndEmptied(): Promise<void> {
    const giveUp = performance.now() + EMPTY_MS;
    // Also those of a try that folded without emptying.
    const pages = new Set<number>();
    try {
      const scrubbed = await others?.scrub();
      while (!emptied(pages, scrubbed)) {
        if (performance.now() > giveUp) throw notEmptied(file);
        await setTimeout(CHECK_MS);
      }
    } finally {
      others?.goOn();
    }
  }

  function emptied(pages: Set<number>, scrubbed: Scrubbed | undefined): boolean {
    commit();
    for (const page of pagesInWal(file, scrubbed).pages) pages.add(page);
    statement('PRAGMA busy_timeout = 0').get();
    const found = statement('PRAGMA wal_checkpoint(TRUNCATE)').get();
    statement(`PRAGMA busy_timeout = ${BUSY_MS}`).get();
    if (Number(found?.busy) !== 0) return false;
    if (others) scrubber.pages(pages);
    else scrubber.all();
    scrubber.sync();
    // The pages in memory still have what the file has not any more.
    sqlite.exec('PRAGMA shrink_memory');
    return true;
  }

  return {
    counts: { entries: 0, rows: 0 },
    fd,
    statement,
    exec: (sql) => sqlite.exec(sql),
    onUndo: (undo) => undos.push(undo),
    committed: () => batch?.promise ?? Promise.resolve(),

    async synced() {
      await batch?.promise;
      // Not the one that is under way: it may have passed by what this write deleted.
      await emptying?.catch(() => {});
      emptying ??= scrubbedAndEmptied().finally(() => {
        emptying = undefined;
      });
      await emptying;
    },

    async room() {
      while (others && others.backlog() > MOST_BEHIND) await setTimeout(CHECK_MS);
    },

    leaveCheckpoints(to) {
      others = to;
      sqlite.exec('PRAGMA wal_autocheckpoint = 0');
    },

    atomically(work) {
      try {
        begin();
        statement('SAVEPOINT one').run();
      } catch (error) {
        throw translated(error);
      }
      const mark = undos.length;
      try {
        const result = work();
        statement('RELEASE one').run();
        return result;
      } catch (error) {
        if (!sqlite.isTransaction) fail(error);
        else {
          statement('ROLLBACK TO one').run();
          statement('RELEASE one').run();
          undoTo(mark);
        }
        throw translated(error);
      }
    },

    close() {
      commit();
      statements.clear();
      sqlite.exec('PRAGMA wal_checkpoint(TRUNCATE)');
      sqlite.close();
      closeSync(fd);
    },
  };
}

const notEmptied = (file: string) =>
  new StoreError(
    64,
    `The write is in the WAL, which could not be folded into the data file within ${EMPTY_MS} ms: another program reads ${file}`,
  );

function configure(sqlite: DatabaseSync): void {
  sqlite.exec(`PRAGMA busy_timeout = ${BUSY_MS}`);
  sqlite.exec('PRAGMA journal_mode = WAL');
  // What is committed outlives this process at once; a power cut may take the last moments, unless `synced`.
  sqlite.exec('PRAGMA synchronous = NORMAL');
  sqlite.exec('PRAGMA cache_size = -65536');
  sqlite.exec('PRAGMA journal_size_limit = 67108864');
  sqlite.exec(`PRAGMA wal_autocheckpoint = ${LONG_WAL}`);
  // What is deleted is overwritten, so that no raw file holds it; measured, it costs nothing to speak of.
  sqlite.exec('PRAGMA secure_delete = ON');
  sqlite.exec('PRAGMA temp_store = MEMORY');
}

function checkFormat(sqlite: DatabaseSync, file: string): void {
  const id = Number(sqlite.prepare('PRAGMA application_id').get()?.application_id);
  const format = Number(sqlite.prepare('PRAGMA user_version').get()?.user_version);
  if (id === APPLICATION_ID && format === FORMAT) return;
  const tables = Number(sqlite.prepare('SELECT count(*) AS n FROM sqlite_schema').get()?.n);
  if (tables > 0) {
    sqlite.close();
    throw new Error(
      `${file} is not a data file of this store (application ${id}, format ${format}, wanted ${FORMAT})`,
    );
  }
  sqlite.exec(`PRAGMA application_id = ${APPLICATION_ID}`);
  sqlite.exec(`PRAGMA user_version = ${FORMAT}`);
}

const SQLITE_FULL = 13;

/** SQLite's own errors in MongoDB's words; the primary code is the low byte. Source: sqlite.org/rescode.html */
export function translated(error: unknown): unknown {
  const code = (error as { errcode?: number }).errcode;
  if (typeof code !== 'number') return error;
  const message = (error as Error).message;
  if (message.startsWith('no such table')) {
    return new StoreError(175, 'The collection or index was dropped while the command was running');
  }
  if ((code & 0xff) === SQLITE_FULL)
    return new StoreError(14031, `No space left for the data file: ${message}`);
  return new StoreError(1, `The data file refused: ${message} (SQLite ${code})`);
}
