import { expect, test } from '@jest/globals';
import { act, renderHook, waitFor } from '@testing-library/react';
import type { RecordFilter } from 'api/contract/search';
import { createStandInServices, failure } from 'host/stand-ins';
import { ScreenRoot } from '../lib/screen-root.tsx';
import { createRecordServer } from '../testing/record-server.ts';
import { sampleRecords } from '../testing/sample-records.ts';
import { type FoundRecords, useFoundRecords } from './use-found-records.ts';

const NOON = new Date(2026, 10, 20, 12);

async function readPages(count: number, pages: number, records = sampleRecords(count, NOON)) {
  const server = createRecordServer(records);
  const { services, calls } = createStandInServices({ answers: (call) => server.answer(call) });
  const begun: boolean[] = [];
  const render = () => {
    const found = useFoundRecords(services.http, {});
    begun.push(found.hasBegun);
    return found;
  };
  const { result } = renderHook(render, {
    wrapper: ({ children }) => <ScreenRoot services={services}>{children}</ScreenRoot>,
  });
  const now = () => result.current;
  /** Calls are handled in a later task. */
  const start = (call: (found: FoundRecords) => void) =>
    act(async () => {
      call(now());
      await new Promise((resolve) => setTimeout(resolve));
    });
  const settle = () => waitFor(() => expect(now().isReading).toBe(false));
  const run = async (call: (found: FoundRecords) => void) => {
    await start(call);
    await settle();
  };
  await settle();
  for (let page = 1; page < pages; page += 1) await run((found) => found.more());
  const shown = () => now().records.map(({ id }) => id);
  const there = (limit: number) => server.records.slice(0, limit).map(({ id }) => id);
  return { server, now, begun, start, settle, run, shown, there, calls };
}

test('loads a page once if it is requested twice at the same time', async () => {
  const { run, calls, shown } = await readPages(300, 1);

  await run((found) => {
    found.more();
    found.more();
  });

  expect([calls.length, shown().length]).toEqual([2, 150]);
});

test('removes records deleted far down after a refresh, and leaves everything else in place', async () => {
  const { server, now, run, shown, there } = await readPages(600, 4);
  expect(shown()).toHaveLength(350);

  server.records = server.records.filter(({ id }) => id !== 'r-222');
  await run((found) => found.refresh());

  expect(shown()).toEqual(there(shown().length));
  expect(shown().length).toBeGreaterThanOrEqual(300);
  expect(now().total).toBe(599);
});

test('loads one page if only the top changed', async () => {
  const { server, run, calls, shown, there } = await readPages(600, 4);
  const before = calls.length;

  server.records = server.records.slice(2);
  await run((found) => found.refresh());

  expect(calls.length - before).toBe(1);
  expect(shown()).toEqual(there(348));
});

test('shows restored records further down in order, and loading more omits none', async () => {
  const { server, now, run, shown, there } = await readPages(120, 2);
  const all = server.records;
  server.records = all.filter((_, index) => index % 3 !== 0);
  await run((found) => found.refresh(true));
  expect(shown()).toEqual(there(80));

  server.records = all;
  await run((found) => found.refresh(true));
  while (now().hasMore) await run((found) => found.more());

  expect(shown()).toEqual(there(120));
});

test('a thorough refresh finds restored records below deleted ones', async () => {
  const { server, run, shown, there } = await readPages(600, 4);
  const all = server.records;
  server.records = all.filter(({ id }) => id !== 'r-300');
  await run((found) => found.refresh());

  server.records = all.filter(({ id }) => id !== 'r-3');
  await run((found) => found.refresh(true));

  expect(shown()).toEqual(there(shown().length));
  expect(shown()).toContain('r-300');
});

test.each(['r-60', 'r-300'])(
  'a thorough refresh finds %s, restored while the total stays the same',
  async (restored) => {
    const { server, run, shown, there } = await readPages(600, 4);
    const all = server.records;
    server.records = all.filter(({ id }) => id !== restored);
    await run((found) => found.refresh());

    server.records = all.filter(({ id }) => id !== 'r-599');
    await run((found) => found.refresh(true));

    expect(shown()).toEqual(there(shown().length));
    expect(shown()).toContain(restored);
  },
);

test('loads one page if only the top changed and there are more records than can be counted', async () => {
  const { server, now, run, calls, shown, there } = await readPages(10_100, 3);
  const before = calls.length;

  server.records = server.records.slice(2);
  await run((found) => found.refresh());

  expect(calls.length - before).toBe(1);
  expect(shown()).toEqual(there(248));
  expect(now()).toMatchObject({ total: 10_000, totalIsMore: true });
});

test('changes on several pages together explain the new total: the pages after them are not read', async () => {
  const { server, now, run, calls, shown, there } = await readPages(900, 6);
  const before = calls.length;

  server.records = server.records.filter(({ id }) => id !== 'r-3' && id !== 'r-60');
  await run((found) => found.refresh());

  expect(calls.length - before).toBe(2);
  expect(shown()).toEqual(there(548));
  expect(now().total).toBe(898);
});

test('records of the same moment keep their order, none twice and none omitted, after a refresh', async () => {
  const createdAt = NOON.toISOString();
  const same = sampleRecords(300, NOON).map((record, index) => ({
    ...record,
    id: `s-${900 - index}`,
    createdAt,
  }));
  const { server, run, shown, there } = await readPages(300, 2, same);

  server.records = same.filter(({ id }) => id !== 's-895' && id !== 's-800');
  await run((found) => found.refresh());

  expect(shown()).toEqual(there(148));
});

test('a record that moved to the next page meanwhile is shown once', async () => {
  const { server, run, shown } = await readPages(120, 1);
  const { answer } = server;
  server.answer = (call) => {
    const page = answer(call) as { records: unknown[] };
    return { ...page, records: [server.records[49], ...page.records] };
  };

  await run((found) => found.more());

  expect(shown().filter((id) => id === 'r-49')).toHaveLength(1);
  expect(shown()).toHaveLength(120);
});

test('the records of the previous filter stay, under that filter, until those of the next one arrive', async () => {
  const server = createRecordServer(sampleRecords(30, NOON));
  const held = Promise.withResolvers<void>();
  const { services } = createStandInServices({
    answers: async (call) => {
      if ((call.body as { source?: string }).source) await held.promise;
      return server.answer(call);
    },
  });
  const { result, rerender } = renderHook(({ filter }) => useFoundRecords(services.http, filter), {
    wrapper: ({ children }) => <ScreenRoot services={services}>{children}</ScreenRoot>,
    initialProps: { filter: {} as RecordFilter },
  });
  await waitFor(() => expect(result.current.isReading).toBe(false));

  rerender({ filter: { source: 'model' } });
  expect(result.current.filter).toEqual({});
  expect(result.current).toMatchObject({ isBehind: true, hasBegun: true, total: 30 });
  expect(result.current.records).toHaveLength(30);
  await act(async () => held.resolve());

  await waitFor(() => expect(result.current.isBehind).toBe(false));
  expect(result.current).toMatchObject({ filter: { source: 'model' }, total: 6 });
});

test('counts the remaining records after some were removed', async () => {
  const { now, run } = await readPages(300, 2);

  await run((found) => found.drop(({ id }) => id === 'r-3' || id === 'r-60'));

  expect(now()).toMatchObject({ total: 298, hasMore: true });
  expect(now().records).toHaveLength(148);
});

test('removing everything from a list without more leaves it empty, without reading again', async () => {
  const { now, run, calls } = await readPages(20, 1);
  const before = calls.length;

  await run((found) => found.drop(() => true));

  expect(now()).toMatchObject({ records: [], total: 0, hasMore: false, hasBegun: true });
  expect(calls).toHaveLength(before);
});

test('a refresh that fails changes nothing', async () => {
  const { server, now, run } = await readPages(60, 2);
  const { records, total } = now();

  server.answer = () => {
    throw failure(503, 'unavailable', '服务暂时不可用');
  };
  await run((found) => found.refresh());

  expect(now().records).toBe(records);
  expect(now()).toMatchObject({ total, failure: null, hasMore: false });
});

test('starts over if all loaded records were deleted and there are more', async () => {
  const { server, now, begun, start, settle, shown, there } = await readPages(300, 1);
  const before = begun.length;
  const { answer } = server;
  const held = Promise.withResolvers<void>();
  server.answer = async (call) => {
    await held.promise;
    return answer(call);
  };

  server.records = server.records.slice(50);
  await start((found) => {
    found.drop(() => true);
    found.refresh();
  });
  expect(begun.slice(before)).toContain(false);
  held.resolve();
  await settle();

  expect(shown()).toEqual(there(50));
  expect(now().total).toBe(250);
});

test('omits no record of a page that is requested during a refresh', async () => {
  const { server, now, start, settle, run, shown, there } = await readPages(300, 2);
  const { answer } = server;
  const waiting: (() => void)[] = [];
  server.answer = async (call) => {
    const page = answer(call);
    await new Promise<void>((resolve) => waiting.push(resolve));
    return page;
  };

  server.records = server.records.slice(3);
  await start((found) => found.refresh());
  await start((found) => found.refresh());
  await start((found) => found.more());
  server.answer = answer;
  // Responses arrive in reverse order.
  for (const arrive of waiting.toReversed()) arrive();
  await settle();
  while (now().hasMore) await run((found) => found.more());

  expect(shown()).toEqual(there(297));
});

test('two events when the page becomes visible cause only one refresh', async () => {
  const { run, calls } = await readPages(300, 1);
  const before = calls.length;

  await run(() => {
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
    window.dispatchEvent(new Event('focus'));
  });

  expect(calls.length - before).toBe(1);
});

test('a record deleted while a page is loading does not reappear', async () => {
  const { server, now, run, shown } = await readPages(300, 1);
  const { answer } = server;
  const erase = (id: string) => {
    server.records = server.records.filter((record) => record.id !== id);
    now().drop((record) => record.id === id);
  };
  const victims = ['r-3', 'r-60'];
  server.answer = async (call) => {
    const page = answer(call);
    await Promise.resolve();
    const victim = victims.shift();
    if (victim) erase(victim);
    return page;
  };

  await run((found) => found.refresh());
  while (shown().length < 150 && now().hasMore) await run((found) => found.more());

  expect(victims).toEqual([]);
  expect(shown()).not.toContain('r-3');
  expect(shown()).not.toContain('r-60');
  expect(shown().length).toBeGreaterThan(100);
});

test('a rating given during a refresh stays', async () => {
  const { server, now, run } = await readPages(60, 1);
  const { answer } = server;
  const feedback = { rating: 1, note: '' } as const;
  let isRated = false;
  server.answer = async (call) => {
    const page = answer(call);
    await Promise.resolve();
    if (isRated) return page;
    isRated = true;
    server.records = server.records.map((record) => (record.id === 'r-1' ? { ...record, feedback } : record));
    now().change('r-1', { feedback });
    return page;
  };

  await run((found) => found.refresh());

  expect(now().records.find(({ id }) => id === 'r-1')?.feedback).toEqual(feedback);
});
