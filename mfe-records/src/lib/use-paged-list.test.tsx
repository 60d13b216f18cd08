import { expect, test } from '@jest/globals';
import { act, renderHook, waitFor } from '@testing-library/react';
import { createStandInServices, failure } from 'host/stand-ins';
import { ScreenRoot } from './screen-root.tsx';
import { usePagedList } from './use-paged-list.tsx';

/** Two pages that share an item; the second one can be made to fail. */
function open() {
  const pages = { isBroken: false, cursors: [] as (string | null)[] };
  const { services } = createStandInServices();
  const { result } = renderHook(
    () =>
      usePagedList<{ id: string }>({
        key: ['list'],
        async read(cursor) {
          pages.cursors.push(cursor);
          if (cursor && pages.isBroken) throw failure(503, 'unavailable', '服务暂时不可用');
          const ids = cursor ? ['b', 'c'] : ['a', 'b'];
          return { items: ids.map((id) => ({ id })), total: 3, nextCursor: cursor ? null : 'next' };
        },
      }),
    { wrapper: ({ children }) => <ScreenRoot services={services}>{children}</ScreenRoot> },
  );
  const now = () => result.current;
  return { pages, now, ids: () => now().items.map(({ id }) => id) };
}

test('shows an item that is on two pages once', async () => {
  const { now, ids, pages } = open();
  await waitFor(() => expect(ids()).toEqual(['a', 'b']));
  expect(now().hasMore).toBe(true);
  act(() => now().more());
  await waitFor(() => expect(ids()).toEqual(['a', 'b', 'c']));
  expect(now().hasMore).toBe(false);
  expect(pages.cursors).toEqual([null, 'next']);
});

test('a deleted item is neither shown nor counted', async () => {
  const { now, ids } = open();
  await waitFor(() => expect(ids()).toEqual(['a', 'b']));
  act(() => now().drop('b'));
  await waitFor(() => expect(ids()).toEqual(['a']));
  expect(now().total).toBe(2);
});

test('after a page failed, the loaded items remain, and it can be loaded again', async () => {
  const { now, ids, pages } = open();
  await waitFor(() => expect(ids()).toEqual(['a', 'b']));
  pages.isBroken = true;
  act(() => now().more());
  await waitFor(() => expect(now().failure?.message).toBe('服务暂时不可用'));
  expect(ids()).toEqual(['a', 'b']);
  pages.isBroken = false;
  act(() => now().more());
  await waitFor(() => expect(ids()).toEqual(['a', 'b', 'c']));
  expect(now().failure).toBeNull();
});
