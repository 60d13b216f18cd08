import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { InfiniteQueryObserver, QueryObserver } from '@tanstack/react-query';
import { createQueryClient, editPages, pause, readUntilFound } from './queries.ts';

test('a query that is loading for the first time is loaded again after a change', async () => {
  const client = createQueryClient();
  const first = Promise.withResolvers<string>();
  let reads = 0;
  const queryFn = async () => {
    reads += 1;
    return reads === 1 ? first.promise : 'after the change';
  };
  const observer = new QueryObserver(client, { queryKey: ['list'], queryFn });
  const seen: unknown[] = [];
  const stop = observer.subscribe(({ status, data }) => seen.push(data ?? status));
  const changed = client.invalidateQueries({ queryKey: ['list'] });
  await Promise.resolve();
  first.resolve('before the change');
  await changed;
  expect(observer.getCurrentResult().data).toBe('after the change');
  expect(seen).not.toContain('before the change');
  expect(seen).not.toContain('error');
  stop();
});

interface Numbers {
  numbers: number[];
}

/** A list that is shown, whose reads are answered by the test. */
async function shownList() {
  const client = createQueryClient();
  client.mount();
  const reads: ((page: Numbers) => void)[] = [];
  const observer = new InfiniteQueryObserver(client, {
    queryKey: ['list'],
    queryFn: () => new Promise<Numbers>((resolve) => reads.push(resolve)),
    initialPageParam: null,
    getNextPageParam: () => null,
    staleTime: 0,
  });
  const stop = observer.subscribe(() => undefined);
  const end = () => {
    stop();
    client.unmount();
  };
  const shown = () => observer.getCurrentResult().data?.pages.flatMap(({ numbers }) => numbers);
  const answer = async (...numbers: number[]) => {
    reads.at(-1)?.({ numbers });
    await jest.advanceTimersByTimeAsync(10);
  };
  await answer(1, 2);
  return { client, reads, shown, answer, end };
}

const withoutTwo = ({ numbers }: Numbers): Numbers => ({ numbers: numbers.filter((one) => one !== 2) });

describe('a list that is shown', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  test('is loaded again when the page becomes visible', async () => {
    const { reads, end } = await shownList();
    window.dispatchEvent(new Event('focus'));
    await jest.advanceTimersByTimeAsync(10);
    expect(reads).toHaveLength(2);
    end();
  });

  test('is changed at once, and loaded again only if a response was in progress', async () => {
    const { client, reads, shown, answer, end } = await shownList();
    editPages<Numbers>(client, ['list'], withoutTwo);
    expect(shown()).toEqual([1]);
    await jest.advanceTimersByTimeAsync(10);
    expect(reads).toHaveLength(1);

    void client.invalidateQueries({ queryKey: ['list'] });
    await jest.advanceTimersByTimeAsync(10);
    editPages<Numbers>(client, ['list'], withoutTwo);
    const [, older] = reads;
    older?.({ numbers: [1, 2] });
    await jest.advanceTimersByTimeAsync(10);
    expect(shown()).toEqual([1]);
    expect(reads).toHaveLength(3);
    await answer(1, 3);
    expect(shown()).toEqual([1, 3]);
    end();
  });
});

test('skips pages without records, and keeps the other fields of the first page', async () => {
  const pages = [
    { records: [], nextCursor: 'b', total: 2 },
    { records: [], nextCursor: 'c' },
    { records: ['one'], nextCursor: 'd' },
  ];
  const asked: (string | null)[] = [];
  const read = async (cursor: string | null) => {
    asked.push(cursor);
    return pages[asked.length - 1]!;
  };
  expect(await readUntilFound(null, read)).toEqual({ records: ['one'], nextCursor: 'd', total: 2 });
  expect(asked).toEqual([null, 'b', 'c']);
});

test('a pause ends when it is aborted', async () => {
  const leaving = new AbortController();
  const paused = pause(60_000, leaving.signal);
  leaving.abort(new Error('left'));
  await expect(paused).rejects.toThrow('left');
  await expect(pause(1, new AbortController().signal)).resolves.toBeUndefined();
});
