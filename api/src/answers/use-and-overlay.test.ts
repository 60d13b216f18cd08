import { afterAll, expect, test } from '@jest/globals';
import { openKnowledgeStore } from '../testing/knowledge-store.ts';
import type { AnswerPiece, Turn } from './answerer.ts';
import { createAnswerer } from './create-answerer.ts';
import { indexHandbook } from './handbook/index-handbook.ts';
import { createKnowledgeIndex } from './index/create-knowledge-index.ts';
import type { KnowledgeOverlay } from './pairs/match-pair.ts';
import { pairTerms } from './pairs/match-pair.ts';
import { createUseCounts } from './pairs/use-counts.ts';
import { questionKey } from './retrieve/question-key.ts';

const text = '# Kayak hire\n\nThe boathouse at Fernlow opens at 7:15 every morning.\n';

const store = await openKnowledgeStore();
const handbook = await indexHandbook(store.models);
const shared = { owner: '', title: 'Kayak hire', language: 'en' as const, text };
const row = { ...shared, source: 'upload' as const, status: 'ready' as const, createdAt: new Date() };
await store.models.documents.create({ _id: 'kayak', ...row });
await createKnowledgeIndex(store.models).put({ _id: 'kayak', ...shared });
await store.models.pairs.insertMany([
  {
    _id: 'paddle',
    source: 'editor',
    question: 'May I bring my own paddle?',
    variants: [],
    answer: 'Yes, of any length.',
    language: 'en',
    keys: [questionKey('May I bring my own paddle?')],
    terms: pairTerms(['May I bring my own paddle?'], 'en'),
    edition: '',
    hits: 0,
    createdAt: new Date(),
    updatedAt: new Date(),
  },
]);
const uses = createUseCounts(store.models, { warn: () => undefined });
afterAll(() => store.end());

async function ask(question: string, overlay?: KnowledgeOverlay, history: readonly Turn[] = []) {
  const deps = { models: store.models, handbook, ...(overlay ? { overlay } : { uses }) };
  const whole = { text: question, owner: 'user:1', language: 'en' as const, history };
  let said = '';
  const pieces: AsyncIterable<AnswerPiece> = createAnswerer(deps).answer(whole, new AbortController().signal);
  for await (const piece of pieces) {
    if (piece.kind === 'text') said += piece.text;
    if (piece.kind === 'final') return { ...piece, said };
  }
  throw new Error('no final piece');
}

const hits = async () => (await store.models.pairs.findById('paddle').lean())!.hits;

test('each answer of a pair counts as a hit, a preview does not', async () => {
  await ask('May I bring my own paddle?');
  await ask('may I bring my own paddle');
  await ask('When does the boathouse at Fernlow open?');
  await uses.flush();
  expect(await hits()).toBe(2);

  expect((await ask('May I bring my own paddle?', {})).said).toBe('Yes, of any length.');
  await uses.flush();
  expect(await hits()).toBe(2);
});

test("a question in a pair's words is answered by it in any conversation", async () => {
  const before = [{ question: 'When does the boathouse at Fernlow open?', answer: 'At 7:15.' }];
  const answered = await ask('May I bring my own paddle?', {}, before);
  expect(answered).toMatchObject({ source: 'curated', said: 'Yes, of any length.' });
  expect(answered.why?.rewritten).toBeNull();
});

test('a preview without a document ignores it, other questions do not', async () => {
  const question = 'When does the boathouse at Fernlow open?';
  expect(await ask(question, {})).toMatchObject({
    source: 'document',
    said: expect.stringContaining('7:15'),
  });

  const without = await ask(question, { withoutDocument: 'kayak' });
  expect(without.said).not.toContain('7:15');
  expect(without.citations).toEqual([]);
  expect(without.why?.ranked.map(({ title }) => title)).not.toContain('Kayak hire');

  expect((await ask(question)).said).toContain('7:15');
});

test('an answer that was stopped does not count, and a use is no change of the pair', async () => {
  const before = (await store.models.pairs.findById('paddle').lean())!;
  const stopping = new AbortController();
  const whole = { text: 'May I bring my own paddle?', owner: 'user:1', language: 'en' as const, history: [] };
  const stopped = createAnswerer({ models: store.models, handbook, uses }).answer(whole, stopping.signal);
  const first = stopped[Symbol.asyncIterator]().next();
  stopping.abort();
  expect((await first).done).toBe(true);
  await uses.flush();
  expect(await hits()).toBe(before.hits);

  await ask(whole.text);
  await uses.flush();
  expect(await store.models.pairs.findById('paddle').lean()).toEqual({ ...before, hits: before.hits + 1 });
});

test('a document that an answer cites twice counts once', async () => {
  const cited = async () => (await store.models.documents.findById('kayak').lean())!.cited ?? 0;
  const before = await cited();
  uses.note({ documents: ['kayak', 'kayak'] });
  await uses.flush();
  await uses.flush();
  expect(await cited()).toBe(before + 1);
});

test('a preview can remove or change a pair', async () => {
  const question = 'May I bring my own paddle?';
  expect((await ask(question, { withoutPair: 'paddle' })).source).not.toBe('curated');
  const stored = (await store.models.pairs.findById('paddle').lean())!;
  expect((await ask(question, { pair: { ...stored, answer: 'No longer.' } })).said).toBe('No longer.');
  expect((await ask(question)).said).toBe('Yes, of any length.');
});
