import type { Long } from 'bson';
import { encode } from '../bson/codec.ts';
import { type Doc, isNum, isTruthy, kindOf, type Value } from '../bson/values.ts';
import { StoreError } from '../errors.ts';
import { compileProjection, compileRawProjection } from '../query/projection.ts';
import { parseSort } from '../storage/index-keys.ts';
import { docOf, type Row } from '../storage/paging.ts';
import { countEntries } from '../storage/scan.ts';
import { mapped, type Source } from '../storage/sources.ts';
import { findRows, plannedFor } from '../storage/store.ts';
import { words } from '../unsupported-names.ts';
import { numberOr } from './fields.ts';
import { type Command, collectionName, findCollection } from './request.ts';

/** `find`. Documents are sent with the bytes they were stored with, unless a projection changes them. */
export const find: Command = {
  fields: {
    optional: {
      filter: 'object',
      sort: 'object',
      projection: 'object',
      limit: 'natural',
      skip: 'natural',
      batchSize: 'natural',
      singleBatch: 'bool',
    },
    refused: ['hint', 'collation', 'let', 'allowDiskUse', 'allowPartialResults'],
    unstable: words('min max returnKey showRecordId tailable awaitData oplogReplay noCursorTimeout'),
  },
  run(request) {
    const { command, cursors, store, database } = request;
    const collection = findCollection(request);
    const rows = findRows(store, collection, {
      filter: (command.filter ?? {}) as Doc,
      sort: parseSort((command.sort ?? {}) as Doc),
      limit: numberOr(command.limit, 0),
      skip: numberOr(command.skip, 0),
      idsOnly: asksForIdAlone(command.projection as Doc | undefined),
    });
    return cursors.first(
      `${database}.${collectionName(request)}`,
      projected(rows, command.projection as Doc | undefined),
      {
        batchSize: numberOr(command.batchSize, undefined),
        single: isTruthy(command.singleBatch),
        collection,
      },
    );
  },
};

function asksForIdAlone(projection: Doc | undefined): boolean {
  const id = projection?._id;
  return id !== undefined && Object.keys(projection as Doc).length === 1 && isNum(id) && Number(id) !== 0;
}

function projected(rows: Source<Row>, projection: Doc | undefined): Source<Buffer> {
  const project = compileProjection(projection);
  const raw = compileRawProjection(projection);
  if (raw) return mapped(rows, ({ body }) => raw(body));
  return mapped(rows, project ? (row) => encode(project(docOf(row))) : ({ body }) => body);
}

export const getMore: Command = {
  fields: { required: { collection: 'string' }, optional: { batchSize: 'natural' } },
  run(request) {
    const { command, cursors, database } = request;
    const name = collectionName(request, 'collection');
    return cursors.next(
      cursorId(command.getMore as Value, 'getMore.getMore'),
      `${database}.${name}`,
      numberOr(command.batchSize, undefined),
    );
  },
};

/** Ends cursors, and lists those that it did not find. */
export const killCursors: Command = {
  fields: { required: { cursors: 'array' } },
  run({ command, cursors }) {
    const ids = (command.cursors as Value[])
      .map((value, i) => ({ value, id: cursorId(value, `killCursors.cursors.${i}`) }))
      .map(({ value, id }) => ({ value, killed: cursors.kill(id) }));
    return {
      cursorsKilled: ids.filter(({ killed }) => killed).map(({ value }) => value),
      cursorsNotFound: ids.filter(({ killed }) => !killed).map(({ value }) => value),
      cursorsAlive: [],
      cursorsUnknown: [],
      ok: 1,
    };
  },
};

function cursorId(value: Value, where: string): bigint {
  const kind = kindOf(value);
  if (kind !== 'long')
    throw new StoreError(14, `BSON field '${where}' is the wrong type '${kind}', expected type 'long'`);
  return (value as Long).toBigInt();
}

/** `count` of all documents; the driver counts what matches a filter by an aggregation. */
export const count: Command = {
  fields: { refused: ['query', 'limit', 'skip', 'fields', 'hint', 'collation'] },
  *run(request) {
    const { store } = request;
    const collection = findCollection(request);
    if (!collection) return { n: 0, ok: 1 };
    const plan = plannedFor(store, collection, {}, []);
    return { n: yield* countEntries(store.db, collection, plan, Number.POSITIVE_INFINITY), ok: 1 };
  },
};
