import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { findBadPlans } from '../mongod/query-plans.ts';

const logged = (attr: object) => JSON.stringify({ msg: 'Slow query', attr });
const find = { find: 'records', filter: { owner: 'o', createdAt: { $lt: { $date: '2026' } } } };
const sortedBy = (sort: object) => ({ ...find, sort });
const created = (collection: string, key: object, partialFilterExpression = {}) =>
  logged({
    ns: 'desk.$cmd',
    command: { createIndexes: collection, indexes: [{ key, partialFilterExpression }] },
  });

test('names queries without an index, with a sort that no index has and with too many reads, each once', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'desk-plans-'));
  const file = path.join(folder, 'log');
  const inIndex = { ns: 'desk.records', planSummary: 'IXSCAN { owner: 1 }', nreturned: 20 };
  await writeFile(
    file,
    [
      'no JSON',
      logged({ ...inIndex, command: find, keysExamined: 400, docsExamined: 20 }),
      logged({ ...inIndex, command: find, keysExamined: 401, docsExamined: 20 }),
      created('records', { owner: 1, createdAt: 1 }),
      created('records', { owner: 1, at: 1 }, { at: 1 }),
      // The planner's choice: an index has their order.
      logged({ ...inIndex, command: sortedBy({ createdAt: -1 }), hasSortStage: true }),
      logged({ ...inIndex, command: sortedBy({ owner: 1, createdAt: 1 }), hasSortStage: true }),
      // No index has it.
      logged({ ...inIndex, command: sortedBy({ createdAt: -1, _id: -1 }), hasSortStage: true }),
      logged({ ...inIndex, command: sortedBy({ at: 1 }), hasSortStage: true }),
      logged({ ...inIndex, command: { ...sortedBy({ createdAt: 1 }), filter: {} }, hasSortStage: true }),
      logged({ ...inIndex, command: find, planSummary: 'COLLSCAN' }),
      logged({ ...inIndex, command: find, planSummary: 'COLLSCAN' }),
      logged({ ...inIndex, ns: 'admin.records', command: find, planSummary: 'COLLSCAN' }),
      logged({ ns: 'desk.previews', command: { find: 'previews', filter: {} }, planSummary: 'COLLSCAN' }),
    ].join('\n'),
  );
  expect(await findBadPlans(file)).toEqual([
    'no index: find records: owner, createdAt.$lt; COLLSCAN (2 times)',
    'reads too much: find records: owner, createdAt.$lt; IXSCAN { owner: 1 } (1 times)',
    'sorted in memory: find records: , sort createdAt; IXSCAN { owner: 1 } (1 times)',
    'sorted in memory: find records: owner, createdAt.$lt, sort at; IXSCAN { owner: 1 } (1 times)',
    'sorted in memory: find records: owner, createdAt.$lt, sort createdAt,_id; IXSCAN { owner: 1 } (1 times)',
  ]);
  await rm(folder, { recursive: true });
});
