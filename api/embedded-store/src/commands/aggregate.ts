import { Int32 } from 'bson';
import { limitOf, matchOf, parseStages, runStages, type Stage } from '../aggregate/pipeline.ts';
import { decode, encode } from '../bson/codec.ts';
import { keepFields, rootOf } from '../bson/top-fields.ts';
import { type Doc, isDoc, isNum, kindOf, type Value } from '../bson/values.ts';
import { failedToParse, unsupported } from '../errors.ts';
import { compileFilter, filterRoots } from '../query/matcher.ts';
import { docOf, type Row } from '../storage/paging.ts';
import { countEntries } from '../storage/scan.ts';
import { mapped, sourceOf } from '../storage/sources.ts';
import { findRows, plannedFor, type Query } from '../storage/store.ts';
import { batchOptions } from './cursors.ts';
import { type Command, collectionName, findCollection, type Request } from './request.ts';

/** `aggregate`. A `$match` and a `$limit` at the beginning are planned like a find. */
export const aggregate: Command = {
  fields: {
    required: { pipeline: 'array' },
    optional: { cursor: 'object' },
    refused: ['explain', 'hint', 'collation', 'let', 'allowDiskUse', 'bypassDocumentValidation'],
  },
  *run(request) {
    const { command, cursors, store, database } = request;
    if (isNum(command.aggregate)) throw unsupported('an aggregation without a collection');
    if (!command.cursor)
      throw failedToParse("The 'cursor' option is required, except for aggregate with the explain argument");
    const namespace = `${database}.${collectionName(request)}`;
    const { query, rest } = splitStages(parseStages(command.pipeline as Value[], command.apiStrict === true));
    const options = batchOptions(command);
    const counted = yield* countAlone(request, query, rest);
    if (counted) return yield* cursors.first(namespace, sourceOf(counted.map(encode)), options);
    const needed = neededFields(rest);
    const read = needed ? ({ body }: Row) => decode(keepFields(body, needed)) : docOf;
    const docs = mapped(findRows(store, findCollection(request), query), read);
    return yield* cursors.first(namespace, mapped(runStages(docs, rest), encode), options);
  },
};

/** The leading stages that one planned query replaces, and the others. */
function splitStages(stages: readonly Stage[]): { query: Query; rest: Stage[] } {
  const rest = [...stages];
  const take = (name: string) => (rest[0]?.name === name ? rest.shift() : undefined);
  const match = take('$match');
  const limit = take('$limit');
  const query = {
    filter: match ? matchOf(match.spec) : {},
    sort: [],
    limit: limit ? limitOf(limit.spec) : 0,
  };
  return { query, rest };
}

/** A pipeline that only counts, as the driver's countDocuments sends it: answered from an index alone if possible. */
function* countAlone(request: Request, query: Query, rest: Stage[]): Generator<void, Doc[] | undefined> {
  const [stage, ...others] = rest;
  if (stage?.name !== '$group' || others.length > 0 || !isPlainCount(stage.spec)) return undefined;
  compileFilter(query.filter);
  const { store } = request;
  const collection = findCollection(request);
  if (!collection) return [];
  const plan = plannedFor(store, collection, query.filter, []);
  if (!plan.exact || plan.repeats) return undefined;
  const n = yield* countEntries(store.db, collection, plan, query.limit || Number.POSITIVE_INFINITY);
  return n > 0 ? [{ _id: (stage.spec as Doc)._id as Value, n: new Int32(n) }] : [];
}

/** `{ _id: <constant>, n: { $sum: 1 } }` */
function isPlainCount(spec: Value): boolean {
  if (!isDoc(spec) || Object.keys(spec).join() !== '_id,n') return false;
  const { _id, n } = spec;
  if (_id !== null && !isNum(_id)) return false;
  if (!isDoc(n) || Object.keys(n).join() !== '$sum') return false;
  // A long or a double would make the sum one.
  return kindOf(n.$sum) === 'int' && Number(n.$sum) === 1;
}

/** The top-level fields that checked stages read; undefined if they return whole documents. */
function neededFields(stages: readonly Stage[]): Set<string> | undefined {
  const fields = new Set<string>();
  for (const { name, spec } of stages) {
    if (name === '$group') return addPaths(spec, fields);
    if (name === '$match') for (const root of filterRoots(matchOf(spec))) fields.add(root);
  }
  return undefined;
}

/** Adds the fields that expressions name by a path. */
function addPaths(spec: Value, fields: Set<string>): Set<string> {
  if (Array.isArray(spec)) for (const part of spec) addPaths(part, fields);
  else if (isDoc(spec)) for (const part of Object.values(spec as Doc)) addPaths(part, fields);
  else if (typeof spec === 'string' && spec.startsWith('$')) fields.add(rootOf(spec.slice(1)));
  return fields;
}
