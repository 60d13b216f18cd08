import { Int32 } from 'bson';
import { neededFields } from '../aggregate/needed-fields.ts';
import {
  checkStages,
  countName,
  limitOf,
  matchOf,
  parseStages,
  runStages,
  type Stage,
  skipOf,
  sortOf,
} from '../aggregate/pipeline.ts';
import { decode, encode } from '../bson/codec.ts';
import { keepFields } from '../bson/top-fields.ts';
import { type Doc, isDoc, isNum, kindOf, type Value } from '../bson/values.ts';
import { failedToParse, unsupported } from '../errors.ts';
import { compileFilter } from '../query/matcher.ts';
import { countEntries, docOf, type Row } from '../storage/scan.ts';
import { mapped } from '../storage/sources.ts';
import { findRows, plannedFor, type Query } from '../storage/store.ts';
import { checkCommand } from './fields.ts';
import { batchOptions, once } from './indexes.ts';
import { collectionName, findCollection, type Request, type Steps } from './request.ts';

/** `aggregate`. What stands first and the store can look up (match, sort, skip, limit) is looked up. */
export function* aggregate(request: Request): Steps {
  const { command, cursors, store, database } = request;
  checkCommand('aggregate', command, {
    required: { pipeline: 'array' },
    optional: { cursor: 'object', allowDiskUse: 'bool', bypassDocumentValidation: 'bool' },
    refused: ['explain', 'hint', 'collation', 'let'],
  });
  if (isNum(command.aggregate)) throw unsupported('an aggregation without a collection');
  if (!command.cursor) {
    throw failedToParse("The 'cursor' option is required, except for aggregate with the explain argument");
  }
  const namespace = `${database}.${collectionName(request)}`;
  const stages = parseStages(command.pipeline as Value[], command.apiStrict === true);
  checkStages(stages);
  const { query, rest } = lookUp(stages);
  const options = batchOptions(command);
  const counted = yield* countAlone(request, query, rest);
  if (counted) return yield* cursors.first(namespace, once(counted.map(encode)), options);
  const needed = neededFields(rest);
  const read = needed ? ({ body }: Row) => decode(keepFields(body, needed)) : docOf;
  const docs = mapped(findRows(store, findCollection(request), query), read);
  return yield* cursors.first(namespace, mapped(runStages(docs, rest), encode), options);
}

/** The leading stages that make one look-up together, in the order in which a look-up does them. */
function lookUp(stages: readonly Stage[]): { query: Query; rest: Stage[] } {
  const query: Query = { filter: {}, sort: [], skip: 0, limit: 0 };
  const rest = [...stages];
  const take = (name: string) => (rest[0]?.name === name ? rest.shift() : undefined);
  const match = take('$match');
  if (match) query.filter = matchOf(match.spec);
  const sort = take('$sort');
  if (sort) query.sort = sortOf(sort.spec);
  const skip = take('$skip');
  if (skip) query.skip = skipOf(skip.spec);
  const limit = take('$limit');
  if (limit) query.limit = limitOf(limit.spec);
  return { query, rest };
}

/** `$count`, and countDocuments (all in one group, one each): answered from the index where it can be. */
function* countAlone(request: Request, query: Query, rest: Stage[]): Generator<void, Doc[] | undefined> {
  const answer = countAnswer(rest);
  if (!answer || query.sort.length > 0) return undefined;
  compileFilter(query.filter);
  const { store } = request;
  const collection = findCollection(request);
  if (!collection) return [];
  const plan = plannedFor(store, collection, query.filter, []);
  if (!plan.exact || plan.repeats) return undefined;
  const most = query.limit === 0 ? Number.POSITIVE_INFINITY : query.skip + query.limit;
  const n = (yield* countEntries(store.db, collection, plan, most)) - query.skip;
  return n > 0 ? [answer(new Int32(n))] : [];
}

/** How a pipeline that does nothing but count answers; undefined for any other. */
function countAnswer(rest: Stage[]): ((n: Int32) => Doc) | undefined {
  const [stage, ...others] = rest;
  if (!stage || others.length > 0) return undefined;
  const { name, spec } = stage;
  if (name === '$count') {
    const field = countName(spec);
    return (n) => ({ [field]: n });
  }
  if (name !== '$group' || !isDoc(spec) || !isPlainCount(spec)) return undefined;
  return (n) => ({ _id: spec._id as Value, n });
}

function isPlainCount(spec: Doc): boolean {
  const [id, n, ...others] = Object.keys(spec);
  if (id !== '_id' || n !== 'n' || others.length > 0) return false;
  const constant = spec._id === null || isNum(spec._id as Value);
  const sum = spec.n;
  if (!constant || !isDoc(sum) || Object.keys(sum).join() !== '$sum') return false;
  // A long or a double would make the sum one.
  return sum.$sum !== undefined && kindOf(sum.$sum) === 'int' && Number(sum.$sum) === 1;
}
