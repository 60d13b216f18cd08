import { afterAll, beforeEach, expect, test } from '@jest/globals';
import { pino } from 'pino';
import { openTestModels } from '../testing/open-test-models.ts';
import { createUsageCount, ownedUsage } from './model-usage.ts';

let time = 0;
const log = pino({ level: 'silent' });
const count = (limit: number) => createUsageCount(store.models.usage, limit, log, () => time);

const store = await openTestModels();
beforeEach(async () => {
  await store.models.usage.deleteMany({});
  time = Date.parse('2026-11-21T20:30:00Z');
});
afterAll(() => store.end());

test('usage is counted per UTC day and starts at zero', async () => {
  const usage = count(1000);
  expect(usage.hoursLeft()).toBe(4);
  await (await usage.take('user:1', 400))!.settle(1200, 'plain');
  expect(await usage.today('user:1')).toEqual({ day: '2026-11-21', questions: 1, tokens: 1200, limit: 1000 });
  expect(await usage.take('user:1', 1)).toBeNull();
  time = Date.parse('2026-11-22T00:00:00Z');
  expect(usage.hoursLeft()).toBe(24);
  expect(await usage.today('user:1')).toMatchObject({ day: '2026-11-22', questions: 0, tokens: 0 });
  expect(await usage.take('user:1', 1)).not.toBeNull();
});

test('running questions count with their estimate, failed ones with nothing', async () => {
  const usage = count(1000);
  const shares = await Promise.all(Array.from({ length: 20 }, () => usage.take('user:1', 400)));
  const taken = shares.filter((share) => share !== null);
  expect(taken).toHaveLength(3);
  expect((await usage.today('user:1')).tokens).toBe(1200);
  for (const share of taken) {
    await share.settle(0, 'plain');
    await share.settle(500, 'plain');
  }
  expect(await usage.today('user:1')).toMatchObject({ questions: 0, tokens: 0 });
});

test('a day whose count fell below zero shows zero', async () => {
  const usage = count(1000);
  await (await usage.take('user:below', 100))!.settle(-200, 'plain');
  expect(await usage.today('user:below')).toMatchObject({ tokens: 0 });
});

test('a question is counted for the day on which it started', async () => {
  const usage = count(1000);
  const share = (await usage.take('user:1', 400))!;
  time = Date.parse('2026-11-22T00:00:01Z');
  await share.settle(300, 'plain');
  expect((await usage.today('user:1')).tokens).toBe(0);
  time = Date.parse('2026-11-21T23:59:59Z');
  expect(await usage.today('user:1')).toMatchObject({ questions: 1, tokens: 300 });
});

test("an adopted guest's usage is transferred, and deleted accounts leave none", async () => {
  const usage = count(0);
  await (await usage.take('guest:1', 1))!.settle(100, 'plain');
  await (await usage.take('user:1', 1))!.settle(20, 'plain');
  time += 86_400_000;
  await (await usage.take('guest:1', 1))!.settle(3, 'plain');
  const owned = ownedUsage(store.models.usage);
  await owned.updateMany({ owner: 'guest:1' }, { $set: { owner: 'user:1' } });
  await owned.updateMany({ owner: 'guest:1' }, { $set: { owner: 'user:1' } });
  expect(await usage.today('user:1')).toMatchObject({ questions: 1, tokens: 3 });
  time -= 86_400_000;
  expect(await usage.today('user:1')).toMatchObject({ questions: 2, tokens: 120 });
  expect(await usage.today('guest:1')).toMatchObject({ questions: 0, tokens: 0 });
  await owned.deleteMany({ owner: 'user:1' });
  expect(await store.models.usage.countDocuments()).toBe(0);
});
