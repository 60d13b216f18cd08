import { afterAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { update as updateByModel } from 'mingo';
import mongoose, { type mongo } from 'mongoose';
import { openStoreUnderTest } from './store-under-test.ts';

/**
 * Random documents, queries, sorts and updates, compared with simple models: for matching and sorting, the
 * few lines below, which only handle the shapes generated here; for updates, mingo, an independent
 * implementation. The same queries also run on a collection without indexes: an index must not change any
 * result.
 * A failure prints its seed; FUZZ_SEED repeats it, FUZZ_ROUNDS sets the number of rounds.
 */
type Doc = mongo.BSON.Document;
const { ObjectId, Long, Double, Int32 } = mongoose.mongo;

const SEED = Number(process.env.FUZZ_SEED ?? Date.now() % 1_000_000);
const ROUNDS = Number(process.env.FUZZ_ROUNDS ?? 3);
const QUERIES = 50;
const UPDATES = 150;

const store = await openStoreUnderTest();
const indexed = store.db.collection('indexed');
const plain = store.db.collection('plain');
for (const key of [{ a: 1 }, { b: 1, a: -1 }, { c: 1, t: 1, d: -1 }, { 's.k': 1, d: 1 }, { d: -1, _id: 1 }]) {
  await indexed.createIndex(key as mongo.IndexSpecification);
}
afterAll(() => store.close());

const id = (n: number) => new ObjectId(String(n).padStart(24, '0'));
const scalar = fc.constantFrom<unknown>(
  null,
  0,
  1,
  2.5,
  -3,
  '',
  'a',
  'b',
  '中',
  true,
  false,
  new Date(0),
  new Date(1e12),
  id(1),
  id(2),
);
const word = fc.constantFrom('p', 'q', 'r');
const value = fc.oneof(
  { weight: 5, arbitrary: scalar },
  { weight: 1, arbitrary: fc.array(fc.constantFrom<unknown>(1, 2, 'a', 'b', null), { maxLength: 3 }) },
  { weight: 1, arbitrary: fc.record({ x: fc.integer({ min: 0, max: 2 }) }) },
);
const document = fc
  .record(
    {
      a: value,
      b: scalar,
      c: fc.constantFrom('x', 'y'),
      d: fc.integer({ min: 0, max: 20 }),
      t: fc.array(word, { maxLength: 3 }),
      s: fc.array(fc.record({ k: fc.integer({ min: 0, max: 3 }) }), { maxLength: 3 }),
    },
    { requiredKeys: ['c', 'd'] },
  )
  .map((doc) => ({ ...doc }) as Doc);

const comparison = fc.constantFrom('$gt', '$gte', '$lt', '$lte');
const condition: fc.Arbitrary<Doc> = fc.oneof(
  fc.tuple(fc.constantFrom('a', 'b'), scalar).map(([path, v]) => ({ [path]: v })),
  fc
    .tuple(
      fc.constantFrom('a', 'b'),
      comparison,
      scalar.filter((v) => v !== null),
    )
    .map(([path, op, v]) => ({ [path]: { [op]: v } })),
  fc
    .tuple(fc.constantFrom('a', 'b'), fc.constantFrom('$in', '$nin'), fc.array(scalar, { maxLength: 4 }))
    .map(([path, op, v]) => ({ [path]: { [op]: v } })),
  fc.tuple(fc.constantFrom('a', 'b'), scalar).map(([path, v]) => ({ [path]: { $ne: v } })),
  fc
    .tuple(fc.constantFrom('a', 'b', 't', 's'), fc.boolean())
    .map(([path, v]) => ({ [path]: { $exists: v } })),
  fc.constantFrom('x', 'y').map((c) => ({ c })),
  fc.tuple(comparison, fc.integer({ min: -1, max: 21 })).map(([op, d]) => ({ d: { [op]: d } })),
  fc
    .tuple(fc.integer({ min: 0, max: 20 }), fc.integer({ min: 0, max: 20 }))
    .map(([low, high]) => ({ d: { $gte: low, $lt: high } })),
  fc.array(word, { minLength: 1, maxLength: 3 }).map((words) => ({ t: { $all: words } })),
  fc.array(word, { minLength: 1, maxLength: 2 }).map((words) => ({ t: { $in: words } })),
  fc.tuple(comparison, word).map(([op, w]) => ({ t: { [op]: w } })),
  fc.integer({ min: 0, max: 3 }).map((size) => ({ t: { $size: size } })),
  fc.integer({ min: 0, max: 3 }).map((k) => ({ 's.k': k })),
  fc.tuple(comparison, fc.integer({ min: 0, max: 3 })).map(([op, k]) => ({ 's.k': { [op]: k } })),
  fc
    .tuple(fc.integer({ min: 0, max: 3 }), fc.integer({ min: 0, max: 3 }))
    .map(([low, high]) => ({ 's.k': { $gt: low, $lt: high } })),
);
const conditions = fc.array(condition, { maxLength: 3 });
const filter: fc.Arbitrary<Doc> = fc.oneof(
  { weight: 4, arbitrary: conditions.map((list) => (list.length === 0 ? {} : { $and: list })) },
  { weight: 2, arbitrary: conditions.map((list) => Object.assign({}, ...list) as Doc) },
  {
    weight: 2,
    arbitrary: fc.array(condition, { minLength: 1, maxLength: 3 }).map((list) => ({ $or: list })),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(condition, fc.array(condition, { minLength: 1, maxLength: 2 }))
      .map(([one, list]) => ({ ...one, $or: list })),
  },
  {
    weight: 1,
    arbitrary: fc.array(condition, { minLength: 1, maxLength: 2 }).map((list) => ({ $nor: list })),
  },
);
const direction = fc.constantFrom(1, -1);
const sort: fc.Arbitrary<Doc> = fc.oneof(
  fc
    .tuple(fc.constantFrom('a', 'b', 'd', 't', 's.k', 'c'), direction, direction)
    .map(([path, one, two]) => ({ [path]: one, _id: two })),
  fc.tuple(direction, direction).map(([one, two]) => ({ b: one, d: two, _id: 1 })),
  direction.map((one) => ({ _id: one })),
);

/**
 * Sort order of the model: types in MongoDB's order; an array is represented by its smallest or largest
 * element.
 */
function rank(v: unknown): number {
  if (Array.isArray(v) && v.length === 0) return 0;
  if (v === null || v === undefined) return 1;
  if (typeof v === 'number') return 2;
  if (typeof v === 'string') return 3;
  if (v instanceof ObjectId) return 5;
  if (typeof v === 'boolean') return 6;
  return v instanceof Date ? 7 : 4;
}

function compare(x: unknown, y: unknown): number {
  if (rank(x) !== rank(y)) return rank(x) - rank(y);
  if (typeof x === 'string') return Buffer.compare(Buffer.from(x), Buffer.from(y as string));
  if (x instanceof ObjectId) return Buffer.compare(x.id, (y as typeof x).id);
  if (rank(x) === 4) return (x as { x: number }).x - (y as { x: number }).x;
  return rank(x) < 2 ? 0 : Number(x) - Number(y);
}

/** The values at a path: for an array its elements and, if the path ends there, the array itself. */
function reached(doc: Doc, path: string): unknown[] {
  if (path === 's.k') return doc.s ? (doc.s as { k: number }[]).map(({ k }) => k) : [undefined];
  const raw: unknown = doc[path];
  return Array.isArray(raw) ? [...raw, raw] : [raw];
}

const same = (x: unknown, y: unknown) => rank(x) === rank(y) && !Array.isArray(x) && compare(x, y) === 0;

const COMPARED: Record<string, (order: number) => boolean> = {
  $gt: (order) => order > 0,
  $gte: (order) => order >= 0,
  $lt: (order) => order < 0,
  $lte: (order) => order <= 0,
};

function holds(values: unknown[], operator: string, operand: unknown): boolean {
  const compared = COMPARED[operator];
  if (compared)
    return values.some(
      (v) => rank(v) === rank(operand) && !Array.isArray(v) && compared(compare(v, operand)),
    );
  const list = operand as unknown[];
  switch (operator) {
    case '$eq':
      return values.some((v) => same(v, operand));
    case '$ne':
      return !values.some((v) => same(v, operand));
    case '$in':
      return values.some((v) => list.some((w) => same(v, w)));
    case '$nin':
      return !holds(values, '$in', operand);
    case '$all':
      return list.every((w) => values.some((v) => same(v, w)));
    case '$exists':
      return values.some((v) => v !== undefined) === operand;
    case '$size':
      return values.some((v) => Array.isArray(v) && v.length === operand);
    default:
      throw new Error(`the model has no ${operator}`);
  }
}

const isOperators = (v: unknown): v is Doc =>
  typeof v === 'object' && v !== null && Object.keys(v).some((name) => name.startsWith('$'));

function matches(doc: Doc, query: Doc): boolean {
  return Object.entries(query).every(([path, wanted]) => {
    if (path === '$and') return (wanted as Doc[]).every((clause) => matches(doc, clause));
    if (path === '$or') return (wanted as Doc[]).some((clause) => matches(doc, clause));
    if (path === '$nor') return !(wanted as Doc[]).some((clause) => matches(doc, clause));
    const operators = isOperators(wanted) ? wanted : { $eq: wanted };
    return Object.entries(operators).every(([name, operand]) => holds(reached(doc, path), name, operand));
  });
}

function sortValue(doc: Doc, path: string, towards: number): unknown {
  const raw = path === 's.k' ? (doc.s as { k: number }[] | undefined)?.map(({ k }) => k) : doc[path];
  if (path === 's.k' && raw?.length === 0) return null;
  if (!Array.isArray(raw) || raw.length === 0) return raw;
  return raw.reduce((best, v) => (compare(v, best) * towards < 0 ? v : best));
}

function inOrder(docs: Doc[], by: Doc): Doc[] {
  return [...docs].sort((x, y) => {
    for (const [path, towards] of Object.entries(by)) {
      const order = compare(sortValue(x, path, towards), sortValue(y, path, towards)) * towards;
      if (order !== 0) return order;
    }
    return 0;
  });
}

const ids = (docs: Doc[]) => docs.map(({ _id }) => _id as number);
const ascending = (list: number[]) => [...list].sort((x, y) => x - y);

test(`finds, counts and sorts like a plain array (seed ${SEED})`, async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const seed = SEED + round;
    const docs = fc.sample(document, { numRuns: 80, seed }).map((doc, _id) => ({ _id, ...doc }) as Doc);
    for (const collection of [indexed, plain]) {
      await collection.deleteMany({});
      await collection.insertMany(docs as mongo.OptionalId<Doc>[]);
    }
    const queries = fc.sample(fc.tuple(filter, sort, fc.nat(12), fc.nat(6)), { numRuns: QUERIES, seed });
    await Promise.all(
      queries.map(async ([query, by, limit, skip]) => {
        const expected = docs.filter((doc) => matches(doc, query));
        const options = { sort: by as mongo.Sort, limit, skip };
        const [found, withoutIndex, counted, page, plainPage] = await Promise.all([
          indexed.find(query).toArray(),
          plain.find(query).toArray(),
          indexed.countDocuments(query),
          indexed.find(query, options).toArray(),
          plain.find(query, options).toArray(),
        ]);
        const ordered = ids(inOrder(expected, by)).slice(skip, limit === 0 ? undefined : skip + limit);
        const said = { query: JSON.stringify(query), by, limit, skip };
        expect({
          ...said,
          found: ascending(ids(found)),
          withoutIndex: ascending(ids(withoutIndex)),
          counted,
          page: ids(page),
          plainPage: ids(plainPage),
        }).toEqual({
          ...said,
          found: ids(expected),
          withoutIndex: ids(expected),
          counted: expected.length,
          page: ordered,
          plainPage: ordered,
        });
      }),
    );
  }
});

const number = fc.integer({ min: -5, max: 5 });
/** Without duplicates: mingo's $addToSet would remove existing ones. */
const list = fc.uniqueArray(number, { maxLength: 4 });
const subject = fc.record(
  { n: number, m: number, s: fc.constantFrom('a', 'b'), l: list, o: fc.record({ p: number, q: list }) },
  { requiredKeys: ['l', 'o'] },
);
const numeric = fc.constantFrom('n', 'm', 'o.p', 'o.x');
const lists = fc.constantFrom('l', 'o.q');
const change: fc.Arbitrary<[operator: string, path: string, operand: unknown]> = fc.oneof(
  fc.tuple(
    fc.constant('$set'),
    fc.constantFrom('n', 'z', 'o.p', 'o.y.z', 's'),
    fc.oneof(number, list, fc.constant('x')),
  ),
  fc.tuple(fc.constant('$unset'), fc.constantFrom('n', 'm', 'o.p', 'none'), fc.constant('')),
  fc.tuple(fc.constantFrom('$inc', '$min', '$max'), numeric, number),
  fc.tuple(fc.constantFrom('$addToSet', '$pull'), lists, number),
);
/** No two changes of one path: that is an error, tested separately. */
const changes = fc.uniqueArray(change, {
  minLength: 1,
  maxLength: 4,
  selector: ([, path]) => path.split('.').slice(0, 2).join('.'),
});

function updateOf(list: [string, string, unknown][]): Record<string, Doc> {
  const update: Record<string, Doc> = {};
  for (const [operator, path, operand] of list) update[operator] = { ...update[operator], [path]: operand };
  return update;
}

/** Integers have no -0, JavaScript numbers do. */
function withoutMinusZero(doc: Doc): void {
  for (const [name, v] of Object.entries(doc)) {
    if (Object.is(v, -0)) doc[name] = 0;
    else if (typeof v === 'object' && v !== null) withoutMinusZero(v);
  }
}

test(`updates like the model (seed ${SEED})`, async () => {
  const updated = store.db.collection<Doc>('updated');
  const cases = fc.sample(fc.tuple(subject, changes), { numRuns: UPDATES, seed: SEED });
  await updated.insertMany(cases.map(([doc], _id) => ({ _id, ...doc })) as never[]);
  await Promise.all(
    cases.map(async ([doc, list], i) => {
      const update = updateOf(list);
      const expected: Doc = structuredClone({ _id: i, ...doc });
      updateByModel(expected, structuredClone(update) as never);
      withoutMinusZero(expected);
      await updated.updateOne({ _id: i as never }, update);
      const found = await updated.findOne({ _id: i as never });
      expect({ doc, update, found }).toEqual({ doc, update, found: expected });
    }),
  );
});

const typed = fc.oneof(
  fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }).map((n) => new Int32(n)),
  fc.bigInt({ min: -(2n ** 62n), max: 2n ** 62n }).map((n) => Long.fromBigInt(n)),
  fc.constantFrom(0, 0.5, -1.5, 2 ** 53, 1e18).map((n) => new Double(n)),
);
type Typed = InstanceType<typeof Int32> | InstanceType<typeof Long> | InstanceType<typeof Double>;

/** The type and value of MongoDB's sum. */
function sumByModel(x: Typed, y: Typed): string {
  if (x instanceof Double || y instanceof Double) return `Double ${Number(x) + Number(y)}`;
  const sum = BigInt(x.toString()) + BigInt(y.toString());
  const fitsInt = sum >= -(2n ** 31n) && sum < 2n ** 31n;
  return x instanceof Int32 && y instanceof Int32 && fitsInt ? `Int32 ${sum}` : `Long ${sum}`;
}

test(`keeps the types of numbers through $inc, and sorts them across types (seed ${SEED})`, async () => {
  const numbers = store.db.collection<Doc>('numbers');
  await numbers.createIndex({ n: 1 });
  const cases = fc.sample(fc.tuple(typed, typed), { numRuns: 80, seed: SEED });
  await numbers.insertMany(cases.map(([n], _id) => ({ _id, n })) as never[]);
  await Promise.all(cases.map(([, by], i) => numbers.updateOne({ _id: i as never }, { $inc: { n: by } })));
  const found = await numbers.find({}, { promoteValues: false, sort: { _id: 1 } }).toArray();
  expect(found.map(({ n }) => `${n._bsontype} ${n}`)).toEqual(cases.map(([n, by]) => sumByModel(n, by)));
  const exact = (n: Typed) => (n instanceof Double ? Number(n) : BigInt(n.toString()));
  const ordered = await numbers.find({}, { promoteValues: false, sort: { n: 1 } }).toArray();
  for (const [i, { n }] of ordered.entries()) {
    if (i > 0) expect(exact(ordered[i - 1]?.n) <= exact(n)).toBe(true);
  }
});
