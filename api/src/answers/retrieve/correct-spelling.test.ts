import { afterAll, expect, test } from '@jest/globals';
import { openKnowledgeStore } from '../../testing/knowledge-store.ts';
import { createKnowledgeIndex } from '../index/create-knowledge-index.ts';
import { retrieve } from './retrieve.ts';

const text = `# Garden

## Watering

The greenhouse is watered at dawn. Use the blue hose.

## Kernel modules 内核模块

加载内核模块用 modprobe。Backhoes are parked behind the blue shed. Book by e-mail. Re-soling takes a day, the checkout an hour. Show your pass.

## Passwords 密码

密码至少 12 位。
`;

const store = await openKnowledgeStore();
const index = createKnowledgeIndex(store.models);
await index.put({ _id: 'd', owner: '', title: 'Garden', language: 'en', text });
afterAll(() => store.end());

async function meant(question: string) {
  return (await retrieve(store.models, question, 'en', { owner: '', edition: '' })).text;
}

test.each([
  ['when is the greenhosue watered', 'greenhouse'],
  ['wihch hoes', 'hose'],
  ['蜜码几位', '密码'],
  ['what is your email', 'e-mail'],
  ['how long is resoling', 're-soling'],
  ['when is check-out', 'checkout'],
])('%s is understood as meaning %s', async (question, word) => {
  expect(await meant(question)).toContain(word);
});

test.each([
  ['is the Greenhousf company hiring', 'greenhousf'],
  ['有人老是加塞', '人老'],
  ['who chose the colour', 'chose'],
  ['is there a shower', 'shower'],
  ['did Mrs Greenhosue write to us', 'greenhosue'],
])('%s is left as it is: a name, or words of their own', async (question, kept) => {
  expect((await meant(question)).toLowerCase()).toContain(kept);
});

test('a word is corrected where it stands alone, not within another word', async () => {
  expect(await meant('are backhoes and a hoes there')).toBe('are backhoes and a hose there');
});

test('at most four words are corrected', async () => {
  const misspelt = ['greenhosue', 'wateerd', 'kernle', 'moduels', 'passwrods', 'gadren'];
  const words = (await meant(misspelt.join(' '))).split(' ');
  expect(words.map((word, at) => word !== misspelt[at])).toEqual([true, true, true, true, false, false]);
});

test('of two corrections the more likely edit counts, not the more frequent word', async () => {
  const index = createKnowledgeIndex(store.models);
  const parts = Array.from(
    { length: 6 },
    (_, part) => `## ${part}\n\nThe kernleo was oiled ${part} times.\n`,
  );
  await index.put({
    _id: 'oil',
    owner: '',
    title: 'Oil',
    language: 'en',
    text: `# Oil\n\n${parts.join('\n')}`,
  });
  expect(await meant('which kernle modules')).toBe('which kernel modules');
});

test('regional words match', async () => {
  const scope = { owner: '', edition: '' };
  const { explanation } = await retrieve(store.models, '怎樣載入核心模組', 'zh', scope);
  expect(explanation.ranked[0]).toMatchObject({ heading: 'Kernel modules 内核模块', missing: [] });
});
