import { aggregate } from './aggregate.ts';
import { create, drop, dropDatabase, listCollections, listDatabases } from './collections.ts';
import { count, find, getMore, killCursors } from './find.ts';
import { createIndexes, dropIndexes, listIndexes } from './indexes.ts';
import type { Command } from './request.ts';
import { deleteCommand, findAndModify, insert, update } from './write.ts';

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
