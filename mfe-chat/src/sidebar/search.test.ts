import { expect, test } from '@jest/globals';
import type { FoundRecord } from 'api/contract/search';
import { type Call, createStandInServices } from 'host/stand-ins';
import { record } from '../testing/samples.ts';
import { createSearch } from './search.ts';

const found = (id: string): FoundRecord => ({ ...record(id), highlights: [] });

/** A search over a server whose answers a test gives one by one. */
function openSearch() {
  const open: { call: Call; answer(...ids: string[]): Promise<void> }[] = [];
  const { services } = createStandInServices({
    answers: (call) =>
      new Promise((resolve) => {
        const answer = async (...ids: string[]) => {
          resolve({
            records: ids.map(found),
            total: 9,
            totalIsMore: false,
            nextCursor: `after ${ids.at(-1)}`,
          });
          await new Promise((done) => setTimeout(done));
        };
        open.push({ call, answer });
      }),
  });
  const search = createSearch(services.http);
  const ids = () => search.state$.value.records.map(({ id }) => id);
  return { search, next: () => open.shift(), ids };
}

test('more of what is shown is read by its own words, also while other words are being typed', async () => {
  const { search, next, ids } = openSearch();
  search.type('refund', true);
  void search.look();
  await next()!.answer('r1');
  search.type('invoice', true);
  void search.loadMore();
  const more = next()!;
  expect(more.call.body).toEqual({ text: 'refund', cursor: 'after r1' });
  await more.answer('r2');
  expect(ids()).toEqual(['r1', 'r2']);
});

test('nothing more of the old words is read once the new ones are looked for', async () => {
  const { search, next, ids } = openSearch();
  search.type('refund', true);
  void search.look();
  await next()!.answer('r1');
  search.type('invoice', true);
  void search.look();
  const look = next()!;
  void search.loadMore();
  expect(next()).toBeUndefined();
  await look.answer('i1');
  expect(ids()).toEqual(['i1']);
  search.clear();
});
