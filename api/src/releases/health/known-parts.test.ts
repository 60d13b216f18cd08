import { afterAll, expect, test } from '@jest/globals';
import { openTestCompositions } from '../../testing/open-test-compositions.ts';
import { movePointer, readPointer } from '../data/move-pointer.ts';
import { createKnownParts } from './page-reports.ts';

const opened = await openTestCompositions();
afterAll(() => opened.close());

const DAY = 86_400_000;
const start = Date.parse('2026-11-01T12:00:00Z');
const onDay = (day: number) => new Date(start + day * DAY);

test('reports are accepted for compositions that were live in the last seven days', async () => {
  const { store } = await opened.connect();
  const note = { kind: 'set', author: 'ops', reason: '' } as const;
  const live = [...'abc'].map((letter) => letter.repeat(64));
  for (const [day, composition] of live.entries()) {
    const chosen = { name: 'host', release: 'host@1', version: '1', base: '/', digest: 'd', previous: null };
    await store.compositions.create({
      ...{ _id: composition, host: chosen, remotes: [], parent: null, author: 'ops', reason: '' },
      createdAt: onDay(day),
    });
    await movePointer(store, await readPointer(store), { composition }, note, onDay(day));
  }
  // Live until day 1, until day 2, and still live.
  const known = async (day: number) => {
    const parts = createKnownParts(store, () => onDay(day));
    const found = await Promise.all(live.map((composition) => parts.find(composition)));
    return found.map((one) => one !== undefined);
  };

  expect(await Promise.all([8, 8.5, 9.5].map(known))).toEqual([
    [true, true, true],
    [false, true, true],
    [false, false, true],
  ]);
});
