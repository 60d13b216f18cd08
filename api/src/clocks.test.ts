import { type ChildProcess, spawn } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from '@jest/globals';
import type { ChatAnswer } from './contract/chat.ts';
import type { HandoverEvent } from './contract/handover.ts';
import type { RecordPage } from './contract/records.ts';
import { addSecondFactor, codeAt } from './testing/authenticator.ts';
import { ask, askForPerson, opsToken, reply } from './testing/handover-desk.ts';
import { beginStream, endStream, sendDelta, startModelStandIn } from './testing/model-stand-in.ts';
import { temporaryFolder } from './testing/temporary-folder.ts';
import { openTestDatabase, removeTestData } from './testing/test-database.ts';
import { until } from './testing/until.ts';
import { createVisitor, signedUp } from './testing/visitor.ts';

const hour = 3_600_000;
const runner = fileURLToPath(new URL('./testing/run-server.ts', import.meta.url));

interface Server {
  url: string;
  /** Lines of its log. */
  log: { msg: string; aheadMs?: number }[];
}

const children: ChildProcess[] = [];
/** Ends the answer that the model has begun. */
const answered = Promise.withResolvers<void>();
const begun = Promise.withResolvers<void>();

const folder = await temporaryFolder('desk-clocks');
const database = await openTestDatabase(join(folder, 'store'));
const model = await startModelStandIn(async (response, _, { messages }) => {
  beginStream(response);
  sendDelta(response, { content: 'The answer' });
  if (JSON.stringify(messages.at(-1)).includes('slowly')) {
    begun.resolve();
    await answered.promise;
  }
  sendDelta(response, { content: ' is complete.' });
  endStream(response);
});
const behind = await start('behind', -hour);
const asker = createVisitor(behind.url);
const slowAnswer = asker
  .call<ChatAnswer>('POST', '/api/chat', { text: 'Say it slowly' })
  .then(({ body }) => body);
await begun.promise;
// At its start it ends the answers of dead processes.
const ahead = await start('ahead', hour);
const right = await start('right', 0);

afterAll(async () => {
  for (const child of children) child.kill('SIGKILL');
  await model.end();
  await database.close();
  await removeTestData(join(folder, 'store'));
  await rm(folder, { recursive: true, force: true });
});

async function start(name: string, wrongByMs: number): Promise<Server> {
  const env = {
    ...process.env,
    MONGODB_URI: database.uri,
    DATA_DIR: join(folder, name),
    HANDBOOK: 'off',
    OPS_TOKEN: opsToken,
    LIMIT_SIGN_IN: '12',
    OPENAI_BASE_URL: model.baseUrl,
    OPENAI_MODEL: 'stand-in',
  };
  const child = spawn(process.execPath, [runner, `--wrong-by-ms=${wrongByMs}`], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(child);
  let printed = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed += text;
  });
  const lines = () =>
    printed
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as Server['log'][number] & { url?: string });
  await until(() => lines().some(({ url }) => url));
  return { url: lines().find(({ url }) => url)!.url!, log: lines().filter(({ url }) => !url) };
}

test('an answer survives the start of a process with another clock', async () => {
  answered.resolve();
  const { conversationId } = await slowAnswer;
  const { body } = await asker.call<RecordPage>('GET', `/api/conversations/${conversationId}/records`);
  expect(body.records).toMatchObject([{ status: 'done', answer: expect.stringContaining('is complete') }]);
});

test('a conversation across all processes has the order in which its questions were asked', async () => {
  const atAhead = createVisitor(ahead.url);
  const { conversationId } = await ask(atAhead, 'first');
  const [atBehind, atRight] = [createVisitor(behind.url), createVisitor(right.url)];
  for (const visitor of [atBehind, atRight]) visitor.cookies = atAhead.cookies;
  await ask(atBehind, 'second', { conversationId });
  await ask(atRight, 'third', { conversationId });
  await ask(atAhead, 'fourth', { conversationId });
  const { records } = (await atBehind.call<RecordPage>('GET', `/api/conversations/${conversationId}/records`))
    .body;
  const inOrder = records.toSorted((one, other) => Date.parse(one.createdAt) - Date.parse(other.createdAt));
  expect(inOrder.map(({ question }) => question)).toEqual(['first', 'second', 'third', 'fourth']);
});

test('a reply written at one process reaches the event stream at the other', async () => {
  for (const [here, there] of [
    [behind, ahead],
    [ahead, right],
    [right, behind],
  ] as const) {
    const visitor = createVisitor(here.url);
    const { conversationId } = await ask(visitor, 'When are pears picked?');
    const asked = await askForPerson(visitor, { conversationId });
    const agent = createVisitor(there.url);
    const username = `agent at ${there.url}`;
    await agent.signUp(username, 'long enough');
    const asOps = { Authorization: `Bearer ${opsToken}` };
    await agent.call('POST', '/ops/editors/grant', { username }, asOps);
    const events = visitor.events('GET', '/api/handovers/events') as unknown as AsyncGenerator<HandoverEvent>;
    await events.next();
    await reply(agent, asked.id, 'In September.');
    let messages: HandoverEvent['data']['messages'] = [];
    while (messages.length === 0) messages = (await events.next()).value.data.messages;
    expect(messages).toMatchObject([{ text: 'In September.' }]);
    await events.return(undefined);
  }
});

test('codes of a second factor follow the clock of the store, and each works at one process only', async () => {
  const [username, password] = ['two-steps', 'long enough'];
  const visitor = await signedUp(behind.url, username, password);
  const { secret } = await addSecondFactor(visitor, password);
  const signIn = async ({ url }: Server) => {
    const { challenge } = await createVisitor(url).signIn(username, password);
    return (code: string) => createVisitor(url).call('POST', '/admin/login/code', { challenge, code });
  };
  const steps = [await signIn(behind), await signIn(ahead)];
  const code = codeAt(secret);
  const replies = await Promise.all(steps.map((step) => step(code)));
  expect(replies.map(({ body }) => body.code).sort()).toEqual([0, 1]);
});

test('a limit that was reached at one process lasts a minute at the other', async () => {
  for (const [here, there] of [
    [behind, ahead],
    [ahead, right],
    [right, behind],
  ] as const) {
    const username = `nobody at ${here.url}`;
    const signIn = (server: Server) =>
      createVisitor(server.url).call('POST', '/admin/login', { username, password: 'wrong password' });
    let refused = await signIn(here);
    while (refused.status !== 429) refused = await signIn(here);
    const elsewhere = await signIn(there);
    for (const { status, headers } of [refused, elsewhere]) {
      expect(status).toBe(429);
      expect(Number(headers.get('Retry-After'))).toBeLessThanOrEqual(60);
    }
  }
});

test('a process whose clock is wrong says so in its log and at /readyz', async () => {
  for (const [server, wrongByMs] of [
    [behind, -hour],
    [right, 0],
    [ahead, hour],
  ] as const) {
    const { status, body } = await createVisitor(server.url).call('GET', '/readyz');
    expect(status).toBe(200);
    expect(Math.abs(Number(body.clockBehindMs ?? 0) + wrongByMs)).toBeLessThan(60_000);
    expect(server.log.filter(({ msg }) => msg.includes('clock'))).toHaveLength(wrongByMs === 0 ? 0 : 1);
  }
});
