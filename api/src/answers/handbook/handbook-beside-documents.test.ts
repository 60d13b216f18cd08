import { afterAll, expect, test } from '@jest/globals';
import type { ChatAnswer } from '../../contract/chat.ts';
import { collectionCalls } from '../../testing/collection-calls.ts';
import { givenDocument } from '../../testing/knowledge-calls.ts';
import { startTestApi } from '../../testing/start-test-api.ts';
import { createVisitor, type Visitor } from '../../testing/visitor.ts';

const shop = '陶土工坊';
const api = await startTestApi({});
const calls = await collectionCalls(api);
await givenDocument(calls.admin, 'shop.md', `# ${shop}\n\n## 烧制\n\n陶土素烧到 900 度，釉烧到 1240 度。\n`);
afterAll(() => api.end());

/** Titles that the answer quotes, and its outcome. */
async function ask(visitor: Visitor, text: string) {
  const { body } = await visitor.call<ChatAnswer>('POST', '/api/chat', { text });
  return { outcome: body.outcome, titles: [...new Set(body.citations.map(({ title }) => title))] };
}

test.each([
  '坯体一天转几次',
  '怎么找到你们',
  'Who fires it?',
  'When can I collect it?',
  'What if I break it?',
  'Can you send it to me?',
  'Can I bring a friend?',
  'How much are copies of my records?',
  'What is the account phone number?',
])('does not answer %s, which is not one of its ways to ask', async (text) => {
  const { titles } = await ask(createVisitor(api.url), text);
  expect(titles.filter((title) => title !== shop)).toEqual([]);
});

test('answers its own questions', async () => {
  const guest = createVisitor(api.url);
  expect(await ask(guest, '怎样删除会话？')).toEqual({ outcome: 'answered', titles: ['会话'] });
  for (const text of ['会话删除以后还能恢复吗', '怎么登录？', 'How do I export my chats?'])
    expect([text, (await ask(guest, text)).outcome]).toEqual([text, 'answered']);
  expect(await ask(guest, '怎样备份和恢复？')).toEqual({ outcome: 'answered', titles: ['备份与 MongoDB'] });
});

test('its chapters for operators answer operators, in any words', async () => {
  const visitors: [string, Visitor][] = [['guest', createVisitor(api.url)]];
  for (const role of ['editor', 'agent', 'operator']) {
    visitors.push([role, await calls.signedUp(`the-${role}`)]);
    await calls.changePerson(`the-${role}`, { roles: [role] });
  }
  visitors.push(['administrator', calls.admin]);
  const answered: string[] = [];
  for (const [role, visitor] of visitors)
    if ((await ask(visitor, '数据怎么备份，之后怎么恢复')).titles.includes('备份与 MongoDB'))
      answered.push(role);
  expect(answered).toEqual(['operator', 'administrator']);
});
