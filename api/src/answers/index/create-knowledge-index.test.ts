import { afterAll, expect, test } from '@jest/globals';
import { openKnowledgeStore } from '../../testing/knowledge-store.ts';
import { createKnowledgeIndex } from './create-knowledge-index.ts';
import { countsOf, createSharedCounts, sharedScope } from './shared-counts.ts';

const store = await openKnowledgeStore();
const index = createKnowledgeIndex(store.models);
afterAll(() => store.end());

const leave =
  '# Leave\n\n## Annual leave\n\nEvery employee has 15 days of annual leave.\n\n## 病假\n\n病假须有医院证明。\n';

function documentOf(_id: string, text: string, owner = '') {
  return { _id, owner, title: 'Leave', language: 'en' as const, text };
}

/** What the counts in force say, against what a fresh count of all passages says. */
async function counts() {
  const { termCounts, findable } = store.models;
  const counting = (await termCounts.findById('!').lean())?.passages ?? 0;
  const scope = `${sharedScope(counting)} `;
  const rows = await termCounts.find({ _id: { $gte: scope, $lt: `${scope}\u{ffff}` } }).lean();
  const kept = rows.filter(({ passages }) => passages !== 0);
  const all = await findable.find({ owner: '' }).lean();
  const right = [...countsOf(all)].map(([key, passages]) => [sharedScope(counting) + key, passages]);
  return {
    kept: kept.map(({ _id, passages }) => [_id, passages]).sort(),
    right: right.sort(),
  };
}

test('unchanged passages have the same id, changed ones are removed, and texts are those of the document', async () => {
  expect(await index.put(documentOf('d1', leave))).toBe(2);
  const first = await store.models.passages.find({ documentId: 'd1' }).lean();
  const changed = `# Leave\n\nNew words.\n\n${leave.slice(9).replace('医院', '医生')}`;
  expect(await index.put(documentOf('d1', changed))).toBe(3);
  const second = await store.models.passages.find({ documentId: 'd1' }).sort({ start: 1 }).lean();
  expect(second).toHaveLength(3);
  for (const { text, start, end } of second) expect(changed.slice(start, end)).toBe(text);
  const ids = first.map(({ _id }) => _id);
  expect(second.filter(({ _id }) => ids.includes(_id)).map(({ heading }) => heading)).toEqual([
    'Annual leave',
  ]);
  expect(await store.models.findable.countDocuments({ documentId: 'd1' })).toBe(3);
  const { kept, right } = await counts();
  expect(kept).toEqual(right);
});

test('repeating and removing leaves correct counts; ids of the same text differ between documents', async () => {
  await index.put(documentOf('d1', leave));
  await index.put(documentOf('d2', leave));
  await index.put(documentOf('d2', leave));
  await index.put(documentOf('p1', leave, 'user:1'));
  expect(await store.models.passages.countDocuments()).toBe(6);
  let { kept, right } = await counts();
  expect(kept).toEqual(right);
  await index.remove('d1');
  await index.remove('p1');
  await index.remove('unknown');
  ({ kept, right } = await counts());
  expect(kept).toEqual(right);
  expect(await store.models.passages.countDocuments()).toBe(2);
});

test('an abort leaves correct counts and can be continued', async () => {
  const long = Array.from({ length: 300 }, (_, at) => `## Part ${at}\n\nWords of part ${at}.\n`).join('\n');
  const abort = new AbortController();
  const put = index.put(documentOf('long', long), {
    signal: abort.signal,
    onProgress: () => abort.abort(),
  });
  await expect(put).rejects.toThrow(/abort/i);
  const some = await store.models.findable.countDocuments({ documentId: 'long' });
  expect(some).toBeGreaterThan(0);
  expect(some).toBeLessThan(300);
  let { kept, right } = await counts();
  expect(kept).toEqual(right);
  expect(await index.put(documentOf('long', long))).toBe(300);
  ({ kept, right } = await counts());
  expect(kept).toEqual(right);
  await index.remove('long');
});

test('counts of a killed process are repaired, but not while another change is running', async () => {
  const { termCounts } = store.models;
  const shared = createSharedCounts(store.models);
  await shared.begin('dead');
  await shared.add(
    'dead',
    new Map([
      ['', 5],
      ['ghost', 5],
    ]),
  );
  expect(await shared.sweep()).toBe(false);
  await termCounts.updateOne({ _id: '! dead' }, { $set: { until: new Date(0) } });
  await shared.begin('living');
  expect(await shared.sweep()).toBe(false);
  await shared.end('living');
  expect(await shared.sweep()).toBe(true);
  const { kept, right } = await counts();
  expect(kept).toEqual(right);
  expect(await termCounts.countDocuments({ _id: { $gte: '! ', $lt: '!!' } })).toBe(0);
});
