import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, expect, test } from '@jest/globals';
import { openKnowledgeStore } from '../../testing/knowledge-store.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { createAnswerer } from '../create-answerer.ts';
import { readPassage } from '../index/read-passage.ts';
import { indexHandbook } from './index-handbook.ts';

const store = await openKnowledgeStore();
const folder = await temporaryFolder('desk-handbook');
afterAll(async () => {
  await store.end();
  await rm(folder, { recursive: true, force: true });
});

/** A handbook of one page a language. */
async function handbookOf(name: string, body: string): Promise<URL> {
  for (const language of ['zh', 'en']) {
    await mkdir(join(folder, name, language), { recursive: true });
    await writeFile(
      join(folder, name, language, '01-page.md'),
      `# Page\n\n## Fixed\n\nThis stays.\n\n## Moving\n\n${body}\n`,
    );
    await writeFile(
      join(folder, name, language, 'pairs.json'),
      JSON.stringify([{ question: `${name}?`, answer: name }]),
    );
  }
  return pathToFileURL(`${join(folder, name)}/`);
}

test("every passage and its place are the document's text", async () => {
  await indexHandbook(store.models);
  const documents = new Map((await store.models.documents.find().lean()).map((one) => [one._id, one]));
  const passages = await store.models.passages.find().lean();
  expect(passages.length).toBeGreaterThan(150);
  expect(await store.models.findable.countDocuments()).toBe(passages.length);
  for (const passage of passages) {
    const document = documents.get(passage.documentId)!;
    expect(document.text.slice(passage.start, passage.end)).toBe(passage.text);
    expect(passage.owner).toBe('');
  }
});

test('the same edition is not written again', async () => {
  expect(await indexHandbook(store.models)).toMatchObject({ written: false });
});

test('interrupted indexing is completed, also by two processes at once', async () => {
  const before = await store.models.passages.countDocuments();
  const counts = await store.models.termCounts.countDocuments();
  await store.models.documents.deleteMany({ language: 'en' });
  await store.models.passages.deleteMany({ language: 'zh' });
  await store.models.findable.deleteMany({ language: 'en' });
  await store.models.termCounts.deleteMany({ passages: { $gt: 3 } });
  const both = await Promise.all([indexHandbook(store.models), indexHandbook(store.models)]);
  expect(both.every(({ written }) => written)).toBe(true);
  expect(await store.models.passages.countDocuments()).toBe(before);
  expect(await store.models.termCounts.countDocuments()).toBe(counts);
});

test('a new edition replaces the old one, whose passages can be read but not found', async () => {
  const first = await indexHandbook(store.models, await handbookOf('one', 'It turns left.'));
  const old = await store.models.passages.findOne({ text: 'It turns left.', language: 'en' }).lean();
  const kept = await store.models.passages.findOne({ text: 'This stays.', language: 'en' }).lean();

  const second = await indexHandbook(store.models, await handbookOf('two', 'It turns right.'));
  expect(second.edition).not.toBe(first.edition);
  expect(await store.models.passages.findById(old!._id).lean()).toMatchObject({ text: 'It turns left.' });
  expect(await store.models.findable.findById(old!._id).lean()).toBeNull();
  expect(await readPassage(store.models, old!._id, ['guest:1'])).toMatchObject({
    text: 'It turns left.',
    place: 'Page › Moving',
  });
  expect(await store.models.passages.findById(kept!._id).lean()).toMatchObject({ edition: second.edition });
  const documents = await store.models.documents.find({}, { edition: 1 }).lean();
  expect(new Set(documents.map(({ edition }) => edition))).toEqual(new Set([second.edition]));
  expect(await store.models.pairs.countDocuments({ question: 'one?' })).toBe(0);
  expect(
    await store.models.termCounts.countDocuments({
      _id: { $gte: `handbook-${first.edition}`, $lt: `handbook-${first.edition}~` },
    }),
  ).toBe(0);
});

test('a process that started with an older edition answers from the one that replaced it', async () => {
  const older = await indexHandbook(store.models, await handbookOf('three', 'It turns back.'));
  const answerer = createAnswerer({ models: store.models, handbook: older });
  await indexHandbook(store.models, await handbookOf('four', 'It turns around.'));
  let said = '';
  const asked = { text: 'Moving', owner: 'guest:1', language: 'en' as const, history: [] };
  for await (const piece of answerer.answer(asked, new AbortController().signal))
    if (piece.kind === 'text') said += piece.text;
  expect(said).toContain('It turns around.');
});

test('a private passage can be read only by its owner', async () => {
  const shared = await store.models.passages.findOne({ text: 'This stays.' }).lean();
  const { _id, ...fields } = shared!;
  await store.models.passages.create({ ...fields, _id: `private-${_id}`, owner: 'user:1' });
  expect(await readPassage(store.models, `private-${_id}`, ['user:1'])).toMatchObject({
    text: 'This stays.',
  });
  expect(await readPassage(store.models, `private-${_id}`, ['user:2'])).toBeNull();
  expect(await readPassage(store.models, 'unknown', ['user:1'])).toBeNull();
});

test('a page without a title is rejected by name', async () => {
  const broken = await handbookOf('broken', 'x');
  await writeFile(new URL('en/01-page.md', broken), 'No heading\n');
  await expect(indexHandbook(store.models, broken)).rejects.toThrow(
    'en/page must begin with a heading, got "No heading\\n"',
  );
});
