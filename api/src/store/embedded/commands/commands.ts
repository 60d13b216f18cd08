import { aggregate } from './aggregate.ts';
import { create, drop, dropDatabase, listCollections, listDatabases } from './collections.ts';
import { count, find, getMore, killCursors } from './find.ts';
import { findAndModify } from './find-and-modify.ts';
import { buildInfo, endSessions, hello, ping } from './handshake.ts';
import { createIndexes, dropIndexes, listIndexes } from './indexes.ts';
import type { Reply, Request, Steps } from './request.ts';
import { delete as deleteCommand, insert, update } from './write.ts';

export interface Command {
  /** Steps, or an answer at once. */
  run(request: Request): Steps | Reply;
  /** Answered only once what it wrote is in the file. */
  writes: boolean;
  /** Part of MongoDB's Stable API version 1. */
  stable: boolean;
}

const reads = (run: Command['run'], stable = true): Command => ({ run, writes: false, stable });
const writes = (run: Command['run']): Command => ({ run, writes: true, stable: true });

/** Everything the store answers to. */
export const COMMANDS: ReadonlyMap<string, Command> = new Map(
  Object.entries({
    hello: reads(hello),
    isMaster: reads(hello, false),
    ismaster: reads(hello, false),
    ping: reads(ping),
    buildInfo: reads(buildInfo, false),
    buildinfo: reads(buildInfo, false),
    endSessions: reads(endSessions),
    refreshSessions: reads(endSessions),
    find: reads(find),
    getMore: reads(getMore),
    killCursors: reads(killCursors),
    count: reads(count),
    aggregate: reads(aggregate),
    insert: writes(insert),
    update: writes(update),
    delete: writes(deleteCommand),
    findAndModify: writes(findAndModify),
    createIndexes: writes(createIndexes),
    dropIndexes: writes(dropIndexes),
    listIndexes: reads(listIndexes),
    create: writes(create),
    drop: writes(drop),
    dropDatabase: writes(dropDatabase),
    listCollections: reads(listCollections),
    listDatabases: reads(listDatabases),
  }),
);

/** In version 1 of the Stable API, though not here: without these the refusal would name the wrong reason. */
export const STABLE_ELSEWHERE: ReadonlySet<string> = new Set([
  'abortTransaction',
  'authenticate',
  'collMod',
  'commitTransaction',
  'explain',
]);
