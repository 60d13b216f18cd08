import { afterAll, expect, test } from '@jest/globals';
import mongoose from 'mongoose';
import type { RecordFilter } from '../../contract/search.ts';
import { createIndexes } from '../../store/define-model.ts';
import { readsOnMongodb } from '../../testing/mongodb-reads.ts';
import { createTestModels, finishedRecord } from '../../testing/open-test-models.ts';
import { newestFirst, readPages } from '../../testing/search-at-random.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { isEmbedded, openTestDatabase, removeTestData } from '../../testing/test-database.ts';
import { createContactReader } from '../contact-book/contact-details.ts';
import { createContacts } from '../contacts.ts';
import { createHiddenRecords } from '../hidden-records.ts';
import type { RecordDocument } from '../record.ts';
import { createCountedDays } from '../statistics/counted-days.ts';
import { createStats } from '../statistics/stats.ts';
import { createMatchingRecords, maxExamined } from './matching-records.ts';

const owner = 'user:1';
const many = 3 * maxExamined;
const onMongodb = (isEmbedded ? test.skip : test) as typeof test;

/**
 * Newest first, every record has 退款; the words 账户 and 订单 are never together, 发票 is in one in 500, and 登录密码 in the
 * oldest alone. Many have the same time.
 */
const dataDir = await temporaryFolder('desk-scale');
const database = await openTestDatabase(dataDir);
const connection = await mongoose
  .createConnection(database.uri, { autoIndex: false, autoCreate: false, monitorCommands: true })
  .asPromise();
const models = createTestModels(connection);
await createIndexes(models);
const hidden = createHiddenRecords(models.deletions);
const contacts = createContacts(models, hidden);
const matching = createMatchingRecords({ records: models.records, contacts, hidden });
const countedDays = createCountedDays(models);
const all = Array.from({ length: many }, (_, n) =>
  finishedRecord({
    owner,
    question: `退款，${n % 2 === 0 ? '账户' : '订单'}${n % 500 === 0 ? '，发票' : ''}`,
    answer: n === 0 ? '登录密码' : '登录，录密，密码',
    createdAt: new Date(Date.UTC(2026, 0, 1) + Math.floor(n / (n < many / 2 ? 1 : 700)) * 60_000),
  }),
);
for (let from = 0; from < many; from += 1000)
  await models.records.insertMany(all.slice(from, from + 1000), { lean: true });
afterAll(async () => {
  await connection.close();
  await database.close();
  await removeTestData(dataDir);
});

const day = { from: '2026-01-01', to: '2026-12-31' };
const filters: [string, RecordFilter, (record: RecordDocument) => boolean][] = [
  ['a rare and a common word', { text: '退款 发票' }, ({ question }) => question.includes('发票')],
  ['a common and a rare word', { text: '发票 退款', ...day }, ({ question }) => question.includes('发票')],
  ['common words', { text: '退款 账户', source: 'document' }, ({ question }) => question.includes('账户')],
  ['words that are never together', { text: '账户 订单' }, () => false],
  ['a long run of Chinese', { text: '登录密码' }, ({ answer }) => answer === '登录密码'],
  ['a phrase', { text: '“退款，账户，发票”' }, ({ question }) => question === '退款，账户，发票'],
];

test.each(filters)('%s: the pages together find what a full scan finds', async (_name, filter, isIn) => {
  const expected = all.filter(isIn).sort(newestFirst);

  const read = await readPages(matching, owner, filter, 100);

  expect(read.map(({ _id }) => String(_id))).toEqual(expected.map(({ _id }) => String(_id)));
  expect(await matching.count(owner, filter)).toEqual({ total: expected.length, totalIsMore: false });
});

test('a page that ends before all was examined has a cursor, and the total that was found so far', async () => {
  const page = await matching.page(owner, { text: '账户 订单' }, { limit: 20 });

  expect(page).toMatchObject({ records: [], total: 0, totalIsMore: true, nextCursor: expect.any(String) });
});

test('each match is read once, stretch by stretch', async () => {
  const read: string[] = [];
  for await (const some of matching.each(owner, { text: '退款 账户' }, ['source']))
    read.push(...some.map(({ _id }) => String(_id)));

  expect(read).toHaveLength(many / 2);
  expect(new Set(read).size).toBe(many / 2);
});

test.each(filters)(
  '%s: the newest matches of a number of entries, and whether there are more',
  async (_name, filter, isIn) => {
    const expected = all.filter(isIn).sort(newestFirst);

    const newest: string[] = [];
    const isMore = await matching.newest(owner, filter, ['source'], maxExamined, ({ _id }) => {
      newest.push(String(_id));
    });
    let count = 0;
    const isMoreThanAll = await matching.newest(owner, filter, ['source'], many + 1, () => count++);

    expect(newest).toEqual(expected.slice(0, newest.length).map(({ _id }) => String(_id)));
    expect(isMore || newest.length === expected.length).toBe(true);
    expect({ count, isMoreThanAll }).toEqual({ count: expected.length, isMoreThanAll: false });
  },
);

test('statistics of words are of the newest 5,000 entries, and say so', async () => {
  const stats = createStats({ models, contacts, hidden, matching, countedDays, countSoon: async () => {} });
  const oldest = [...all].sort(newestFirst)[4999]!.createdAt.toISOString().slice(0, 10);

  const newest = await stats.of(owner, { text: '退款' });
  const whole = await stats.of(owner, { text: '退款' }, true);
  const rarer = await stats.of(owner, { text: '退款 账户' });

  expect(newest).toMatchObject({ total: 5000, totalIsMore: true });
  expect(newest.byDay[0]?.day).toBe(oldest);
  expect(whole.total).toBe(many);
  expect(rarer.total).toBe(many / 2);
  expect([whole.totalIsMore, rarer.totalIsMore]).toEqual([undefined, undefined]);
});

test('a running deletion hides its records without reading all of them for one page', async () => {
  const deletion = await models.deletions.create({
    owner,
    undoToken: 'all',
    state: 'erasing',
    kind: 'date',
    until: all[many - 1]!.createdAt,
    createdAt: new Date(),
    undoUntil: new Date(),
  });

  const filter = { text: '退款' };
  const reads = isEmbedded
    ? null
    : await readsOnMongodb(connection, () => matching.page(owner, filter, { limit: 20 }));
  const left = await readPages(matching, owner, filter, 100);
  await deletion.deleteOne();

  expect(left).toHaveLength(all.filter(({ createdAt }) => createdAt >= all[many - 1]!.createdAt).length);
  expect(reads?.documents ?? 0).toBeLessThan(2.2 * maxExamined);
});

onMongodb.each(filters)(
  '%s: a page reads a bounded number of records, and sorts none',
  async (_name, filter) => {
    const reads = await readsOnMongodb(connection, () => matching.page(owner, filter, { limit: 20 }));

    // For the page, for the total, and the records that are shown.
    expect(reads.documents).toBeLessThanOrEqual(2 * maxExamined + 20);
    // To find the rarest of at most three terms, for the end of what is examined, and for the documents.
    expect(reads.keys).toBeLessThanOrEqual(3 * (100 + 2 * maxExamined) + 4 * maxExamined);
    expect([...reads.stages]).not.toEqual(expect.arrayContaining(['COLLSCAN']));
    expect([...reads.stages]).not.toEqual(expect.arrayContaining(['SORT']));
  },
);

onMongodb.each([...filters, ['one word', { text: '退款' }]] as typeof filters)(
  '%s: the newest matches read a bounded number of records, and sort none',
  async (_name, filter) => {
    const reads = await readsOnMongodb(connection, () =>
      matching.newest(owner, filter, ['source'], maxExamined, () => undefined),
    );

    // The next slice is read meanwhile.
    expect(reads.documents).toBeLessThanOrEqual(maxExamined + 1000);
    expect([...reads.stages]).not.toContain('COLLSCAN');
    expect([...reads.stages]).not.toContain('SORT');
  },
);

onMongodb('the list of contacts with their figures reads none of their records', async () => {
  const hidden = createHiddenRecords(models.deletions);
  const contacts = createContacts(models, hidden);
  const reader = createContactReader(models, contacts, hidden);
  const busy = Array.from({ length: 300 }, (_, n) =>
    finishedRecord({ owner: 'user:2', contact: { id: `1380013800${n % 3}`, name: '' } }),
  );
  await models.records.insertMany(busy, { lean: true });
  await contacts.recount('user:2', ['13800138000', '13800138001', '13800138002']);

  const reads = await readsOnMongodb(connection, async () => {
    const { contacts: listed } = await reader.list('user:2', '', { limit: 20 });
    expect(listed.map(({ recordCount }) => recordCount)).toEqual([100, 100, 100]);
  });

  // Those are the contacts and the cards.
  expect(reads.documents).toBeLessThanOrEqual(6);
});

onMongodb('the rarest word is read, wherever it stands', async () => {
  for (const text of ['退款 发票', '发票 退款', '账户 发票 退款']) {
    const reads = await readsOnMongodb(connection, () =>
      matching.page(owner, { text, source: 'document' }, { limit: 20 }),
    );

    expect({ text, isFew: reads.documents <= 3 * (many / 500) }).toEqual({ text, isFew: true });
    expect({ text, isFew: reads.keys <= 5 * 100 + 5 * (many / 500) }).toEqual({ text, isFew: true });
  }
});
