import { expect, test } from '@jest/globals';
import { Types } from 'mongoose';
import { cutPage, readCursor, writeCursor } from './cursor.ts';
import { inSlices, slicesById } from './in-slices.ts';
import { within } from './within.ts';

test.each([0, 1, 2, 3, 4, 5])('a list of %d is split into slices of at most two', (length) => {
  const list = Array.from({ length }, (_, index) => index);
  const slices = [...inSlices(list, 2)];
  expect(slices.flat()).toEqual(list);
  expect(slices.slice(0, -1).every((slice) => slice.length === 2)).toBe(true);
  expect(slices).toHaveLength(Math.ceil(length / 2));
});

test('documents are read by id, each once, also those that are removed meanwhile', async () => {
  const stored = ['a', 'b', 'c', 'd', 'e'];
  const asked: unknown[] = [];
  const documents = {
    find: (condition: Record<string, unknown>) => ({
      sort: () => ({
        limit: (max: number) => ({
          lean: async () => {
            asked.push(condition);
            const { $gt = '' } = (condition._id ?? {}) as { $gt?: string };
            return stored
              .filter((id) => id > $gt)
              .slice(0, max)
              .map((_id) => ({ _id }));
          },
        }),
      }),
    }),
  };
  const read: string[] = [];
  for await (const slice of slicesById<{ _id: string }>(documents, 2, { owner: 'x' })) {
    read.push(...slice.map(({ _id }) => _id));
    stored.splice(0, 1);
  }
  expect(read).toEqual(['a', 'b', 'c', 'd', 'e']);
  expect(asked[0]).toEqual({ owner: 'x' });
  expect(asked[1]).toEqual({ owner: 'x', _id: { $gt: 'b' } });
});

test('a page has a cursor only if there is another one', () => {
  const cursorOf = (last: number) => `after ${last}`;
  expect(cutPage([1, 2, 3], 2, cursorOf)).toEqual({ page: [1, 2], nextCursor: 'after 2' });
  expect(cutPage([1, 2], 2, cursorOf)).toEqual({ page: [1, 2], nextCursor: null });
  expect(cutPage([], 2, cursorOf)).toEqual({ page: [], nextCursor: null });
});

test('a cursor is valid for its own list and in its canonical form only', () => {
  const position = { at: new Date(1_700_000_000_123), id: new Types.ObjectId(), counted: 7 };
  const cursor = writeCursor('one', position);
  expect(readCursor('one', cursor)).toEqual(position);
  const refused = { status: 400, details: { field: 'cursor' } };
  for (const [list, given] of [
    ['other', cursor],
    ['one', `${cursor}=`],
    ['one', ` ${cursor}`],
    ['one', cursor.slice(1)],
    ['one', writeCursor('one', { at: position.at, id: 'no object id' })],
    ['one', writeCursor('one', { ...position, at: new Date(Number.NaN) })],
  ] as const)
    expect(() => readCursor(list, given)).toThrow(expect.objectContaining(refused));
});

test('waiting ends with the work or with the time, and the work continues', async () => {
  let isDone = false;
  const work = Promise.withResolvers<void>();
  const all = work.promise.then(() => {
    isDone = true;
  });
  await within(1, all);
  expect(isDone).toBe(false);
  work.resolve();
  await within(60_000, all);
  expect(isDone).toBe(true);
  await expect(within(60_000, Promise.reject(new Error('broken')))).rejects.toThrow('broken');
});
