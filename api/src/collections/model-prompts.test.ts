import { afterAll, expect, test } from '@jest/globals';
import { readConfig } from '../config/config.ts';
import type { ChatAnswer } from '../contract/chat.ts';
import type { CollectionList } from '../contract/collections.ts';
import type { DeskRecord } from '../contract/records.ts';
import { startServer } from '../server.ts';
import { givenDocument } from '../testing/knowledge-calls.ts';
import { behave } from '../testing/model-behaviours.ts';
import { listenAsModel } from '../testing/model-stand-in.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { removeTestData, testStoreConfig } from '../testing/test-database.ts';
import { createVisitor, type Visitor } from '../testing/visitor.ts';

const dataDir = await temporaryFolder('desk-collections');
const model = await listenAsModel(0, behave);
const variables = { LIMIT_CHAT: '0', LIMIT_SIGN_IN: '0', LOG_LEVEL: 'silent', OPENAI_MODEL: 'plain' };
const config = readConfig({ ...variables, OPENAI_BASE_URL: model.baseUrl, HANDBOOK: 'off' });
const desk = await startServer({ config: { ...config, ...testStoreConfig(dataDir), port: 0 } });
afterAll(async () => {
  await desk?.close();
  await model?.end();
  await removeTestData(dataDir);
});

test('a prompt contains neither restricted passages nor answers that were withdrawn', async () => {
  const [admin, guest] = [createVisitor(desk.url), createVisitor(desk.url)];
  await admin.signUp('Root', 'a long password');
  const nobody = { groups: [], people: [] };
  const request = { name: 'Vault', access: 'everyone', readers: nobody, editors: nobody };
  const path = '/api/knowledge/collections';
  const { body: list } = await admin.call<CollectionList>('POST', path, request);
  const id = list.collections.find(({ name }) => name === 'Vault')!.id;
  const question = 'Which number opens the vault of the museum?';
  await givenDocument(admin, 'vault.md', `# ${question}\n\nThe vault opens with 8128.\n`, 'Vault', id);
  const ask = async (who: Visitor, text: string, more: object = {}) => {
    model.requests.length = 0;
    const { body } = await who.call<ChatAnswer>('POST', '/api/chat', { text, ...more });
    return { ...body, prompts: JSON.stringify(model.requests) };
  };
  const first = await ask(guest, question);
  expect(first.prompts).toContain('8128');
  await admin.call('PUT', `${path}/${id}`, { ...request, access: 'some' });
  const { body: record } = await guest.call<DeskRecord>('GET', `/api/records/${first.recordId}`);
  expect(record.answer).not.toBe(first.response);
  const { conversationId } = first;
  const next = await ask(guest, 'And the vault of the museum in summer?', { conversationId });
  expect(next.prompts).not.toContain('8128');
  expect(next.prompts).not.toContain(first.response);
  expect((await ask(admin, question)).prompts).toContain('8128');
});
