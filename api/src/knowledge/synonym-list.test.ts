import { expect, test } from '@jest/globals';
import { createSynonymList, type SynonymModel } from './synonym-list.ts';

interface Stored {
  revision: number;
  groups: string[][];
}

/** The list in the store of one or several processes; reads wait for `reading`. */
function open() {
  const store: { stored: Stored | null; reading: Promise<void> } = {
    stored: null,
    reading: Promise.resolve(),
  };
  const model = {
    findById: () => {
      const found = store.stored;
      return { lean: () => store.reading.then(() => found) };
    },
    create: async (list: Stored) => {
      store.stored = list;
    },
    updateOne: async ({ revision }: { revision: number }, { $set }: { $set: Stored }) => {
      const isCurrent = store.stored?.revision === revision;
      if (isCurrent) store.stored = $set;
      return { matchedCount: isCurrent ? 1 : 0 };
    },
  };
  return { store, list: createSynonymList(model as unknown as SynonymModel) };
}

const first = [['工资', 'salary']];
const second = [['班车', 'shuttle']];

test('a slow read does not replace a list that was saved meanwhile', async () => {
  const { store, list } = open();
  await list.change({ revision: 0, groups: first });
  const held = Promise.withResolvers<void>();
  store.reading = held.promise;
  const reading = list.read();
  await list.change({ revision: 1, groups: second });
  const find = list.latest();
  held.resolve();
  expect(await reading).toEqual({ revision: 1, groups: first });
  expect([list.revision(), list.latest()]).toEqual([2, find]);
});

test('a change of an outdated revision is refused, and changes by another process are read', async () => {
  const { store, list } = open();
  await list.change({ revision: 0, groups: first });
  await expect(list.change({ revision: 5, groups: second })).rejects.toMatchObject({ error: 'conflict' });
  store.stored = { revision: 7, groups: second };
  await list.read();
  expect(list.revision()).toBe(7);
});
