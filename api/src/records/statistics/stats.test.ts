import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import type { RecordFilter, RecordStats } from '../../contract/search.ts';
import { finishedRecord, openTestModels, type TestModels } from '../../testing/open-test-models.ts';
import { createRandom } from '../../testing/random.ts';
import { createContacts } from '../contacts.ts';
import { createHiddenRecords } from '../hidden-records.ts';
import type { RecordDocument } from '../record.ts';
import { createMatchingRecords, type MatchingRecords } from '../search/matching-records.ts';
import { createStats, type Stats } from './stats.ts';

// Starting a store takes about a second, on a busy machine several.
jest.setTimeout(60_000);

let models: TestModels;
let end: () => Promise<void>;
let matching: MatchingRecords;
let stats: Stats;

beforeAll(async () => {
  ({ models, end } = await openTestModels());
  const hidden = createHiddenRecords(models.deletions);
  matching = createMatchingRecords({
    records: models.records,
    contacts: createContacts(models, hidden),
    hidden,
  });
  stats = createStats(matching);
});
afterAll(() => end());

const minutes = 60_000;
const sum = (counts: { count: number }[]) => counts.reduce((total, { count }) => total + count, 0);

test('days are those of the time zone, also when clocks change', async () => {
  const owner = 'user:dst';
  const times = [
    // Berlin's clocks changed on the 29th, a day of 23 hours: from 23:00 to 22:00 UTC.
    '2026-03-28T22:59:59.999Z',
    '2026-03-28T23:00:00Z',
    '2026-03-29T21:59:59.999Z',
    '2026-03-29T22:00:00Z',
    // They changed back on the 25th, a day of 25 hours: from 22:00 to 23:00 UTC.
    '2026-10-24T21:59:59.999Z',
    '2026-10-24T22:00:00Z',
    '2026-10-25T22:59:59.999Z',
    '2026-10-25T23:00:00Z',
  ];
  await models.records.insertMany(times.map((at) => finishedRecord({ owner, createdAt: new Date(at) })));

  const { byDay } = await stats.of(owner, { tz: 'Europe/Berlin' });

  expect(byDay).toEqual([
    { day: '2026-03-28', count: 1 },
    { day: '2026-03-29', count: 2 },
    { day: '2026-03-30', count: 1 },
    { day: '2026-10-24', count: 1 },
    { day: '2026-10-25', count: 2 },
    { day: '2026-10-26', count: 1 },
  ]);
  for (const { day, count } of byDay) {
    const filter = { from: day, to: day, tz: 'Europe/Berlin' };
    expect(await stats.of(owner, filter)).toMatchObject({ total: count, byDay: [{ day, count }] });
    expect((await matching.count(owner, filter)).total).toBe(count);
  }
});

test.each([
  [[], null],
  [[7], 7],
  [[9, 1, 5], 5],
  [[9, 1, 5, 6], 6],
])('the median of %j ms is %p', async (times, expected) => {
  const owner = `user:median ${times.length}`;
  const createdAt = new Date();
  const unanswered = { source: 'none', answeredAt: new Date(createdAt.getTime() + 1000) } as const;
  await models.records.insertMany([
    finishedRecord({ owner, createdAt, ...unanswered }),
    ...times.map((ms) =>
      finishedRecord({ owner, createdAt, answeredAt: new Date(createdAt.getTime() + ms) }),
    ),
  ]);

  expect((await stats.of(owner, {})).medianMs).toBe(expected);
});

test('the duration of a retried answer is that of the attempt that produced it', async () => {
  const owner = 'user:retried';
  const createdAt = new Date();
  const answerStartedAt = new Date(createdAt.getTime() + 100_000);
  const answeredAt = new Date(answerStartedAt.getTime() + 40);
  await models.records.create(
    finishedRecord({ owner, question: 'a phrase', createdAt, answerStartedAt, answeredAt }),
  );

  expect((await stats.of(owner, {})).medianMs).toBe(40);
  expect((await stats.of(owner, { text: '"a phrase"' })).medianMs).toBe(40);
});

test('the store does the counting; records are only read to compare their texts with the words', async () => {
  const owner = 'user:counted';
  await models.records.insertMany([finishedRecord({ owner, question: 'one two' })]);
  const reads: RecordFilter[] = [];
  const counting = createStats({
    aggregate: matching.aggregate,
    each(of, filter, fields) {
      reads.push(filter);
      return matching.each(of, filter, fields);
    },
  });

  for (const filter of [{}, { text: 'two' }, { source: 'document' }, { text: '"one two"' }] as const)
    expect((await counting.of(owner, filter)).total).toBe(1);
  expect(reads).toEqual([{ text: '"one two"' }]);
});

test('groups that are too large for one document are counted in the API', async () => {
  const owner = 'user:large';
  await models.records.insertMany([finishedRecord({ owner }), finishedRecord({ owner, source: 'none' })]);
  const large = createStats({
    aggregate: () => Promise.reject(Object.assign(new Error('too large'), { code: 10_334 })),
    each: matching.each,
  });

  expect(await large.of(owner, {})).toEqual(await stats.of(owner, {}));
});

test('records of earlier versions count by their source, related answers and those of people by themselves', async () => {
  const owner = 'user:outcomes';
  await models.records.insertMany([
    finishedRecord({ owner }),
    finishedRecord({ owner, source: 'none' }),
    finishedRecord({ owner, source: 'none', outcome: 'related' }),
    finishedRecord({ owner, source: 'none', outcome: 'related', answeredByPerson: true }),
  ]);

  const byOutcome = { answered: 2, related: 1, nothing: 1 };
  expect(await stats.of(owner, {})).toMatchObject({ byOutcome });
  for (const [outcome, count] of Object.entries(byOutcome) as [keyof typeof byOutcome, number][])
    expect((await matching.count(owner, { outcome })).total).toBe(count);
});

test('a contact has its latest name', async () => {
  const owner = 'user:names';
  const asked = (name: string, minute: number) =>
    finishedRecord({ owner, contact: { id: '10001', name }, createdAt: new Date(minute * minutes) });
  await models.records.insertMany([asked('Ann', 1), asked('Anna', 3), asked('An', 2)]);

  expect((await stats.of(owner, {})).byContact).toEqual([
    { contact: { id: '10001', name: 'Anna' }, count: 3 },
  ]);
});

test('every breakdown adds up to the total, which is that of a search', async () => {
  const owner = 'user:sums';
  const random = createRandom(7);
  const sources = ['curated', 'document', 'model', 'none'] as const;
  const made: RecordDocument[] = Array.from({ length: 1700 }, () =>
    finishedRecord({
      owner,
      question: random.pick(['退款 refund', '退款', 'refund', '退货']),
      contact: random.chance(0.3) ? null : { id: `c${random.int(40)}`, name: '' },
      source: random.pick(sources),
      feedback: random.chance(0.5) ? null : { rating: random.pick([1, -1]), note: '' },
      createdAt: new Date(Date.UTC(2026, 0, 1) + random.int(90 * 24 * 60) * minutes),
    }),
  );
  await models.records.insertMany(made);
  const filters: RecordFilter[] = [
    {},
    { text: '退款' },
    { text: '“退款 refund”' },
    { source: 'none' },
    { feedback: 'up', from: '2026-02-01', tz: 'Asia/Tokyo' },
    { contact: 'c7' },
    { text: 'nothing' },
  ];

  for (const filter of filters) {
    const counted = await stats.of(owner, filter);
    const { total } = await matching.count(owner, filter);
    const inParts: (keyof RecordStats)[] = ['byDay', 'byContact'];

    expect(counted.total).toBe(total);
    expect(counted.answered + counted.unanswered).toBe(total);
    expect(Object.values(counted.bySource).reduce((a, b) => a + b)).toBe(total);
    for (const part of inParts) expect(sum(counted[part] as { count: number }[])).toBe(total);
    const { up, down } = counted.satisfaction;
    expect(up + down).toBeLessThanOrEqual(total);
    if (filter.feedback === 'up') expect([up, down]).toEqual([total, 0]);
    const counts = counted.byContact.map(({ count }) => count);
    expect(counts).toEqual(counts.toSorted((a, b) => b - a));
    expect(counted.byDay.map(({ day }) => day)).toEqual(counted.byDay.map(({ day }) => day).toSorted());
  }
  expect((await stats.of(owner, {})).total).toBe(made.length);
});
