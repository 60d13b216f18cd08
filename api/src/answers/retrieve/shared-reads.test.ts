import { afterAll, expect, jest, test } from '@jest/globals';
import { openKnowledgeStore } from '../../testing/knowledge-store.ts';
import { createKnowledgeIndex } from '../index/create-knowledge-index.ts';
import { sharedReadsOf } from './shared-reads.ts';

const store = await openKnowledgeStore();
afterAll(() => store.end());

function documentOf(_id: string, text: string, owner = '') {
  return { _id, owner, title: 'Tools', language: 'en' as const, text };
}

test('any change of shared documents clears the cache, also by another process', async () => {
  const elsewhere = createKnowledgeIndex(store.models);
  const reads = sharedReadsOf(store.models);
  const read = async () => {
    const { countOf } = await reads.countTerms('none', ['hammer'], ['']);
    const ids = await reads.findIds([''], ['-hammer'], 10);
    const [rows, texts] = [await reads.readCandidates(ids, ['']), await reads.readPassages(ids, [''])];
    return [countOf('hammer'), countOf(''), rows.length, texts.map(({ text }) => text.includes('hammer'))];
  };
  expect(await read()).toEqual([0, 0, 0, []]);
  await elsewhere.put(documentOf('one', '# Tools\n\nOne hammer.\n'));
  expect(await read()).toEqual([1, 1, 1, [true]]);
  expect(await read()).toEqual([1, 1, 1, [true]]);
  await elsewhere.put(documentOf('two', '# Tools\n\nAnother hammer.\n'));
  expect(await read()).toEqual([2, 2, 2, [true, true]]);
  await elsewhere.remove('one');
  expect(await read()).toEqual([1, 1, 1, [true]]);
  await elsewhere.put(documentOf('own', '# Tools\n\nMy hammer.\n', 'user:1'));
  expect(await read()).toEqual([1, 1, 1, [true]]);
});

test('concurrent questions get correct counts while documents change', async () => {
  const index = createKnowledgeIndex(store.models);
  const reads = sharedReadsOf(store.models);
  await index.put(documentOf('steady', '# Saws\n\nA saw and a chisel.\n'));
  const changing = (async () => {
    for (let turn = 0; turn < 10; turn += 1)
      await index.put(documentOf('turning', `# Nails\n\nNail ${turn}.\n`));
  })();
  const counted: number[] = [];
  for (let turn = 0; turn < 20; turn += 1) {
    const both = [
      reads.countTerms('none', ['chisel'], ['']),
      reads.countTerms('none', ['saw', 'chisel'], ['']),
    ];
    for (const { countOf } of await Promise.all(both)) counted.push(countOf('chisel'));
  }
  await changing;
  expect(new Set(counted)).toEqual(new Set([1]));
});

test('what concurrent questions look up or read is looked up and read once', async () => {
  const reads = sharedReadsOf(store.models);
  await createKnowledgeIndex(store.models).put(
    documentOf('vices', '# Vices\n\nA vice.\n\n# Files\n\nA file.\n'),
  );
  await reads.countTerms('none', ['vice'], ['']);
  const commands = jest.spyOn(store.models.findable.collection, 'find');
  const find = (key: string) => reads.findIds([''], [key], 10);
  const [vices, same, files] = await Promise.all([find('^vice'), find('^vice'), find('^file')]);
  expect(same).toEqual(vices);
  expect(commands).toHaveBeenCalledTimes(2);

  const [one, both] = await Promise.all([
    reads.readCandidates(vices, ['']),
    reads.readCandidates([...vices, ...files], ['']),
  ]);
  expect(one.map(({ _id }) => _id)).toEqual(vices);
  expect(both.map(({ _id }) => _id).sort()).toEqual([...vices, ...files].sort());
  expect(commands.mock.calls.slice(2).map(([filter]) => filter)).toEqual([
    { _id: { $in: [...vices] } },
    { _id: { $in: [...files] } },
  ]);
  commands.mockRestore();
});

test('what is cached stays if questions with and without the handbook alternate', async () => {
  const reads = sharedReadsOf(store.models);
  await createKnowledgeIndex(store.models).put(documentOf('planes', '# Wood\n\nA plane.\n'));
  const passages = jest.spyOn(store.models.findable.collection, 'find');
  const counts = jest.spyOn(store.models.termCounts.collection, 'find');
  const ask = async (edition: string) => {
    await reads.countTerms(edition, ['plane'], ['']);
    return reads.readCandidates(await reads.findIds([''], ['-plane'], 10), ['']);
  };
  for (const edition of ['none', '', 'none', '']) expect(await ask(edition)).toHaveLength(1);
  for (const spied of [passages, counts]) spied.mockClear();
  for (const edition of ['none', '', 'none']) expect(await ask(edition)).toHaveLength(1);
  expect(passages).not.toHaveBeenCalled();
  const read = counts.mock.calls.flatMap(
    ([filter]) => (filter as unknown as { _id: { $in: string[] } })._id.$in,
  );
  expect(read.filter((id) => id.endsWith(' plane'))).toEqual([]);
  for (const spied of [passages, counts]) spied.mockRestore();
});

test('private passages are neither found nor cached', async () => {
  const row = await store.models.findable.findOne({ owner: 'user:1' }).lean();
  const reads = sharedReadsOf(store.models);
  expect(await reads.readCandidates([row!._id], [''])).toEqual([]);
  expect(await reads.readPassages([row!._id], [''])).toEqual([]);
});
