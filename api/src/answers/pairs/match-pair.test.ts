import { afterAll, expect, test } from '@jest/globals';
import { openKnowledgeStore } from '../../testing/knowledge-store.ts';
import { analyseQuestion } from '../retrieve/analyse-question.ts';
import { questionKey } from '../retrieve/question-key.ts';
import { matchPair, pairTerms } from './match-pair.ts';

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

const store = await openKnowledgeStore();
await store.models.pairs.insertMany([
  pairOf('open', '怎么打开邮件提醒功能？', ['如何启用邮件提醒']),
  pairOf('vpn', 'How do I connect to the office VPN from home?'),
  pairOf('days', '年假满 5 年有几天？'),
  pairOf('print', '怎样在 Windows 电脑上安装打印机驱动程序并且共享给同事使用'),
  pairOf('share', '怎样在自己的电脑上导出全部会话记录并且发送给部门经理审批'),
  pairOf('version', '怎样升级到 3.5 版本'),
  pairOf('nights', '住 2 天 2 晚要多少钱'),
  pairOf('late', 'Is it possible to cancel the contract without a fee?'),
]);
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
  '怎样在电脑上安装打印机驱动程序并且共享给同事使用',
  '怎样在自己的 Linux 电脑上导出全部会话记录并且发送给部门经理审批',
  '怎样升级到 5.3 版本',
  '住 2 天要多少钱',
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

test('of pairs with the same question, that of an editor is preferred', async () => {
  const question = 'Docker 部署要多少内存';
  await store.models.pairs.create({ ...pairOf('book', question), source: 'handbook' });
  expect((await match(question))?.pair._id).toBe('book');
  await store.models.pairs.create(pairOf('own', question));
  expect((await match(question))?.pair._id).toBe('own');
});
