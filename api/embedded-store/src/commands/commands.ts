import { aggregate } from './aggregate.ts';
import { create, drop, dropDatabase, listCollections, listDatabases } from './collections.ts';
import { count, find, getMore, killCursors } from './find.ts';
import { findAndModify } from './find-and-modify.ts';
import { buildInfo, endSessions, hello, isMaster, ping } from './handshake.ts';
import { createIndexes, dropIndexes, listIndexes } from './indexes.ts';
import type { Command } from './request.ts';
import { deleteCommand, insert, update } from './write.ts';

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
