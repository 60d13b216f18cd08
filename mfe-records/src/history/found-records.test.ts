import { expect, test } from '@jest/globals';
import { createStandInServices, failure } from 'host/stand-ins';
import { createRecordDesk } from '../testing/record-desk.ts';
import { sampleRecords } from '../testing/sample-records.ts';
import { createFoundRecords } from './found-records.ts';

const NOON = new Date(2026, 10, 20, 12);

async function readPages(count: number, pages: number) {
  const desk = createRecordDesk(sampleRecords(count, NOON));
  const { services, calls } = createStandInServices({ answers: (call) => desk.answer(call) });
  const found = createFoundRecords(services.http, {}, 50);
  for (let page = 0; page < pages; page += 1) await found.more();
  const shown = () => found.state$.value.records.map(({ id }) => id);
  const there = (limit: number) => desk.records.slice(0, limit).map(({ id }) => id);
  return { desk, found, shown, there, calls };
}

test('asked twice at once, a page is read once', async () => {
  const { found, calls, shown } = await readPages(300, 0);

  await Promise.all([found.more(), found.more()]);

  expect([calls.length, shown().length]).toEqual([1, 50]);
});

test('what went far down is missed after a refresh, and everything else keeps its place', async () => {
  const { desk, found, shown, there } = await readPages(600, 4);
  expect(shown()).toHaveLength(350);

  desk.records = desk.records.filter(({ id }) => id !== 'r-222');
  await found.refresh();

  expect(shown()).toEqual(there(shown().length));
  expect(shown().length).toBeGreaterThanOrEqual(300);
  expect(found.state$.value.total).toBe(599);
});

test('a change at the top alone costs one page', async () => {
  const { desk, found, calls, shown, there } = await readPages(600, 4);
  const before = calls.length;

  desk.records = desk.records.slice(2);
  await found.refresh();

  expect(calls.length - before).toBe(1);
  expect(shown()).toEqual(there(348));
});

test('records that came back further down are there, in their order, and reading on leaves none out', async () => {
  const { desk, found, shown, there } = await readPages(120, 2);
  const all = desk.records;
  desk.records = all.filter((_, index) => index % 3 !== 0);
  await found.refresh(true);
  expect(shown()).toEqual(there(80));

  desk.records = all;
  await found.refresh(true);
  while (found.state$.value.hasMore) await found.more();

  expect(shown()).toEqual(there(120));
});

test('a refresh that fails changes nothing', async () => {
  const { desk, found } = await readPages(60, 2);
  const before = found.state$.value;

  desk.answer = () => {
    throw failure(503, 'unavailable', '服务暂时不可用');
  };
  await found.refresh();

  expect(found.state$.value).toBe(before);
});

test('all that was read erased, with more behind: it begins anew', async () => {
  const { desk, found, shown, there } = await readPages(300, 1);

  desk.records = desk.records.slice(50);
  found.drop(() => true);
  expect(found.state$.value.hasBegun).toBe(false);
  await found.refresh();

  expect(shown()).toEqual(there(50));
  expect(found.state$.value.total).toBe(250);
});

test('the next page waits for the last of several refreshes, so that no record is left out', async () => {
  const { desk, found, shown, there } = await readPages(300, 2);
  const { answer } = desk;
  const waiting: (() => void)[] = [];
  desk.answer = async (call) => {
    const page = answer(call);
    await new Promise<void>((resolve) => waiting.push(resolve));
    return page;
  };
  const settle = async () => {
    for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
  };

  const first = found.refresh();
  const second = found.refresh();
  await settle();
  waiting.shift()?.();
  await first;
  const more = found.more();
  await settle();
  // Whatever was asked for last arrives first.
  for (const arrive of waiting.toReversed()) arrive();
  desk.answer = answer;
  await Promise.all([second, more]);
  while (found.state$.value.hasMore) await found.more();

  expect(shown()).toEqual(there(300));
});

test('two events at one return to the page cost one refresh', async () => {
  const { found, calls } = await readPages(300, 1);
  const before = calls.length;

  await Promise.all([found.refresh(), found.refresh()]);

  expect(calls.length - before).toBe(1);
});

test('a record that is deleted while a page is being read does not come back', async () => {
  const { desk, found, shown } = await readPages(300, 1);
  const { answer } = desk;
  const erase = (id: string) => {
    desk.records = desk.records.filter((record) => record.id !== id);
    found.drop((record) => record.id === id);
  };
  const victims = ['r-3', 'r-60'];
  desk.answer = async (call) => {
    const page = answer(call);
    await Promise.resolve();
    const victim = victims.shift();
    if (victim) erase(victim);
    return page;
  };

  await found.refresh();
  await found.more();

  expect(shown()).not.toContain('r-3');
  expect(shown()).not.toContain('r-60');
  expect(shown().length).toBeGreaterThan(100);
});

test('a rating given during a refresh stays', async () => {
  const { desk, found } = await readPages(60, 1);
  const { answer } = desk;
  const feedback = { rating: 1, note: '' } as const;
  let isRated = false;
  desk.answer = async (call) => {
    const page = answer(call);
    await Promise.resolve();
    if (isRated) return page;
    isRated = true;
    desk.records = desk.records.map((record) => (record.id === 'r-1' ? { ...record, feedback } : record));
    found.change('r-1', { feedback });
    return page;
  };

  await found.refresh();

  expect(found.state$.value.records.find(({ id }) => id === 'r-1')?.feedback).toEqual(feedback);
});
