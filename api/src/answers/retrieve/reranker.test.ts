import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { pino } from 'pino';
import { type KnowledgeStore, openKnowledgeStore } from '../../testing/knowledge-store.ts';
import { type RerankStandIn, startRerankStandIn } from '../../testing/rerank-stand-in.ts';
import { createKnowledgeIndex } from '../index/create-knowledge-index.ts';
import { createReranker } from './reranker.ts';
import { retrieve } from './retrieve.ts';

let stand: RerankStandIn;
let logged = '';
const log = pino(
  {},
  {
    write: (line: string) => {
      logged += line;
    },
  },
);

beforeEach(async () => {
  stand = await startRerankStandIn();
  logged = '';
});
afterEach(() => stand.end());

const open = (timeoutMs = 5000) =>
  createReranker({ baseUrl: stand.baseUrl, model: 'm', apiKey: 'sk-secret', timeoutMs }, log);

describe('an endpoint', () => {
  test('rates texts in their order, with the key in the header alone', async () => {
    stand.rate = (_, text) => Number(text);
    const rated = await open().rate('q', ['0.2', '0.9', '0.5']);
    expect(rated!.map((one) => Math.round(10 * one))).toEqual([-14, 22, 0]);
    expect(stand.requests).toEqual([{ model: 'm', query: 'q', documents: ['0.2', '0.9', '0.5'], top_n: 3 }]);
    expect(stand.headers).toEqual(['Bearer sk-secret']);
  });

  test('may send log odds, also such between 0 and 1 later on, and endless ones', async () => {
    stand.rate = (_, text) => Number(text);
    const reranker = open();
    expect(await reranker.rate('q', ['-8', '1e9', '0.5'])).toEqual([-8, 12, 0.5]);
    expect(await reranker.rate('q', ['0.5'])).toEqual([0.5]);
    expect(await open().rate('q', ['0', '1'])).toEqual([-12, 12]);
  });

  test('may be Text Embeddings Inference', async () => {
    stand.isTei = true;
    const reranker = open();
    expect(await reranker.rate('q', ['a'])).toEqual([0]);
    expect(await reranker.rate('q', ['a'])).toEqual([0]);
    expect(stand.requests.map((one) => Object.keys(one)[2])).toEqual(['documents', 'texts', 'texts']);
  });

  test.each([
    ['no JSON', '<html>'],
    ['nothing', ''],
    ['no list', '{"results": {}}'],
    ['too few', '{"results": [{"index": 0, "relevance_score": 1}]}'],
    [
      'a wrong index',
      '{"results": [{"index": 0, "relevance_score": 1}, {"index": 2, "relevance_score": 1}]}',
    ],
    [
      'an index twice',
      '{"results": [{"index": 0, "relevance_score": 1}, {"index": 0, "relevance_score": 1}]}',
    ],
    ['no number', '{"results": [{"index": 0, "relevance_score": 1}, {"index": 1, "relevance_score": "1"}]}'],
    ['no rows', '{"results": [null, null]}'],
  ])('that sends %s is passed over, and logged without the key', async (_, body) => {
    stand.reply = { body };
    expect(await open().rate('q', ['a', 'b'])).toBeNull();
    expect(logged).toContain('passages were not reranked');
    expect(logged).not.toContain('sk-secret');
  });

  test('that is slow or fails again and again is left alone for a while', async () => {
    stand.reply = 'hang';
    const reranker = open(50);
    for (let at = 0; at < 5; at += 1) expect(await reranker.rate('q', ['a'])).toBeNull();
    expect(stand.requests).toHaveLength(3);
    expect(logged).toContain('"kind":"timeout"');
  });
});

describe('retrieval', () => {
  let store: KnowledgeStore;
  beforeAll(async () => {
    store = await openKnowledgeStore();
    const text =
      '# Parcels\n\nParcels to islands take nine days.\n\n# Letters\n\nLetters to islands take two days.';
    await createKnowledgeIndex(store.models).put({
      _id: 'd',
      owner: '',
      title: 'Post',
      language: 'en',
      text,
    });
  });
  afterAll(() => store.end());

  const find = (text: string, reranker = open()) =>
    retrieve(store.models, text, 'en', { owner: '', edition: '' }, undefined, reranker);
  const prefers = (word: string, high: number, low = 0.01) => {
    stand.rate = (_, text) => (text.includes(word) ? high : low);
  };

  test('takes the order and the judgement of the reranker', async () => {
    const question = 'How long do parcels to islands take?';
    prefers('Letters', 0.9);
    const found = await find(question);
    expect(found.passages.map(({ text }) => text.match(/Parcels|Letters/)![0])).toEqual([
      'Letters',
      'Parcels',
    ]);
    expect(found.outcome).toBe('answered');
    prefers('Letters', 0.3);
    expect((await find(question)).outcome).toBe('related');
    prefers('Letters', 0.02);
    expect((await find(question)).outcome).toBe('nothing');
  });

  test('judges by itself without an answer of the endpoint', async () => {
    const question = 'How long do parcels to islands take?';
    const own = await retrieve(store.models, question, 'en', { owner: '', edition: '' });
    stand.reply = { status: 500 };
    const found = await find(question);
    expect(found.margin).toBe(own.margin);
    expect(found.passages[0]!._id).toBe(own.passages[0]!._id);
  });
});
