import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { type KnowledgeStore, openKnowledgeStore } from '../testing/knowledge-store.ts';
import { analyseQuestion } from './analyse-question.ts';
import { matchPair, pairTerms } from './match-pair.ts';
import { questionKey } from './question-key.ts';

jest.setTimeout(60_000);

let store: KnowledgeStore;

function pairOf(_id: string, question: string, variants: string[] = []) {
  const language = /\p{Script=Han}/u.test(question) ? ('zh' as const) : ('en' as const);
  const ways = [question, ...variants];
  const keys = ways.map(questionKey);
  const terms = pairTerms(ways, language);
  return {
    _id,
    source: 'editor' as const,
    question,
    variants,
    answer: `answer of ${_id}`,
    language,
    keys,
    terms,
    edition: '',
    hits: 0,
    createdAt: new Date(),
    updatedAt: new Date(),
  };
}

beforeAll(async () => {
  store = await openKnowledgeStore();
  await store.models.pairs.insertMany([
    pairOf('open', '怎么打开邮件提醒功能？', ['如何启用邮件提醒']),
    pairOf('vpn', 'How do I connect to the office VPN from home?'),
    pairOf('days', '年假满 5 年有几天？'),
    pairOf('late', 'Is it possible to cancel the contract without a fee?'),
  ]);
});
afterAll(() => store.end());

function match(text: string, overlay = {}) {
  const language = /\p{Script=Han}/u.test(text) ? 'zh' : 'en';
  return matchPair(store.models, text, analyseQuestion(text, language), overlay);
}

test.each([
  ['怎么打开邮件提醒功能', 'open', 1],
  ['請問如何啟用郵件提醒？', 'open', 1],
  ['怎样打开邮件提醒的功能呢', 'open', 0.86],
  ['how can I connect from home to the office VPN', 'vpn', 0.86],
  ['是不是不能不打开邮件提醒功能', 'open', 0.8],
])('%s is answered by the pair', async (text, id, least) => {
  const found = await match(text);
  expect(found?.pair._id).toBe(id);
  expect(found!.similarity).toBeGreaterThanOrEqual(least);
});

test.each([
  '怎么关闭邮件提醒功能？',
  '为什么不能打开邮件提醒功能？',
  'How do I connect to the office printer from home?',
  '年假满 10 年有几天？',
  '红烧肉怎么做',
])('%s is another question', async (text) => {
  expect(await match(text)).toBeNull();
});

test('a preview adds or removes a pair', async () => {
  const pair = pairOf('new', '食堂几点开门？');
  expect((await match('食堂几点开门', { pair }))?.pair._id).toBe('new');
  expect(await match('食堂几点开门')).toBeNull();
  expect(await match('怎么打开邮件提醒功能', { withoutPair: 'open' })).toBeNull();
  const other = { ...pairOf('open', '怎么打开短信提醒？'), answer: 'changed' };
  expect(await match('怎么打开邮件提醒功能', { pair: other })).toBeNull();
});
