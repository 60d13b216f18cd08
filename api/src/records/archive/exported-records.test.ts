import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { Types } from 'mongoose';
import { finishedRecord, openTestModels, type TestModels } from '../../testing/open-test-models.ts';
import { createContacts } from '../contacts.ts';
import { createHiddenRecords } from '../hidden-records.ts';
import { createMatchingRecords } from '../search/matching-records.ts';
import { createReadSelected } from './exported-records.ts';

jest.setTimeout(60_000);

let models: TestModels;
let end: () => Promise<void>;
beforeAll(async () => {
  ({ models, end } = await openTestModels());
});
afterAll(() => end());

test.each(['ids', 'filter'] as const)(
  'records that are deleted while an export by %s is read are left out of the rest of it',
  async (by) => {
    const { records } = models;
    const owner = `user:export by ${by}`;
    const made = Array.from({ length: 1200 }, (_, n) => finishedRecord({ owner, createdAt: new Date(n) }));
    await records.insertMany(made);
    const hidden = createHiddenRecords(models.deletions);
    const contacts = createContacts(models, hidden);
    const matching = createMatchingRecords({ records, contacts, hidden });
    const readSelected = createReadSelected({ records, matching, hidden });
    const ids = made.map(({ _id }) => _id.toHexString());

    const read: string[] = [];
    const selection = by === 'ids' ? { ids } : { filter: {} };
    for await (const some of readSelected(owner, selection)) {
      if (read.length === 0)
        await records.updateMany(
          { owner, createdAt: { $lt: new Date(600) } },
          { erasedBy: new Types.ObjectId() },
        );
      read.push(...some.map(({ _id }) => _id.toHexString()));
    }

    expect(read).toEqual(ids.slice(600).reverse());
  },
);
