import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Types } from 'mongoose';
import { openTestModels } from '../../testing/open-test-models.ts';
import {
  idsOf,
  insertRecords,
  newestFirst,
  owners,
  randomRecord,
  randomRecords,
  readPages,
  searchAtRandom,
  seed,
  times,
} from '../../testing/search-at-random.ts';
import { createContacts } from '../contacts.ts';
import { createHiddenRecords } from '../hidden-records.ts';
import type { RecordDocument } from '../record.ts';
import { createMatchingRecords } from './matching-records.ts';
import { recordTerms } from './record-terms.ts';

const store = await openTestModels();
const hidden = createHiddenRecords(store.models.deletions);
const contacts = createContacts(store.models, hidden);
const matching = createMatchingRecords({ records: store.models.records, contacts, hidden });
afterAll(() => store.end());

describe(`search (seed ${seed})`, () => {
  let all: RecordDocument[];

  beforeAll(async () => {
    all = randomRecords(1500);
    await insertRecords(store.models, all);
  });

  test('finds what a full scan of the same records finds, page by page', () =>
    searchAtRandom(matching, all, 60));

  test('reads all matches in slices, with the requested fields', async () => {
    const [owner] = owners;
    const expected = all.filter((record) => record.owner === owner && !record.erasedBy).sort(newestFirst);
    const read: { _id: Types.ObjectId; source: string }[] = [];

    for await (const slice of matching.each(owner!, {}, ['source'])) read.push(...slice);

    expect(idsOf(read)).toEqual(idsOf(expected));
    expect(read[0]).toEqual(expect.objectContaining({ source: expected[0]!.source }));
    expect(read[0]).not.toHaveProperty('answer');
  });

  test('a running deletion hides its records before they are marked', async () => {
    const owner = 'user:2';
    const going = '李四';
    const expected = all.filter((record) => record.owner === owner && !record.erasedBy).sort(newestFirst);
    const deletion = await store.models.deletions.create({
      owner,
      undoToken: 'hides',
      state: 'erasing',
      kind: 'contact',
      contactId: going,
      createdAt: new Date(),
      undoUntil: new Date(),
    });
    const left = expected.filter(({ contact }) => contact?.id !== going);

    const read = await readPages(matching, owner, {}, 100);
    const counted = await matching.count(owner, {});
    const named = await matching.count(owner, { contact: going });
    await deletion.deleteOne();

    expect(left.length).toBeLessThan(expected.length);
    expect(idsOf(read)).toEqual(idsOf(left));
    expect(counted.total).toBe(left.length);
    expect(named.total).toBe(0);
  });
});

test('pages have no gaps or duplicates while records are added and removed', async () => {
  const owner = 'user:paging';
  const made = Array.from({ length: 60 }, (_, n) => ({
    ...randomRecord(owner),
    question: '退款账户',
    erasedBy: null,
    createdAt: new Date(times[0]! + Math.floor(n / 3) * 1000),
  }));
  await insertRecords(
    store.models,
    made.map((record) => ({ ...record, terms: recordTerms(record) })),
  );
  const expected = made.sort(newestFirst);
  const erased = new Set<string>();
  const read: RecordDocument[] = [];
  let cursor: string | undefined;

  for (;;) {
    const page = await matching.page(owner, { text: '退款账户' }, { limit: 7, cursor });
    read.push(...page.records);
    if (page.nextCursor === null) break;
    cursor = page.nextCursor;
    // One is added, the last one read is removed, and so is an unread one.
    const arrived = { ...randomRecord(owner), question: '退款账户', erasedBy: null, createdAt: new Date() };
    await insertRecords(store.models, [{ ...arrived, terms: recordTerms(arrived) }]);
    const ahead = expected.slice(read.length + erased.size + 3)[0];
    for (const gone of [page.records.at(-1)!, ...(ahead ? [ahead] : [])]) {
      await store.models.records.updateOne(
        { _id: gone._id },
        { $set: { erasedBy: new Types.ObjectId() }, $unset: { terms: 1 } },
      );
    }
    if (ahead) erased.add(ahead._id.toHexString());
  }

  expect(erased.size).toBeGreaterThan(3);
  expect(idsOf(read)).toEqual(idsOf(expected).filter((id) => !erased.has(id)));
});

describe('with more than ten thousand records', () => {
  const owner = 'user:many';

  beforeAll(async () => {
    const half = 5000;
    for (const [source, count] of [
      ['curated', half + 1],
      ['document', half],
    ] as const) {
      const base = {
        ...randomRecord(owner),
        question: '数数',
        answer: '',
        source,
        contact: null,
        erasedBy: null,
      };
      const terms = recordTerms(base);
      const some = Array.from({ length: count }, () => ({ ...base, _id: new Types.ObjectId(), terms }));
      await store.models.records.collection.insertMany(some);
    }
  });

  test('the next page of a filter with several sources is read too', async () => {
    const first = await matching.page(owner, {}, { limit: 20 });
    const second = await matching.page(owner, {}, { limit: 20, cursor: first.nextCursor! });

    for (const page of [first, second]) {
      expect(page).toMatchObject({ total: 10_000, totalIsMore: true });
      expect(page.records).toHaveLength(20);
    }
    expect(idsOf(second.records).filter((id) => idsOf(first.records).includes(id))).toEqual([]);
  });

  test('exactly ten thousand are counted', async () => {
    expect(await matching.count(owner, { text: '数数' })).toEqual({ total: 10_000, totalIsMore: true });
    expect(await matching.count(owner, {})).toEqual({ total: 10_000, totalIsMore: true });
    await store.models.records.deleteOne({ owner });
    expect(await matching.count(owner, { text: '数数' })).toEqual({ total: 10_000, totalIsMore: false });
    expect(await matching.count(owner, { text: '数数 “数数”' })).toEqual({
      total: 10_000,
      totalIsMore: false,
    });
    expect(await matching.count(owner, {})).toEqual({ total: 10_000, totalIsMore: false });
  });
});
