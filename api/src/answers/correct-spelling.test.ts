import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { type KnowledgeStore, openKnowledgeStore } from '../testing/knowledge-store.ts';
import { createKnowledgeIndex } from './create-knowledge-index.ts';
import { retrieve } from './retrieve.ts';

jest.setTimeout(60_000);

let store: KnowledgeStore;

const text = `# Garden

## Watering

The greenhouse is watered at dawn. Use the blue hose.

## Kernel modules 内核模块

加载内核模块用 modprobe。

## Passwords 密码

密码至少 12 位。
`;

beforeAll(async () => {
  store = await openKnowledgeStore();
  const index = createKnowledgeIndex(store.models);
  await index.put({ _id: 'd', owner: '', title: 'Garden', language: 'en', text });
});
afterAll(() => store.end());

async function meant(question: string) {
  return (await retrieve(store.models, question, 'en', { owner: '', edition: '' }, 3)).text;
}

test.each([
  ['when is the greenhosue watered', 'greenhouse'],
  ['wihch hoes', 'hose'],
  ['蜜码几位', '密码'],
])('%s is understood as meaning %s', async (question, word) => {
  expect(await meant(question)).toContain(word);
});

test.each([
  ['is the Greenhousf company hiring', 'greenhousf'],
  ['有人老是加塞', '人老'],
  ['who chose the colour', 'chose'],
])('%s is left as it is: a name, or words of their own', async (question, kept) => {
  expect((await meant(question)).toLowerCase()).toContain(kept);
});

test('regional words match', async () => {
  const scope = { owner: '', edition: '' };
  const { explanation } = await retrieve(store.models, '怎樣載入核心模組', 'zh', scope, 3);
  expect(explanation.ranked[0]).toMatchObject({ heading: 'Kernel modules 内核模块', missing: [] });
});
