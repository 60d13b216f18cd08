import { afterAll, expect } from '@jest/globals';
import mongoose, { type mongo } from 'mongoose';
import { embeddedOnly } from '../../src/testing/embedded-only.ts';
import { failure, openStoreUnderTest } from './store-under-test.ts';

/**
 * Features of MongoDB that the embedded store does not support are refused by name with 115
 * CommandNotSupported.
 */
type Doc = mongo.BSON.Document;

const store = await openStoreUnderTest();
const docs = store.db.collection<Doc>('c');
await docs.insertOne({ _id: 1 as never, l: [1], n: 1, at: new Date(0), d: { '1': 1 } });
afterAll(() => store.close());

const find = (options: Doc): Doc => ({ find: 'c', ...options });
const filter = (query: Doc) => find({ filter: query });
const project = (projection: Doc) => find({ projection });
const update = (u: unknown, options: Doc = {}): Doc => ({ update: 'c', updates: [{ q: {}, u, ...options }] });
const pipeline = (...stages: Doc[]): Doc => ({ aggregate: 'c', pipeline: stages, cursor: {} });
const group = (spec: Doc) => pipeline({ $group: { _id: null, ...spec } });
const expression = (_id: Doc) => group({ _id });
const index = (options: Doc): Doc => ({
  createIndexes: 'c',
  indexes: [{ key: { a: 1 }, name: 'a', ...options }],
});

const UNSUPPORTED: Record<string, [command: Doc, named: string][]> = {
  commands: [
    [{ create: 'v', viewOn: 'c' }, 'create.viewOn'],
    [{ findAndModify: 'c', update: { $set: { a: 1 } }, sort: { a: 1 } }, 'findAndModify.sort'],
    [{ findAndModify: 'c', update: [{ $set: { a: 1 } }] }, 'pipeline'],
    [{ count: 'c', query: { a: 1 } }, 'count.query'],
    [{ aggregate: 'c', pipeline: [], cursor: {}, allowDiskUse: true }, 'aggregate.allowDiskUse'],
    [{ aggregate: 'c', pipeline: [], explain: true }, 'aggregate.explain'],
    [{ aggregate: 1, pipeline: [], cursor: {} }, 'without a collection'],
    [{ delete: 'c', deletes: [{ q: {}, limit: 0, hint: 'a' }] }, 'delete.deletes.hint'],
    [index({ sparse: true }), 'sparse'],
    [index({ hidden: true }), 'hidden'],
    [index({ v: 1 }), 'version 1'],
    [index({ partialFilterExpression: { a: { $gt: 1 } } }), '$gt in a partial filter'],
    [index({ partialFilterExpression: { $and: [{ a: 1 }] } }), '$and in a partial filter'],
    [index({ partialFilterExpression: { a: { $type: 'string' } } }), '$type'],
  ],
  find: [
    [find({ hint: 'a_1' }), 'find.hint'],
    [find({ collation: { locale: 'zh' } }), 'find.collation'],
    [find({ sort: { $natural: 1 } }), '$natural'],
    [find({ sort: { a: { $meta: 'textScore' } } }), '$meta'],
    [find({ sort: { 'l.0': 1 } }), "'l.0'"],
  ],
  filters: [
    [filter({ a: { $elemMatch: { b: 1 } } }), '$elemMatch'],
    [filter({ a: { $all: [{ $elemMatch: { b: 1 } }] } }), '$elemMatch'],
    [filter({ a: { $not: { $gt: 1 } } }), '$not'],
    [filter({ a: { $type: 'string' } }), '$type'],
    [filter({ a: { $mod: [2, 0] } }), '$mod'],
    [filter({ a: { $regex: 'x' } }), '$regex'],
    [filter({ a: { $regex: 'x', $options: 'i' } }), '$regex'],
    [filter({ a: /x/ }), 'regular expression'],
    [filter({ a: { $in: [/x/] } }), 'regular expression in $in'],
    [filter({ a: { $nin: [/x/] } }), 'regular expression in $nin'],
    [filter({ a: { $all: [/x/] } }), 'regular expression in $all'],
    [filter({ 'l.0': 1 }), "'l.0'"],
    [filter({ $comment: 'x' }), '$comment'],
    [filter({ $expr: { $eq: ['$a', 1] } }), '$expr'],
    [filter({ $where: 'true' }), '$where'],
    [filter({ $text: { $search: 'a' } }), '$text'],
    [filter({ $jsonSchema: {} }), '$jsonSchema'],
  ],
  projections: [
    [project({ a: '$b' }), 'projection of a'],
    [project({ a: { $slice: 1 } }), '$slice'],
    [project({ a: { $elemMatch: { b: 1 } } }), '$elemMatch'],
    [project({ 'a.$': 1 }), 'a.$'],
  ],
  updates: [
    [update({ $bit: { a: { and: 1 } } }), '$bit'],
    [update({ $currentDate: { a: true } }), '$currentDate'],
    [update({ $mul: { a: 2 } }), '$mul'],
    [update({ $pop: { l: 1 } }), '$pop'],
    [update({ $pullAll: { l: [1] } }), '$pullAll'],
    [update({ $push: { l: 1 } }), '$push'],
    [update({ $rename: { a: 'b' } }), '$rename'],
    [update({ $addToSet: { l: { $each: [1] } } }), '$each'],
    [update({ $pull: { l: { $gt: 1 } } }), '$pull by a condition'],
    [update({ $pull: { l: /x/ } }), '$pull by a condition'],
    [update({ $set: { 'l.$': 1 } }), "positional path 'l.$'"],
    [update({ $set: { 'l.$[]': 1 } }), "positional path 'l.$[]'"],
    [update({ $set: { 'l.$[x]': 1 } }), "positional path 'l.$[x]'"],
    [update({ $set: { 'l.0': 1 } }), "'l.0'"],
    [update({ $unset: { 'l.0': 1 } }), "'l.0'"],
    [update({ $set: { a: 1 } }, { arrayFilters: [{ x: 1 }] }), 'update.updates.arrayFilters'],
    [update([{ $set: { a: 1 } }]), 'pipeline'],
    [update({ a: 1 }), 'replacement'],
  ],
  stages: [
    '$addFields',
    '$bucket',
    '$count',
    '$facet',
    '$graphLookup',
    '$lookup',
    '$merge',
    '$out',
    '$project',
    '$redact',
    '$replaceRoot',
    '$replaceWith',
    '$sample',
    '$set',
    '$setWindowFields',
    '$skip',
    '$sort',
    '$sortByCount',
    '$unionWith',
    '$unset',
    '$unwind',
  ].map((name) => [pipeline({ [name]: {} }), name]),
  accumulators: [
    '$addToSet',
    '$avg',
    '$count',
    '$first',
    '$last',
    '$mergeObjects',
    '$push',
    '$stdDevPop',
    '$top',
  ].map((name) => [group({ a: { [name]: '$n' } }), name]),
  expressions: [
    ...[
      '$add',
      '$and',
      '$arrayElemAt',
      '$cmp',
      '$concat',
      '$cond',
      '$dateAdd',
      '$dateToString',
      '$divide',
      '$eq',
      '$filter',
      '$first',
      '$gt',
      '$ifNull',
      '$in',
      '$isArray',
      '$last',
      '$literal',
      '$map',
      '$multiply',
      '$not',
      '$or',
      '$toLower',
      '$toString',
      '$toUpper',
      '$type',
      '$year',
    ].map((name): [Doc, string] => [expression({ [name]: ['$n', 1] }), name]),
    [group({ _id: '$$ROOT' }), '$$ROOT'],
    [group({ _id: '$$NOW' }), '$$NOW'],
    [group({ _id: ['$n'] }), 'array as an expression'],
    [expression({ $subtract: ['$n', 1] }), '$subtract of int and int'],
    [expression({ $mod: ['$n', 1] }), '$mod of int and int'],
  ],
};

for (const [what, cases] of Object.entries(UNSUPPORTED)) {
  embeddedOnly.each(cases)(`refuses ${what}: %j`, async (command, named) => {
    const refusal = { code: 115, codeName: 'CommandNotSupported', message: expect.stringContaining(named) };
    const answer = await store.db.command(command).catch((error) => error);
    const [writeError] = answer.writeErrors ?? [];
    expect(
      writeError ? { ...writeError, codeName: 'CommandNotSupported', message: writeError.errmsg } : answer,
    ).toMatchObject(refusal);
  });
}

embeddedOnly('refuses explain and values of the type Decimal128', async () => {
  const explain = store.db.command({ explain: { find: 'c' } });
  expect((await failure(explain)).code).toBe(59);
  const decimal = store.db.collection('c').insertOne({ n: mongoose.mongo.Decimal128.fromString('1') });
  expect((await failure(decimal)).message).toContain('Decimal128');
});
