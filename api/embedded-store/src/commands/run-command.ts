import { Double } from 'bson';
import { encode, MAX_DOCUMENT, SLACK } from '../bson/codec.ts';
import { type Doc, isDoc, isTruthy } from '../bson/values.ts';
import { StoreError } from '../errors.ts';
import { translated } from '../storage/database.ts';
import type { Store } from '../storage/store.ts';
import { aggregate } from './aggregate.ts';
import { create, drop, dropDatabase, listCollections, listDatabases } from './collections.ts';
import type { Cursors } from './cursors.ts';
import { checkCommand, numberOr } from './fields.ts';
import { count, find, getMore, killCursors } from './find.ts';
import { createIndexes, dropIndexes, listIndexes } from './indexes.ts';
import type { Command, Reply, Steps } from './request.ts';
import { deleteCommand, findAndModify, insert, update } from './write.ts';

/** Time, in ms, after which a command lets others run. Writes have more of it, as each turn ends with a commit. */
const READ_SLICE_MS = 5;
const WRITE_SLICE_MS = 16;

export interface Engine {
  store: Store;
  cursors: Cursors;
  closing: () => boolean;
}

/**
 * Runs one command and returns the reply as BSON. Never rejects: every exception becomes a reply with MongoDB's code.
 *
 * @param read decodes the command
 * @param isGone whether the client has disconnected; a command that only reads ends then
 */
export async function runCommand(engine: Engine, read: () => Doc, isGone: () => boolean): Promise<Buffer> {
  try {
    const command = read();
    if (engine.closing()) throw new StoreError(91, 'The server is in quiesce mode and will shut down');
    const name = Object.keys(command)[0] ?? '';
    const found = lookUp(name, command);
    const database = databaseOf(command);
    if (found.fields !== 'any') checkCommand(name, command, found.fields ?? {});
    const steps = found.run({ store: engine.store, cursors: engine.cursors, name, database, command });
    const reply = isSteps(steps)
      ? await drive(engine.store, steps, found, deadlineOf(command), isGone)
      : steps;
    if (found.writes) await (wantsJournal(command) ? engine.store.db.synced() : engine.store.db.committed());
    return encodeReply(reply);
  } catch (error) {
    return errorReply(error);
  }
}

const isSteps = (result: Steps | Reply): result is Steps =>
  typeof (result as Partial<Steps>).next === 'function';

function lookUp(name: string, command: Doc): Command {
  const found = COMMANDS.get(name);
  checkApi(name, command, found ? !found.unstable : STABLE_ELSEWHERE.has(name));
  if (!found) throw new StoreError(59, `no such command: '${name}'`);
  return found;
}

function checkApi(name: string, { apiVersion, apiStrict, apiDeprecationErrors }: Doc, isStable: boolean) {
  if (apiVersion === undefined) {
    if (apiStrict === undefined && apiDeprecationErrors === undefined) return;
    throw new StoreError(322, 'Provided apiStrict or apiDeprecationErrors without passing apiVersion');
  }
  if (apiVersion !== '1') throw new StoreError(322, 'API version must be "1"');
  if (apiStrict !== true || isStable) return;
  throw new StoreError(
    323,
    `Provided apiStrict:true, but the command ${name} is not in API Version 1. Information on supported commands and migrations in API Version 1 can be found at https://dochub.mongodb.org/core/manual-versioned-api`,
  );
}

const wantsJournal = ({ writeConcern }: Doc) => isDoc(writeConcern) && isTruthy(writeConcern.j);

function databaseOf({ $db }: Doc): string {
  if (typeof $db !== 'string')
    throw new StoreError(40414, "BSON field 'OP_MSG.$db' is missing but a required field");
  if ($db === '' || $db.length > 63 || /[/\\. "$\0]/.test($db))
    throw new StoreError(73, `Invalid database name: '${$db}'`);
  return $db;
}

function deadlineOf({ maxTimeMS }: Doc): number {
  const limit = Number(numberOr(maxTimeMS, 0));
  return limit > 0 ? performance.now() + limit : Number.POSITIVE_INFINITY;
}

/** Runs steps until the time slice has passed, then lets the event loop run other commands and the commit. */
async function drive(
  store: Store,
  steps: Steps,
  { writes }: Command,
  deadline: number,
  isGone: () => boolean,
): Promise<Reply> {
  for (;;) {
    const sliceEnd = performance.now() + (writes ? WRITE_SLICE_MS : READ_SLICE_MS);
    do {
      const step = steps.next();
      if (step.done) return step.value;
    } while (performance.now() < sliceEnd);
    await nextTurn(store, writes);
    try {
      if (performance.now() > deadline) throw new StoreError(50, 'operation exceeded time limit');
      if (!writes && isGone()) throw new StoreError(237, 'the client is gone');
    } catch (error) {
      steps.return({ ok: 0 });
      throw error;
    }
  }
}

/** A command that writes continues when its writes so far are committed. */
async function nextTurn(store: Store, writes: boolean | undefined): Promise<void> {
  if (writes) {
    await store.db.committed();
    await store.db.room();
  }
  await new Promise((resolve) => setImmediate(resolve));
}

/** MongoDB sends `ok` as a double. */
function encodeReply(reply: Reply): Buffer {
  const bytes = Buffer.isBuffer(reply) ? reply : encode({ ...reply, ok: new Double(1) });
  if (bytes.length > MAX_DOCUMENT + 2 * SLACK)
    throw new StoreError(10334, `The reply of ${bytes.length} bytes is larger than ${MAX_DOCUMENT}`);
  return bytes;
}

function errorReply(thrown: unknown): Buffer {
  const error = translated(thrown);
  const known = error instanceof StoreError ? error : internal(error);
  return encode({
    ok: new Double(0),
    errmsg: known.message,
    code: known.code,
    codeName: known.codeName,
    ...known.details,
  });
}

function internal(error: unknown): StoreError {
  const text = error instanceof Error ? error.message : String(error);
  return new StoreError(1, `internal error of the embedded store: ${text}`);
}

const VERSION = '7.0.0';

/** The properties of a standalone MongoDB 7.0 with sessions and without transactions. */
const HELLO = {
  maxBsonObjectSize: 16 * 1024 * 1024,
  maxMessageSizeBytes: 48_000_000,
  maxWriteBatchSize: 100_000,
  logicalSessionTimeoutMinutes: 30,
  minWireVersion: 0,
  maxWireVersion: 21,
  readOnly: false,
};

/** Drivers send fields of their own with it (client, compression, topologyVersion), which are ignored. */
const hello: Command = {
  fields: 'any',
  run: () => ({ helloOk: true, isWritablePrimary: true, ...HELLO, localTime: new Date(), ok: 1 }),
};

/** The older name of `hello`. */
const isMaster: Command = {
  fields: 'any',
  unstable: true,
  run: () => ({ helloOk: true, ismaster: true, ...HELLO, localTime: new Date(), ok: 1 }),
};

const ping: Command = { run: () => ({ ok: 1 }) };

const buildInfo: Command = {
  unstable: true,
  run: () => ({ version: VERSION, versionArray: [7, 0, 0, 0], gitVersion: 'embedded', modules: [], ok: 1 }),
};

/** Also refreshSessions. Sessions have no state here, so ending and refreshing them does nothing. */
const endSessions: Command = { run: () => ({ ok: 1 }) };

export const COMMANDS: ReadonlyMap<string, Command> = new Map(
  Object.entries({
    hello,
    isMaster,
    ismaster: isMaster,
    ping,
    buildInfo,
    buildinfo: buildInfo,
    endSessions,
    refreshSessions: endSessions,
    find,
    getMore,
    killCursors,
    count,
    aggregate,
    insert,
    update,
    delete: deleteCommand,
    findAndModify,
    createIndexes,
    dropIndexes,
    listIndexes,
    create,
    drop,
    dropDatabase,
    listCollections,
    listDatabases,
  }),
);

/** Commands of version 1 of the Stable API that the store does not support: refused as unknown, not as unstable. */
export const STABLE_ELSEWHERE: ReadonlySet<string> = new Set([
  'abortTransaction',
  'authenticate',
  'collMod',
  'commitTransaction',
  'explain',
]);
