import { expect } from '@jest/globals';
import { Types } from 'mongoose';
import type { RecordFilter } from '../../contract/search.ts';
import { embeddedOnly } from '../../testing/embedded-only.ts';
import { openCountedStore } from '../../testing/open-counted-store.ts';
import { createContacts } from '../contacts.ts';
import { createHiddenRecords } from '../hidden-records.ts';
import type { RecordDocument } from '../record.ts';
import { createMatchingRecords } from './matching-records.ts';
import { recordTerms } from './record-terms.ts';

const { models, readBy } = await openCountedStore();
const hidden = createHiddenRecords(models.deletions);
const matching = createMatchingRecords({
  records: models.records,
  contacts: createContacts(models, hidden),
  hidden,
});

const owner = 'user:1';
const common = 1000;
const rare = 30;

/** Inserts `common` records about 退款, `rare` of which also mention zebras. */
async function insertFor(of: string): Promise<void> {
  const made = Array.from({ length: common }, (_, n) => {
    const isRare = n % Math.floor(common / rare) === 0 && n / Math.floor(common / rare) < rare;
    const record = {
      owner: of,
      conversationId: new Types.ObjectId(),
      kind: 'chat',
      status: 'done',
      question: `订单退款 ${isRare ? 'zebras' : 'horses'}`,
      answer: '请在账户里申请退款。',
      contact: null,
      source: 'document',
      feedback: null,
      createdAt: new Date(Date.UTC(2026, 0, 1) + n * 60_000),
    } satisfies Partial<RecordDocument>;
    return { ...record, terms: recordTerms(record) };
  });
  await models.records.insertMany(made);
}

const filters: [string, RecordFilter][] = [
  ['one rare word', { text: 'zebra' }],
  ['a rare word with common ones', { text: '退款 账户 zebra', source: 'document', feedback: 'none' }],
  ['common words', { text: '退款 账户' }],
  ['one common word', { text: '退款' }],
  ['a source', { source: 'document' }],
  ['days', { from: '2026-01-01', to: '2026-01-01' }],
  ['nothing', {}],
];

embeddedOnly(
  'a page reads the entries of the rarest word of its owner alone, however much others have',
  async () => {
    await insertFor(owner);
    const read = () =>
      Promise.all(
        filters.map(async ([, filter]) => {
          const { records } = await matching.page(owner, filter, { limit: 20 });
          expect(records).toHaveLength(20);
        }),
      );
    await read();
    const counts = [];
    for (const [, filter] of filters) {
      counts.push(await readBy(() => matching.page(owner, filter, { limit: 20 })));
    }

    for (const other of ['user:2', 'user:3', 'guest:4']) await insertFor(other);

    for (const [index, [name, filter]] of filters.entries()) {
      const now = await readBy(() => matching.page(owner, filter, { limit: 20 }));
      expect({ name, ...now }).toEqual({ name, ...counts[index] });
      // One more than the page, to know whether there is another.
      expect({ name, rows: now.rows }).toEqual({ name, rows: 21 });
    }
    const [, withRare] = counts;
    // To find the rarest term, the store reads a limited number of index entries of each, both for the page
    // and for the total.
    expect(withRare!.entries).toBeLessThan(30 * rare);
  },
);

embeddedOnly('a phrase is held against each text once, for the page and for the total', async () => {
  const filter = { text: '“账户里申请”' };
  let cursor: string | null = null;
  const first = await readBy(async () => {
    const page = await matching.page(owner, filter, { limit: 20 });
    expect(page).toMatchObject({ total: common, totalIsMore: false });
    cursor = page.nextCursor;
  });
  const second = await readBy(async () => {
    const page = await matching.page(owner, filter, { limit: 20, cursor: cursor! });
    expect(page).toMatchObject({ total: common, totalIsMore: false });
    expect(page.records).toHaveLength(20);
  });

  // Every record, and those of the page once more.
  expect(first.rows).toBe(common + 20);
  // The total is known: only a slice of them is read.
  expect(second.rows).toBeLessThan(common);
});

embeddedOnly('a later page counts no more', async () => {
  const { nextCursor, total } = await matching.page(owner, { text: '退款' }, { limit: 20 });

  const { entries, rows } = await readBy(async () => {
    const page = await matching.page(owner, { text: '退款' }, { limit: 20, cursor: nextCursor! });
    expect(page.total).toBe(total);
  });

  expect(rows).toBe(21);
  expect(entries).toBeLessThan(100);
});

embeddedOnly('a count reads no record, and no entry of another owner', async () => {
  for (const [name, filter, most] of [
    ['one word', { text: '退款' }, common],
    ['a rare word with common ones', { text: '退款 zebra' }, 10 * rare],
    ['days and a source', { source: 'document', from: '2026-01-01', to: '2026-01-01' }, common],
    ['nothing', {}, common + 10],
  ] as [string, RecordFilter, number][]) {
    const { entries, rows } = await readBy(() => matching.count(owner, filter));

    expect({ name, rows }).toEqual({ name, rows: 0 });
    expect({ name, isBounded: entries <= most }).toEqual({ name, isBounded: true });
  }
});
