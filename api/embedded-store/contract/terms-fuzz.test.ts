import { afterAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import mongoose, { type mongo } from 'mongoose';
import { openStoreUnderTest } from './store-under-test.ts';

/**
 * Search by terms: an array in the middle of an index, several required values, a range after it, pages that
 * continue after a known document, and documents whose terms are added and removed meanwhile. Compared with a
 * plain array of the same documents.
 * A failure prints its seed; FUZZ_SEED repeats it, FUZZ_ROUNDS sets the number of rounds.
 */
type Doc = mongo.BSON.Document;
const { ObjectId } = mongoose.mongo;

const SEED = Number(process.env.FUZZ_SEED ?? Date.now() % 1_000_000);
const ROUNDS = Number(process.env.FUZZ_ROUNDS ?? 3);
const DOCUMENTS = 300;
const QUERIES = 60;

const store = await openStoreUnderTest();
afterAll(() => store.close());

interface Subject {
  _id: mongo.ObjectId;
  owner: string;
  terms?: unknown[] | string;
  at: Date;
  erased: number | null;
}

/**
 * Rare and common terms, with common prefixes and suffixes, numbers of different types, and values that are
 * not text.
 */
const term = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom('的', '=all', 'a') },
  { weight: 4, arbitrary: fc.constantFrom('b', 'ab', 'a\0b', '退款', '退') },
  { weight: 1, arbitrary: fc.constantFrom<unknown>('rare', '', 1, null, true) },
);
const subject = fc.record(
  {
    owner: fc.constantFrom('x', 'y'),
    terms: fc.oneof(
      { weight: 9, arbitrary: fc.array(term, { maxLength: 8 }) },
      { weight: 1, arbitrary: fc.constant('a') },
    ),
    at: fc.integer({ min: 0, max: 40 }).map((day) => new Date(day * 1000)),
    erased: fc.constantFrom(null, null, null, 1),
  },
  { requiredKeys: ['owner', 'at', 'erased'] },
);
const question = fc.record({
  owner: fc.constantFrom('x', 'y'),
  all: fc.array(term, { minLength: 1, maxLength: 4 }),
  from: fc.option(fc.integer({ min: 0, max: 40 })),
  to: fc.option(fc.integer({ min: 0, max: 40 })),
  notErased: fc.boolean(),
  hidden: fc.option(fc.integer({ min: 0, max: 40 })),
  afterNth: fc.option(fc.nat({ max: 30 })),
  limit: fc.integer({ min: 1, max: 30 }),
  skip: fc.nat({ max: 30 }),
  direction: fc.constantFrom<1 | -1>(1, -1),
});
type Question = typeof question extends fc.Arbitrary<infer Q> ? Q : never;

const has = ({ terms }: Subject, wanted: unknown) =>
  wanted === null
    ? terms === undefined || (Array.isArray(terms) && terms.includes(null))
    : Array.isArray(terms)
      ? terms.includes(wanted)
      : terms === wanted;

function matchesQuestion(doc: Subject, { owner, all, from, to, notErased, hidden }: Question): boolean {
  return (
    doc.owner === owner &&
    all.every((wanted) => has(doc, wanted)) &&
    (from === null || doc.at.getTime() >= from * 1000) &&
    (to === null || doc.at.getTime() <= to * 1000) &&
    (!notErased || doc.erased === null) &&
    (hidden === null || doc.at.getTime() !== hidden * 1000)
  );
}

function filterOf({ owner, all, from, to, notErased, hidden }: Question): Doc {
  return {
    owner,
    terms: all.length === 1 ? all[0] : { $all: all },
    ...(from === null && to === null
      ? {}
      : {
          at: {
            ...(from === null ? {} : { $gte: new Date(from * 1000) }),
            ...(to === null ? {} : { $lte: new Date(to * 1000) }),
          },
        }),
    ...(notErased ? { erased: null } : {}),
    ...(hidden === null ? {} : { $nor: [{ at: new Date(hidden * 1000) }] }),
  };
}

const newestFirst = (a: Subject, b: Subject) =>
  b.at.getTime() - a.at.getTime() || Buffer.compare(b._id.id, a._id.id);
const ids = (docs: readonly Doc[]) => docs.map(({ _id }) => String(_id));

test(`finds, pages and counts by terms like a plain array (seed ${SEED})`, async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const docs = store.db.collection<Doc>(`terms_${round}`);
    await docs.createIndexes([
      { key: { owner: 1, erased: 1, at: -1, _id: -1 } },
      { key: { owner: 1, terms: 1, at: -1, _id: -1 } },
    ]);
    const [subjects] = fc.sample(
      fc.array(subject, { minLength: DOCUMENTS, maxLength: DOCUMENTS, size: 'max' }),
      { numRuns: 1, seed: SEED + round },
    ) as [Omit<Subject, '_id'>[]];
    let model: Subject[] = subjects.map((doc, i) => ({
      _id: new ObjectId(String((i * 7919) % 1000).padStart(24, '0')),
      ...doc,
    }));
    await docs.insertMany(structuredCloneDocs(model));
    const questions = fc.sample(question, { numRuns: QUERIES, seed: SEED + round });
    for (const [i, asked] of questions.entries()) {
      if (i % 12 === 11) model = await change(docs, model, i);
      await check(docs, model, asked);
    }
  }
});

const structuredCloneDocs = (model: readonly Subject[]): Doc[] =>
  model.map((doc) => (Array.isArray(doc.terms) ? { ...doc, terms: [...doc.terms] } : { ...doc }));

/** Erases a third, restores some with other terms, deletes a few: like marking, undo and purge. */
async function change(docs: mongo.Collection<Doc>, model: Subject[], turn: number): Promise<Subject[]> {
  const some = (rest: number) => model.filter((_, i) => (i + turn) % 9 === rest).map(({ _id }) => _id);
  const [erased, restored, deleted] = [some(0), some(1), some(2).slice(0, 5)];
  await docs.updateMany({ _id: { $in: erased } }, { $set: { erased: 2 }, $unset: { terms: 1 } });
  await docs.updateMany({ _id: { $in: restored } }, { $set: { erased: null, terms: ['的', 'a', '退款'] } });
  await docs.deleteMany({ _id: { $in: deleted } });
  const isIn = (list: mongo.ObjectId[], { _id }: Subject) => list.some((id) => id.equals(_id));
  return model
    .filter((doc) => !isIn(deleted, doc))
    .map((doc): Subject => {
      const { terms, ...rest } = doc;
      if (isIn(erased, doc)) return { ...rest, erased: 2 };
      return isIn(restored, doc) ? { ...rest, erased: null, terms: ['的', 'a', '退款'] } : doc;
    });
}

async function check(docs: mongo.Collection<Doc>, model: readonly Subject[], asked: Question): Promise<void> {
  const expected = model.filter((doc) => matchesQuestion(doc, asked)).sort(newestFirst);
  const filter = filterOf(asked);
  const { limit, skip, direction } = asked;
  const ordered = direction === -1 ? expected : [...expected].reverse();
  const by = { at: direction, _id: direction } as const;
  const last = asked.afterNth === null ? undefined : expected[asked.afterNth];
  const next = last ? { $or: [{ at: { $lt: last.at } }, { at: last.at, _id: { $lt: last._id } }] } : {};
  const found = await docs.find(filter).toArray();
  const page = await docs.find(filter).sort(by).limit(limit).project({ terms: 0 }).toArray();
  const beyond = await docs.find(filter).sort(by).skip(skip).limit(limit).toArray();
  const all = await docs.find(filter).sort(by).batchSize(7).toArray();
  const after = await docs
    .find({ ...filter, ...next })
    .sort({ at: -1, _id: -1 })
    .limit(limit)
    .toArray();
  const count = await docs.countDocuments(filter);
  const some = await docs.countDocuments(filter, { limit });
  const from = last ? expected.indexOf(last) + 1 : 0;
  expect({
    filter: JSON.stringify(filter),
    found: ids(found).sort(),
    page: ids(page),
    hasTerms: page.some((doc) => 'terms' in doc),
    beyond: ids(beyond),
    all: ids(all),
    after: ids(after),
    count,
    some,
  }).toEqual({
    filter: JSON.stringify(filter),
    found: ids(expected).sort(),
    page: ids(ordered.slice(0, limit)),
    hasTerms: false,
    beyond: ids(ordered.slice(skip, skip + limit)),
    all: ids(ordered),
    after: ids(expected.slice(from, from + limit)),
    count: expected.length,
    some: Math.min(limit, expected.length),
  });
}
