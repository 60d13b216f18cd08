import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { findBadPlans } from '../mongod/query-plans.ts';

const logged = (attr: object) => JSON.stringify({ msg: 'Slow query', attr });
const find = { find: 'records', filter: { owner: 'o', createdAt: { $lt: { $date: '2026' } } } };
const sorted = { ...find, sort: { createdAt: -1 } };

test('names queries without an index, with a sort of many in memory and with too many reads, each once', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'desk-plans-'));
  const file = path.join(folder, 'log');
  const inIndex = { ns: 'desk.records', planSummary: 'IXSCAN { owner: 1 }', nreturned: 20 };
  await writeFile(
    file,
    [
      'no JSON',
      logged({ ...inIndex, command: find, keysExamined: 400, docsExamined: 20 }),
      logged({ ...inIndex, command: find, keysExamined: 401, docsExamined: 20 }),
      logged({ ...inIndex, command: sorted, hasSortStage: true, docsExamined: 50 }),
      logged({ ...inIndex, command: sorted, hasSortStage: true, docsExamined: 51 }),
      logged({ ...inIndex, command: find, planSummary: 'COLLSCAN' }),
      logged({ ...inIndex, command: find, planSummary: 'COLLSCAN' }),
      logged({ ...inIndex, ns: 'admin.records', command: find, planSummary: 'COLLSCAN' }),
      logged({ ns: 'desk.previews', command: { find: 'previews', filter: {} }, planSummary: 'COLLSCAN' }),
    ].join('\n'),
  );
  expect(await findBadPlans(file)).toEqual([
    'no index: find records: owner, createdAt.$lt; COLLSCAN (2 times)',
    'reads too much: find records: owner, createdAt.$lt; IXSCAN { owner: 1 } (1 times)',
    'sorted in memory: find records: owner, createdAt.$lt, sort createdAt; IXSCAN { owner: 1 } (1 times)',
  ]);
  await rm(folder, { recursive: true });
});
