import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from '@jest/globals';
import type { Answerer } from '../answers/answerer.ts';
import type { ChatAnswer } from '../contract/chat.ts';
import type { Handover, HandoverRequest, InboxDetail, InboxPage } from '../contract/handover.ts';
import { createScriptedAnswerer } from './scripted-answerer.ts';
import { startTestApi, type TestApi } from './start-test-api.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { openTestDatabase, removeTestData } from './test-database.ts';
import { createVisitor, type Visitor } from './visitor.ts';

/** Two API processes on one store, with two editors. */
export interface HandoverDesk {
  first: TestApi;
  second: TestApi;
  /** Editors: 王 uses the first process, 李 the second. */
  wang: Visitor;
  li: Visitor;
  end(): Promise<void>;
}

const password = 'long enough';
export const opsToken = 'the-token-of-operations';

/** Grants an account of a desk with this ops token the right to answer people. */
export async function makeEditor(desk: TestApi, username: string): Promise<void> {
  const asOps = { Authorization: `Bearer ${opsToken}` };
  const { status } = await createVisitor(desk.url).call('POST', '/ops/editors/grant', { username }, asOps);
  expect(status).toBe(200);
}

export async function startHandoverDesk(
  answerer: Answerer = createScriptedAnswerer(),
): Promise<HandoverDesk> {
  const folder = await temporaryFolder('desk-handover');
  const database = await openTestDatabase(join(folder, 'store'));
  const start = (name: string) =>
    startTestApi({
      answerer,
      dataDir: join(folder, name),
      config: { mongodbUri: database.uri, dataDir: join(folder, name), opsToken },
    });
  const first = await start('first');
  const second = await start('second');
  const [wang, li] = [createVisitor(first.url), createVisitor(second.url)];
  await wang.signUp('王 wang', password);
  await li.signUp('李 li', password);
  await makeEditor(first, '李 li');
  return {
    first,
    second,
    wang,
    li,
    async end() {
      await first.end();
      await second.end();
      await database.close();
      await removeTestData(join(folder, 'store'));
      await rm(folder, { recursive: true, force: true });
    },
  };
}

let ids = 0;
export const newClientId = () => `client-${++ids}`;

/** Asks the desk, which answers from its script. */
export async function ask(visitor: Visitor, text: string, more: object = {}): Promise<ChatAnswer> {
  const { status, body } = await visitor.call<ChatAnswer>('POST', '/api/chat', { text, ...more });
  expect(status).toBe(200);
  return body;
}

export async function askForPerson(
  visitor: Visitor,
  request: Partial<HandoverRequest> = {},
): Promise<Handover> {
  const { status, body } = await visitor.call<Handover>('POST', '/api/handovers', {
    question: 'When are pears picked?',
    clientId: newClientId(),
    ...request,
  });
  expect([200, 201]).toContain(status);
  return body;
}

export async function reply(agent: Visitor, id: string, text: string): Promise<InboxDetail> {
  const message = { text, clientId: newClientId() };
  const { status, body } = await agent.call<InboxDetail>('POST', `/api/inbox/${id}/messages`, message);
  expect(status).toBe(200);
  return body;
}

export async function inboxOf(agent: Visitor, query = ''): Promise<InboxPage> {
  const { status, body } = await agent.call<InboxPage>('GET', `/api/inbox?limit=100${query}`);
  expect(status).toBe(200);
  return body;
}

/** Whether the inbox shows a handover, in its list, its count and by its id. */
export async function isInInbox(agent: Visitor, { id }: Handover): Promise<boolean> {
  const { handovers } = await inboxOf(agent);
  const { status } = await agent.call('GET', `/api/inbox/${id}`);
  const isListed = handovers.some((one) => one.id === id);
  expect(status).toBe(isListed ? 200 : 404);
  return isListed;
}
