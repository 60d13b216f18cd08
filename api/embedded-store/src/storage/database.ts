import { chmodSync, closeSync, existsSync, openSync } from 'node:fs';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { setTimeout } from 'node:timers/promises';
import { StoreError } from '../errors.ts';
import { createScrubber, pagesInWal, type Scrubbed } from './scrub.ts';
import type { Checkpointer } from './start-checkpointer.ts';

/** The thread that checkpoints the WAL, see `startCheckpointer`. */
type Checkpoints = Pick<Checkpointer, 'inWal' | 'backlog' | 'scrub' | 'resume'>;

export type Database = ReturnType<typeof openDatabase>;

const MAX_STATEMENTS = 500;
const BUSY_MS = 2000;
/** WAL pages that are not checkpointed yet, above which commands with many writes wait. */
const MAX_BACKLOG = 2000;
const FEW = 500;
/** Pages; 64 MB. In a long WAL, pages that change often are written to the data file only once. */
const LONG_WAL = 16_000;
const CHECK_MS = 5;
/** Timeout of `j: true`, in ms. */
const EMPTY_MS = 60_000;
/** "desk", marks data files of this store. */
const APPLICATION_ID = 0x6465736b;
const FORMAT = 1;

/** Private whatever the umask is: they contain the cookies' secret. The WAL gets the data file's mode. */
function makePrivate(file: string): void {
  closeSync(openSync(file, 'a', 0o600));
  for (const path of [file, `${file}-wal`, `${file}-shm`]) if (existsSync(path)) chmodSync(path, 0o600);
}

/**
 * The SQLite file. All writes of one turn of the event loop share one transaction (group commit); each has a savepoint, so that a failed write
 * does not roll back the others.
 */
export function openDatabase(file: string) {
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
  let checkpoints: Checkpoints | undefined;

  /** A cached prepared statement. */
  const statement = (sql: string): StatementSync => {
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
    // Without a listener a failed commit would be an unhandled rejection.
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

  /** Checkpoints in this thread when the WAL is long and almost all of it is checkpointed, so that SQLite can start it again from its beginning. */
  function shortenWal(): void {
    if (!checkpoints || emptying) return;
    if (checkpoints.inWal() < LONG_WAL || checkpoints.backlog() > FEW) return;
    statement('PRAGMA wal_checkpoint(PASSIVE)').get();
  }

  /** The other thread scrubs most of the file while commands run; this thread does the rest within one turn. */
  async function scrubbedAndEmptied(): Promise<void> {
    const giveUp = performance.now() + EMPTY_MS;
    // Also the pages of attempts that checkpointed without emptying the WAL.
    const pages = new Set<number>();
    try {
      const scrubbed = await checkpoints?.scrub();
      while (!emptied(pages, scrubbed)) {
        if (performance.now() > giveUp) throw notEmptied(file);
        await setTimeout(CHECK_MS);
      }
    } finally {
      checkpoints?.resume();
    }
  }

  function emptied(pages: Set<number>, scrubbed: Scrubbed | undefined): boolean {
    commit();
    for (const page of pagesInWal(file, scrubbed).pages) pages.add(page);
    statement('PRAGMA busy_timeout = 0').get();
    const found = statement('PRAGMA wal_checkpoint(TRUNCATE)').get();
    statement(`PRAGMA busy_timeout = ${BUSY_MS}`).get();
    if (Number(found?.busy) !== 0) return false;
    if (checkpoints) scrubber.pages(pages);
    else scrubber.all();
    scrubber.sync();
    // The page cache still contains the bytes that were overwritten in the file.
    sqlite.exec('PRAGMA shrink_memory');
    return true;
  }

  return {
    /** How many index entries and documents were read. */
    counts: { entries: 0, rows: 0 },
    /** The descriptor of the data file, for scrubbing. */
    fd,
    statement,
    exec: (sql: string): void => sqlite.exec(sql),
    /** Registers what to undo in memory when the running write or its transaction is rolled back; called in reverse order. */
    onUndo: (undo: () => void): unknown => undos.push(undo),
    /** Resolves when this turn's transaction is committed, at once if there is none; rejects when committing failed. */
    committed: (): Promise<void> => batch?.promise ?? Promise.resolve(),

    /** As `committed`, then scrubs, syncs and empties the WAL: no file keeps data that was deleted. */
    async synced(): Promise<void> {
      await batch?.promise;
      // A run in progress may already have passed the pages of this write.
      await emptying?.catch(() => {});
      emptying ??= scrubbedAndEmptied().finally(() => {
        emptying = undefined;
      });
      await emptying;
    },

    /** Resolves when the WAL is short enough for a command with many writes to continue. */
    async room(): Promise<void> {
      while (checkpoints && checkpoints.backlog() > MAX_BACKLOG) await setTimeout(CHECK_MS);
    },

    /** From now on this thread checkpoints the WAL. */
    useCheckpointer(checkpointer: Checkpoints): void {
      checkpoints = checkpointer;
      sqlite.exec('PRAGMA wal_autocheckpoint = 0');
    },

    /** Runs a write atomically, in a savepoint of this turn's transaction. */
    atomically<T>(work: () => T): T {
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

    close(): void {
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
    `The write is in the WAL, which could not be emptied within ${EMPTY_MS} ms, as another program reads ${file}`,
  );

function configure(sqlite: DatabaseSync): void {
  sqlite.exec(`PRAGMA busy_timeout = ${BUSY_MS}`);
  sqlite.exec('PRAGMA journal_mode = WAL');
  // Committed data survives the end of the process; a power failure may lose the last moments, unless `synced`.
  sqlite.exec('PRAGMA synchronous = NORMAL');
  sqlite.exec('PRAGMA cache_size = -32768');
  sqlite.exec('PRAGMA journal_size_limit = 67108864');
  sqlite.exec(`PRAGMA wal_autocheckpoint = ${LONG_WAL}`);
  // Overwrites deleted content with zeros; no measurable cost.
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

/** SQLite's errors as MongoDB's. The primary result code is the low byte. Source: sqlite.org/rescode.html */
export function translated(error: unknown): unknown {
  const code = (error as { errcode?: number }).errcode;
  if (typeof code !== 'number') return error;
  const message = (error as Error).message;
  if (message.startsWith('no such table'))
    return new StoreError(175, 'The collection or index was dropped while the command was running');
  if ((code & 0xff) === SQLITE_FULL)
    return new StoreError(14031, `No space left for the data file: ${message}`);
  return new StoreError(1, `The data file refused: ${message} (SQLite ${code})`);
}
