import type { Long } from 'bson';
import { encode } from '../bson/codec.ts';
import { type Doc, isNum, kindOf, type Value } from '../bson/values.ts';
import { StoreError } from '../errors.ts';
import { compileFilter } from '../query/matcher.ts';
import { compileProjection, compileRawProjection } from '../query/projection.ts';
import { parseFindSort } from '../storage/index-keys.ts';
import { countEntries, docOf, type Row } from '../storage/scan.ts';
import { mapped, type Source } from '../storage/sources.ts';
import { findRows, plannedFor } from '../storage/store.ts';
import { checkCommand, numberOr } from './fields.ts';
import { collectionName, findCollection, flag, type Reply, type Request, type Steps } from './request.ts';

/** `find`. Documents go out with the bytes they came with, unless a projection makes them anew. */
export function find(request: Request): Steps {
  const { command, cursors, store, database } = request;
  checkCommand('find', command, {
    optional: {
      filter: 'object',
      sort: 'object',
      projection: 'object',
      skip: 'natural',
      limit: 'natural',
      batchSize: 'natural',
      singleBatch: 'bool',
      allowDiskUse: 'bool',
      allowPartialResults: 'bool',
    },
    refused: ['hint', 'collation', 'let'],
    unstable: [
      'min',
      'max',
      'returnKey',
      'showRecordId',
      'tailable',
      'awaitData',
      'oplogReplay',
      'noCursorTimeout',
    ],
  });
  const collection = findCollection(request);
  const rows = findRows(store, collection, {
    filter: (command.filter ?? {}) as Doc,
    sort: parseFindSort((command.sort ?? {}) as Doc),
    skip: numberOr(command.skip, 0),
    limit: numberOr(command.limit, 0),
    idsOnly: asksForIdAlone(command.projection as Doc | undefined),
  });
  return cursors.first(
    `${database}.${collectionName(request)}`,
    projected(rows, command.projection as Doc | undefined),
    {
      batchSize: numberOr(command.batchSize, undefined),
      single: flag(command.singleBatch),
      collection,
    },
  );
}

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

export function getMore(request: Request): Steps {
  const { command, cursors, database } = request;
  checkCommand('getMore', command, {
    required: { collection: 'string' },
    optional: { batchSize: 'natural' },
  });
  const name = collectionName(request, 'collection');
  return cursors.next(
    cursorId(command.getMore as Value, 'getMore.getMore'),
    `${database}.${name}`,
    numberOr(command.batchSize, undefined),
  );
}

/** Ends cursors; those that were not there are told apart. */
export function killCursors({ command, cursors }: Request): Reply {
  checkCommand('killCursors', command, { required: { cursors: 'array' } });
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
}

function cursorId(value: Value, where: string): bigint {
  const kind = kindOf(value);
  if (kind !== 'long')
    throw new StoreError(14, `BSON field '${where}' is the wrong type '${kind}', expected type 'long'`);
  return (value as Long).toBigInt();
}

/** `count`, from the index alone where the filter lets it. */
export function* count(request: Request): Steps {
  const { command, store } = request;
  checkCommand('count', command, {
    optional: { query: 'object', limit: 'number', skip: 'natural', fields: 'object' },
    refused: ['hint', 'collation'],
  });
  const filter = (command.query ?? {}) as Doc;
  const skip = numberOr(command.skip, 0);
  const limit = Math.abs(numberOr(command.limit, 0));
  return { n: yield* countMatching(request, filter, skip, limit), ok: 1 } satisfies Reply;

  function* countMatching(asked: Request, query: Doc, from: number, most: number): Generator<void, number> {
    compileFilter(query);
    const collection = findCollection(asked);
    if (!collection) return 0;
    const plan = plannedFor(store, collection, query, []);
    if (plan.exact && !plan.repeats) {
      const all = yield* countEntries(
        store.db,
        collection,
        plan,
        most > 0 ? from + most : Number.POSITIVE_INFINITY,
      );
      return Math.max(0, all - from);
    }
    const rows = findRows(store, collection, { filter: query, sort: [], skip: from, limit: most });
    let n = 0;
    for (let page = rows.pull(); page; page = rows.pull()) {
      n += page.length;
      yield;
    }
    return n;
  }
}
