import { AsyncLocalStorage } from 'node:async_hooks';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { afterAll, expect, test } from '@jest/globals';
import type { mongo } from 'mongoose';
import type { ChatAnswer } from '../contract/chat.ts';
import { startTestApi } from '../testing/start-test-api.ts';
import { createVisitor } from '../testing/visitor.ts';

const api = await startTestApi({ config: { metricsToken: 'token' } });
const visitor = createVisitor(api.url);
afterAll(() => api.end());

const ask = (more: object = { conversationId }) =>
  visitor.call<ChatAnswer>('POST', '/api/chat', { text: '怎样修改密码？', ...more });
// The second question continues a conversation, with everything of the process loaded.
const { conversationId } = (await ask({})).body;
await ask();

/** Set in what a request to the server causes, so that commands of background work are not counted. */
const ofRequest = new AsyncLocalStorage<true>();
const markRequest = () => ofRequest.enterWith(true);
subscribe('http.server.request.start', markRequest);
afterAll(() => void unsubscribe('http.server.request.start', markRequest));

/** Collections of jobs that a request starts without waiting for them. */
const background = new Set(['jobs', 'documents']);

/**
 * The commands of some work in rounds: a command is one round later than the latest one that had ended when it was sent. A store
 * that is 10 ms away delays the work by 10 ms for each round.
 */
async function roundsOf(work: () => Promise<unknown>): Promise<string[][]> {
  const client = api.connection.getClient();
  const running = new Map<number, { round: number }>();
  const rounds: string[][] = [];
  let ended = 0;
  const begin = ({ requestId, commandName, command }: mongo.CommandStartedEvent) => {
    const collection = String(command[commandName]);
    if (!ofRequest.getStore() || background.has(collection)) return;
    running.set(requestId, { round: ended });
    rounds[ended] = [...(rounds[ended] ?? []), `${commandName} ${collection}`];
  };
  const end = ({ requestId }: { requestId: number }) => {
    const command = running.get(requestId);
    if (command) ended = Math.max(ended, command.round + 1);
  };
  client.on('commandStarted', begin);
  client.on('commandSucceeded', end);
  await work();
  client.off('commandStarted', begin);
  client.off('commandSucceeded', end);
  return rounds;
}

test.each<[string, number, () => Promise<{ status: number }>]>([
  ['a question of a conversation', 13, ask],
  ['the list of conversations', 4, () => visitor.call('GET', '/api/conversations')],
  ['a conversation', 4, () => visitor.call('GET', `/api/conversations/${conversationId}/records`)],
  ['the list of records', 4, () => visitor.call('GET', '/api/records')],
  ['the list of contacts', 3, () => visitor.call('GET', '/api/contacts')],
])('%s waits for the store in at most %d rounds', async (_, most, request) => {
  const rounds = await roundsOf(async () => expect(await request()).toMatchObject({ status: 200 }));
  expect(rounds.slice(most)).toEqual([]);
  expect(rounds.length).toBeGreaterThan(0);
});
