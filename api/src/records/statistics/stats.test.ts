import { afterAll, expect, jest, test } from '@jest/globals';
import { Types } from 'mongoose';
import type { RecordFilter, RecordStats } from '../../contract/search.ts';
import { finishedRecord, openTestModels } from '../../testing/open-test-models.ts';
import { createRandom } from '../../testing/random.ts';
import { changeRecord } from '../change-record.ts';
import { createContacts } from '../contacts.ts';
import type { DeletionDocument } from '../deletion/deletion.ts';
import { createDeletionRecords } from '../deletion/deletion-records.ts';
import { createHiddenRecords } from '../hidden-records.ts';
import { createOwnedRecords } from '../owned-records.ts';
import type { RecordDocument } from '../record.ts';
import { createMatchingRecords } from '../search/matching-records.ts';
import { createCountedDays } from './counted-days.ts';
import { createStats } from './stats.ts';

/** How often a job that counts was asked for. */
let asked = 0;

const { models, end } = await openTestModels();
const hidden = createHiddenRecords(models.deletions);
const contacts = createContacts(models, hidden);
const matching = createMatchingRecords({ records: models.records, contacts, hidden });
const countedDays = createCountedDays(models);
const given = { models, contacts, hidden, matching, countedDays, countSoon: async () => void asked++ };
const stats = createStats(given);
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

const never = new AbortController().signal;

test('statistics of counted days equal those of the records after any sequence of changes', async () => {
  const owner = 'user:days';
  const guest = 'guest:days';
  const random = createRandom(11);
  const { records } = models;
  const direct = createStats({ ...given, countedDays: { read: async () => null } });
  const owned = createOwnedRecords(models);
  const deletions = createDeletionRecords(models);
  const at = () => new Date(Date.UTC(2026, 2, 1) + random.int(20 * 24 * 60) * minutes);
  const contact = () => (random.chance(0.3) ? null : { id: `c${random.int(6)}`, name: 'N' });
  const anyRecord = async (condition = {}) => {
    const all = await records.find({ owner, erasedBy: null, ...condition }).lean();
    return all.length > 0 ? random.pick(all) : null;
  };
  const deletion = { _id: new Types.ObjectId(), owner } as DeletionDocument;
  await models.contacts.insertMany(
    Array.from({ length: 6 }, (_, n) => ({ owner, contactId: `c${n}`, name: 'N', lastUsedAt: new Date() })),
  );
  const changes: Record<string, () => Promise<unknown>> = {
    async asks() {
      const createdAt = at();
      const record = finishedRecord({
        owner: random.chance(0.2) ? guest : owner,
        createdAt,
        answeredAt: new Date(createdAt.getTime() + random.int(9000)),
        contact: contact(),
        source: random.pick(['curated', 'document', 'model', 'none']),
      });
      await records.create(record);
    },
    async answers() {
      const record = await anyRecord();
      const source = random.pick(['model', 'none'] as const);
      const answeredAt = new Date((record?.createdAt.getTime() ?? 0) + random.int(9000));
      if (record) await changeRecord(records, { _id: record._id }, () => ({ source, answeredAt }));
    },
    async rates() {
      const record = await anyRecord();
      const feedback = random.chance(0.3) ? null : { rating: random.pick([1, -1] as const), note: '' };
      if (record) await changeRecord(records, { _id: record._id }, () => ({ feedback }));
    },
    async 'is answered by a person'() {
      const record = await anyRecord();
      if (record) await changeRecord(records, { _id: record._id }, () => ({ answeredByPerson: true }));
    },
    async merges() {
      const into = { id: `c${random.int(6)}`, name: 'N' };
      for (const { _id } of await records.find({ owner, 'contact.id': `c${random.int(6)}` }).lean())
        await changeRecord(records, { _id }, () => ({ contact: into }));
    },
    async deletes() {
      const record = await anyRecord();
      if (record) await deletions.mark(deletion, [record]);
    },
    restores: () => deletions.restore(deletion, 3),
    purges: () => deletions.remove(deletion, 3),
    adopts: () => owned.transfer(guest, owner),
    'counts all': () => countedDays.sweep(never),
    async 'counts some'() {
      const record = await anyRecord();
      if (record) await countedDays.recount(owner, [record]);
    },
  };
  for (let step = 0; step < 100; step += 1) {
    const change = random.pick(['asks', 'asks', 'asks', ...Object.keys(changes)]);
    await changes[change]!();
    const from = `2026-03-0${1 + random.int(9)}`;
    const filter = random.pick<RecordFilter>([
      {},
      { from, tz: 'Asia/Tokyo' },
      { from, to: `2026-03-1${random.int(9)}`, tz: 'America/St_Johns' },
      { contact: 'c1' },
      { contact: '', source: 'document' },
      { source: 'person', from },
      { outcome: 'nothing', feedback: 'none' },
      { feedback: 'down' },
    ]);
    const counted = await stats.of(owner, filter);
    expect({ step, change, ...counted }).toEqual({ step, change, ...(await direct.of(owner, filter)) });
  }
  const counted = await models.countedDays.find({ owner }).lean();
  expect(counted.length).toBeGreaterThan(3);
});

test('statistics read no records once their days are counted', async () => {
  const owner = 'user:counted';
  const createdAt = new Date('2026-04-01T10:00:00Z');
  await models.records.insertMany([finishedRecord({ owner, createdAt })]);
  await countedDays.sweep(never);
  const reads: string[] = [];
  const counting = createStats({
    ...given,
    matching: {
      each(of, filter, fields) {
        reads.push(filter.text ?? '');
        return matching.each(of, filter, fields);
      },
      newest(of, filter, ...others) {
        reads.push(filter.text ?? '');
        return matching.newest(of, filter, ...others);
      },
    },
  });
  // Behind the back of everything that marks changes: only the counted day can tell.
  await models.records.collection.updateOne({ owner }, { $set: { source: 'model' } });

  expect((await counting.of(owner, {})).bySource.document).toBe(1);
  expect((await counting.of(owner, { source: 'document', from: '2026-04-01' })).total).toBe(1);
  expect(reads).toEqual([]);
  await counting.of(owner, { text: 'anything' });
  expect(reads).toEqual(['anything']);
});

test('a check repairs a day that is wrong', async () => {
  const owner = 'user:wrong';
  await models.records.insertMany([finishedRecord({ owner, createdAt: new Date('2026-05-01T10:00:00Z') })]);
  await countedDays.sweep(never);
  const right = await stats.of(owner, {});
  await models.countedDays.updateOne(
    { owner },
    { $set: { entries: Buffer.alloc(24), checkedAt: new Date(0) } },
  );
  expect((await stats.of(owner, {})).total).toBe(2);

  await countedDays.sweep(never);

  expect(await stats.of(owner, {})).toEqual(right);
});

test('a record that changes while its day is counted stays unmarked', async () => {
  const owner = 'user:busy';
  const createdAt = new Date('2026-06-01T10:00:00Z');
  const record = finishedRecord({ owner, createdAt });
  await models.records.create(record);
  const { bulkWrite } = models.records;
  const changing = jest.spyOn(models.records, 'bulkWrite').mockImplementationOnce(async (...marks) => {
    await models.records.updateOne({ _id: record._id }, { $set: { feedback: { rating: 1, note: '' } } });
    return bulkWrite.apply(models.records, marks);
  });

  await countedDays.recount(owner, [record]);
  changing.mockRestore();

  expect((await stats.of(owner, {})).satisfaction.up).toBe(1);
});

test('counts of a process that was slower do not replace newer ones', async () => {
  const owner = 'user:slow';
  const createdAt = new Date('2026-06-02T10:00:00Z');
  const record = finishedRecord({ owner, createdAt });
  await models.records.create(record);
  const { bulkWrite } = models.countedDays;
  // Between what this process has read and what it writes, another one counts a change.
  jest.spyOn(models.countedDays, 'bulkWrite').mockImplementationOnce(async (...writes) => {
    await models.records.updateOne({ _id: record._id }, { $set: { source: 'model' } });
    await countedDays.recount(owner, [record]);
    return bulkWrite.apply(models.countedDays, writes);
  });

  await countedDays.recount(owner, [record]);

  expect((await stats.of(owner, {})).bySource).toMatchObject({ document: 0, model: 1 });
});

test('many changes are counted by a job', async () => {
  const owner = 'user:many';
  const days = Array.from({ length: 70 }, (_, n) =>
    finishedRecord({ owner, createdAt: new Date(Date.UTC(2025, 0, 1 + n)) }),
  );
  await models.records.insertMany(days);
  const before = asked;

  expect((await stats.of(owner, {})).total).toBe(70);
  expect(asked).toBe(before + 1);
  await countedDays.sweep(never);
  expect((await stats.of(owner, {})).total).toBe(70);
  expect(asked).toBe(before + 1);
});

test('a deletion that ends while statistics are read does not show what it hid', async () => {
  const owner = 'user:ending';
  await models.records.create(finishedRecord({ owner, createdAt: new Date('2026-06-03T10:00:00Z') }));
  const read = Promise.withResolvers<void>();
  let isRead = false;
  let isRunning = true;
  const ending = createStats({
    ...given,
    hidden: {
      async notHidden() {
        if (isRead) await read.promise;
        return isRunning ? { $nor: [{ owner }] } : {};
      },
    },
    // It hides all of the owner's records.
    matching: { newest: matching.newest, async *each() {} },
    countedDays: {
      async read(...of) {
        isRead = true;
        const days = await countedDays.read(...of);
        isRunning = false;
        read.resolve();
        return days;
      },
    },
  });

  expect((await ending.of(owner, {})).total).toBe(0);
});
