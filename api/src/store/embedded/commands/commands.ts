import { AGGREGATE_FIELDS, aggregate } from './aggregate.ts';
import {
  CREATE_FIELDS,
  create,
  DROP_DATABASE_FIELDS,
  drop,
  dropDatabase,
  LIST_COLLECTIONS_FIELDS,
  LIST_DATABASES_FIELDS,
  listCollections,
  listDatabases,
} from './collections.ts';
import type { Fields } from './fields.ts';
import {
  COUNT_FIELDS,
  count,
  FIND_FIELDS,
  find,
  GET_MORE_FIELDS,
  getMore,
  KILL_CURSORS_FIELDS,
  killCursors,
} from './find.ts';
import { FIND_AND_MODIFY_FIELDS, findAndModify } from './find-and-modify.ts';
import { buildInfo, endSessions, hello, ping } from './handshake.ts';
import {
  CREATE_INDEXES_FIELDS,
  createIndexes,
  DROP_INDEXES_FIELDS,
  dropIndexes,
  LIST_INDEXES_FIELDS,
  listIndexes,
} from './indexes.ts';
import type { Reply, Request, Steps } from './request.ts';
import {
  DELETE_FIELDS,
  delete as deleteCommand,
  INSERT_FIELDS,
  insert,
  UPDATE_FIELDS,
  update,
} from './write.ts';

export interface Command {
  /** Runs in steps, or replies at once. */
  run(request: Request): Steps | Reply;
  /** The reply is sent after the transaction with its writes was committed. */
  writes: boolean;
  /** Part of MongoDB's Stable API version 1. */
  stable: boolean;
  /** The fields it may have; undefined for any. */
  fields: Fields | undefined;
}

const reads = (run: Command['run'], fields: Fields | undefined = {}): Command => ({
  run,
  writes: false,
  stable: true,
  fields,
});
const writes = (run: Command['run'], fields: Fields = {}): Command => ({
  run,
  writes: true,
  stable: true,
  fields,
});
const unstable = (command: Command): Command => ({ ...command, stable: false });
/** Drivers send fields of their own with it. */
const handshake: Command = { ...reads(hello), fields: undefined };

/** The supported commands. */
export const COMMANDS: ReadonlyMap<string, Command> = new Map(
  Object.entries({
    hello: handshake,
    isMaster: unstable(handshake),
    ismaster: unstable(handshake),
    ping: reads(ping),
    buildInfo: unstable(reads(buildInfo)),
    buildinfo: unstable(reads(buildInfo)),
    endSessions: reads(endSessions),
    refreshSessions: reads(endSessions),
    find: reads(find, FIND_FIELDS),
    getMore: reads(getMore, GET_MORE_FIELDS),
    killCursors: reads(killCursors, KILL_CURSORS_FIELDS),
    count: reads(count, COUNT_FIELDS),
    aggregate: reads(aggregate, AGGREGATE_FIELDS),
    insert: writes(insert, INSERT_FIELDS),
    update: writes(update, UPDATE_FIELDS),
    delete: writes(deleteCommand, DELETE_FIELDS),
    findAndModify: writes(findAndModify, FIND_AND_MODIFY_FIELDS),
    createIndexes: writes(createIndexes, CREATE_INDEXES_FIELDS),
    dropIndexes: writes(dropIndexes, DROP_INDEXES_FIELDS),
    listIndexes: reads(listIndexes, LIST_INDEXES_FIELDS),
    create: writes(create, CREATE_FIELDS),
    drop: writes(drop),
    dropDatabase: writes(dropDatabase, DROP_DATABASE_FIELDS),
    listCollections: reads(listCollections, LIST_COLLECTIONS_FIELDS),
    listDatabases: reads(listDatabases, LIST_DATABASES_FIELDS),
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
