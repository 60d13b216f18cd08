import { afterAll, expect, test } from '@jest/globals';
import { Types } from 'mongoose';
import { finishedRecord, openTestModels } from '../testing/open-test-models.ts';
import { changeRecord } from './change-record.ts';
import { type Contacts, createContacts } from './contacts.ts';
import { createHiddenRecords } from './hidden-records.ts';
import { createMatchingRecords } from './search/matching-records.ts';
import { upgradeRecords } from './upgrade-records.ts';

const { models, end } = await openTestModels();
const hidden = createHiddenRecords(models.deletions);
const contacts = createContacts(models, hidden);
const matching = createMatchingRecords({ records: models.records, contacts, hidden });
afterAll(() => end());

const owner = 'user:1';
const termsOf = async (_id: Types.ObjectId) =>
  (await models.records.findById(_id, { terms: 1 }).lean())?.terms;

test('records of earlier versions can be found after the upgrade, wherever it was interrupted', async () => {
  const earlier = Array.from({ length: 450 }, (_, n) => {
    const { terms: _none, ...record } = finishedRecord({
      owner,
      question: `earlier ${n}`,
      contact: { id: `c${Math.floor(n / 150)}`, name: n % 150 === 149 ? 'last' : 'first' },
      createdAt: new Date(Date.UTC(2026, 0, 1) + n),
    });
    return record;
  });
  const { terms: _none, ...gone } = finishedRecord({ owner, erasedBy: new Types.ObjectId() });
  await models.records.collection.insertMany([...earlier, gone]);
  expect((await matching.count(owner, { text: 'earlier' })).total).toBe(0);

  const { signal } = new AbortController();
  let slices = 0;
  const crashing: Contacts = {
    ...contacts,
    async recount(...of) {
      slices += 1;
      if (slices === 2) throw new Error('a crash in the middle');
      await contacts.recount(...of);
    },
  };
  await expect(upgradeRecords(models, crashing, signal)).rejects.toThrow('in the middle');
  const upTo = (await matching.count(owner, { text: 'earlier' })).total;
  expect(upTo).toBeGreaterThan(0);
  expect(upTo).toBeLessThan(450);
  expect(await upgradeRecords(models, contacts, AbortSignal.abort())).toBe(0);
  expect(await upgradeRecords(models, contacts, signal)).toBe(450 - upTo);

  expect((await matching.count(owner, { text: 'earlier' })).total).toBe(450);
  expect((await matching.count(owner, { text: 'earlier 248', contact: 'c1' })).total).toBe(1);
  expect(await termsOf(gone._id)).toBeUndefined();
  const { contacts: listed } = await contacts.list(owner, '', { limit: 10 });
  expect(listed).toEqual(['c2', 'c1', 'c0'].map((id) => ({ id, name: 'last' })));
  expect(await upgradeRecords(models, contacts, signal)).toBe(0);
});

test('an erased record is upgraded without getting terms', async () => {
  const record = finishedRecord({ owner, erasedBy: new Types.ObjectId() });
  await models.records.create(record);

  const changed = await changeRecord(models.records, { _id: record._id }, () => ({ answer: 'said at last' }));

  expect(changed?.answer).toBe('said at last');
  expect(await termsOf(record._id)).toBeUndefined();
});

test('a change that conflicts with a concurrent one is applied to the new state', async () => {
  const record = finishedRecord({ owner, question: 'raced' });
  await models.records.create(record);
  let asked = 0;

  await changeRecord(models.records, { _id: record._id }, () => {
    asked += 1;
    return { feedback: { rating: 1, note: '' } };
  });
  const both = await Promise.all(
    [1, 2, 3, 4].map((n) =>
      changeRecord(models.records, { _id: record._id }, ({ feedback }) => {
        asked += 1;
        return {
          feedback: feedback?.rating === 1 ? { rating: -1, note: `${n}` } : { rating: 1, note: `${n}` },
        };
      }),
    ),
  );

  const kept = await models.records.findById(record._id).lean();
  const rating = kept?.feedback?.rating === 1 ? 'up' : 'down';
  expect(both).not.toContain(null);
  expect(asked).toBeGreaterThanOrEqual(5);
  expect(kept?.feedback?.rating).toBe(1);
  expect((await matching.count(owner, { text: 'raced', feedback: rating })).total).toBe(1);
});
