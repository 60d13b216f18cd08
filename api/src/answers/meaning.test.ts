import { afterAll, expect, test } from '@jest/globals';
import { pino } from 'pino';
import { startEmbeddingStandIn } from '../testing/embedding-stand-in.ts';
import { openKnowledgeStore } from '../testing/knowledge-store.ts';
import { createAnswerer } from './create-answerer.ts';
import { type OpenEmbeddings, openEmbeddings } from './embeddings/open-embeddings.ts';
import { createKnowledgeIndex } from './index/create-knowledge-index.ts';
import { findCandidates } from './retrieve/find-candidates.ts';

// Texts of the same letters are near to the stand-in, whatever their words.
const texts = [
  'The quick wizard boxes.',
  'Enlist, tinsel, inlets.',
  'Open the door. Boxes, doors and wizards.',
];

const store = await openKnowledgeStore();
const stand = await startEmbeddingStandIn();
const index = createKnowledgeIndex(store.models);
for (const [at, text] of texts.entries()) {
  const owner = at === 1 ? 'guest:1' : '';
  const document = { _id: `d${at}`, owner, title: `T${at}`, language: 'en' as const };
  await store.models.documents.create({
    ...document,
    source: 'upload',
    type: 'text',
    status: 'ready',
    createdAt: new Date(),
    text,
  });
  await index.put({ ...document, text });
}
const config = {
  baseUrl: stand.baseUrl,
  model: 'letters',
  apiKey: '',
  queryPrefix: '',
  passagePrefix: '',
  timeoutMs: 5000,
};
const embeddings = openEmbeddings({ config, models: store.models, log: pino({ level: 'silent' }) });
await embeddings.finish();
afterAll(async () => {
  await embeddings.stop();
  await stand.end();
  await store.end();
});

/** Titles of what was found for a question that shares no word with any document, best first. */
async function found(owner: string, by: { embeddings?: OpenEmbeddings }): Promise<string[]> {
  let titles: string[] = [];
  const answerer = createAnswerer({
    models: store.models,
    handbook: { edition: 'none', operations: [] },
    ...by,
  });
  const question = { text: 'silent listen?', language: 'en' as const, owner, history: [] };
  for await (const piece of answerer.answer(question, new AbortController().signal))
    if (piece.kind === 'final') titles = piece.why!.ranked.map(({ title }) => title);
  return titles;
}

test('a passage without a word of the question is found by its embedding, a private one only by its owner', async () => {
  expect(await found('guest:1', {})).toEqual([]);
  expect((await found('guest:1', { embeddings }))[0]).toBe('T1');
  expect(await found('guest:2', { embeddings })).not.toContain('T1');
});

test('a near passage is a candidate only for its current owner, a removed one for nobody', async () => {
  const { _id } = (await store.models.passages.findOne({ owner: 'guest:1' }).lean())!;
  const near = Promise.resolve([_id, 'removed']);
  const question = { text: 'silent?', language: 'en' as const };
  const candidates = async (owner: string) =>
    (await findCandidates(store.models, question, { owner, edition: '' }, near)).found.map((one) => one._id);
  expect(await candidates('guest:1')).toEqual([_id]);
  expect(await candidates('user:1')).toEqual([]);
  await store.models.findable.updateOne({ _id }, { $set: { owner: 'user:1' } });
  expect(await candidates('guest:1')).toEqual([]);
  expect(await candidates('user:1')).toEqual([_id]);
  await store.models.findable.updateOne({ _id }, { $set: { owner: 'guest:1' } });
});

test('without an answer of the endpoint passages are found by words', async () => {
  stand.fails = 500;
  const config = { baseUrl: stand.baseUrl, model: 'letters', apiKey: '', queryPrefix: '', passagePrefix: '' };
  const failing = openEmbeddings({
    config: { ...config, timeoutMs: 50 },
    models: store.models,
    log: pino({ level: 'silent' }),
  });
  expect(await found('guest:1', { embeddings: failing })).toEqual([]);
  await failing.stop();
});
