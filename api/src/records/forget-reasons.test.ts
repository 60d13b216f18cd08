import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { finishedRecord, openTestModels, type TestModels } from '../testing/open-test-models.ts';
import { createContacts } from './contacts.ts';
import { forgetReasons } from './forget-reasons.ts';
import { createHiddenRecords } from './hidden-records.ts';
import { upgradeRecords } from './upgrade-records.ts';

let models: TestModels;
let end: () => Promise<void>;
beforeAll(async () => {
  ({ models, end } = await openTestModels());
});
afterAll(() => end());

test('the explanations of old answers are removed, and nothing else', async () => {
  const now = Date.now();
  const why = { reason: 'documents' } as never;
  const answered = (daysAgo: number) =>
    finishedRecord({ answer: 'kept', answeredAt: new Date(now - daysAgo * 86_400_000), why, hasWhy: true });
  const old = Array.from({ length: 1100 }, () => answered(31));
  const recent = [answered(0), answered(29)];
  await models.records.insertMany([...old, ...recent], { lean: true });

  await forgetReasons(models.records, new AbortController().signal);

  const left = await models.records.find({}, { why: 1, hasWhy: 1, answer: 1 }).lean();
  expect(
    left
      .filter((record) => record.why)
      .map(({ _id }) => String(_id))
      .sort(),
  ).toEqual(recent.map(({ _id }) => String(_id)).sort());
  expect(left.filter((record) => record.hasWhy)).toHaveLength(recent.length);
  expect(left.every(({ answer }) => answer === 'kept')).toBe(true);
});

test('those of earlier versions are marked by the upgrade, and then removed', async () => {
  const why = { reason: 'documents' } as never;
  const old = { answeredAt: new Date(Date.now() - 60 * 86_400_000), why };
  const earlier = Array.from({ length: 450 }, () => finishedRecord({ owner: 'user:2', ...old }));
  await models.records.insertMany(earlier, { lean: true });
  const { signal } = new AbortController();

  await upgradeRecords(models, createContacts(models, createHiddenRecords(models.deletions)), signal);
  await forgetReasons(models.records, signal);

  expect(await models.records.countDocuments({ owner: 'user:2', why: { $ne: null } })).toBe(0);
  expect(await models.records.countDocuments({ owner: 'user:2' })).toBe(450);
});
