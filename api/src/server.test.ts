import { once } from 'node:events';
import { readFile, stat } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { Types } from 'mongoose';
import { openAnswers } from './answers/open-answers.ts';
import { readConfig } from './config/config.ts';
import type { ChatAnswer } from './contract/chat.ts';
import type { ConversationPage, RecordPage } from './contract/records.ts';
import { startServer } from './server.ts';
import { createScriptedAnswerer } from './testing/scripted-answerer.ts';
import { startTestApi } from './testing/start-test-api.ts';
import { temporaryFolder } from './testing/temporary-folder.ts';
import { removeTestData, testStoreConfig } from './testing/test-database.ts';
import { until } from './testing/until.ts';
import { createVisitor, signedUp } from './testing/visitor.ts';

const dataDir = await temporaryFolder('desk-server');
afterAll(() => removeTestData(dataDir));

test('all data survives a restart: accounts, sessions, guests, answers, the ops token', async () => {
  const answerer = createScriptedAnswerer();
  const before = await startTestApi({ answerer, dataDir });
  const guest = createVisitor(before.url);
  const asked = await guest.ask('as a guest');
  const account = await signedUp(before.url, 'somebody', 'long enough');
  await account.call('POST', '/api/chat', { text: 'signed in' });
  const opsToken = await readFile(join(dataDir, 'ops-token'), 'utf8');
  expect((await stat(join(dataDir, 'ops-token'))).mode & 0o777).toBe(0o600);
  await before.end();

  const after = await startTestApi({ answerer, dataDir });
  try {
    const guestAgain = createVisitor(after.url);
    guestAgain.cookies = guest.cookies;
    const path = `/api/conversations/${asked.conversationId}/records`;
    const { records } = (await guestAgain.call<RecordPage>('GET', path)).body;
    expect(records).toMatchObject([{ question: 'as a guest', answer: 'as a guest', status: 'done' }]);
    const accountAgain = createVisitor(after.url);
    accountAgain.token = account.token;
    const { conversations } = (await accountAgain.call<ConversationPage>('GET', '/api/conversations')).body;
    expect(conversations).toMatchObject([{ title: 'signed in' }]);
    expect(await readFile(join(dataDir, 'ops-token'), 'utf8')).toBe(opsToken);
  } finally {
    await after.end();
  }
});

test('a start completes an interrupted adoption of a guest', async () => {
  const answerer = createScriptedAnswerer();
  const folder = await temporaryFolder('desk-adoption');
  const before = await startTestApi({ answerer, dataDir: folder });
  const guest = createVisitor(before.url);
  await guest.call<ChatAnswer>('POST', '/api/chat', { text: 'as a guest' });
  const userId = new Types.ObjectId();
  await before.connection.collection('guests').updateMany({}, { $set: { adoptedBy: userId } });
  await before.end();

  const after = await startTestApi({ answerer, dataDir: folder });
  try {
    const records = await after.connection.collection('records').find().toArray();
    expect(records.map(({ owner }) => owner)).toEqual([`user:${userId.toHexString()}`]);
  } finally {
    await after.end();
    await removeTestData(folder);
  }
});

test('a start purges deletions that can no longer be undone', async () => {
  const answerer = createScriptedAnswerer();
  const folder = await temporaryFolder('desk-expired');
  const before = await startTestApi({ answerer, dataDir: folder });
  const guest = createVisitor(before.url);
  const { body } = await guest.call<ChatAnswer>('POST', '/api/chat', { text: 'to be erased' });
  await guest.call('DELETE', `/api/conversations/${body.conversationId}`);
  const deletions = before.connection.collection('erasures');
  await until(async () => (await deletions.findOne())?.state === 'erased');
  await deletions.updateMany({}, { $set: { undoUntil: new Date(0) } });
  await before.end();

  const after = await startTestApi({ answerer, dataDir: folder });
  try {
    const records = after.connection.collection('records');
    await until(async () => (await records.countDocuments()) === 0);
  } finally {
    await after.end();
    await removeTestData(folder);
  }
});

test('answers from the handbook, with a citation whose passage contains the quote', async () => {
  const folder = await temporaryFolder('desk-own');
  const config = { ...readConfig({}), port: 0, ...testStoreConfig(folder), logLevel: 'silent' as const };
  const server = await startServer({ config });
  try {
    const visitor = createVisitor(server.url);
    const { status, body } = await visitor.call<ChatAnswer>('POST', '/api/chat', { text: '怎样修改密码？' });
    expect(status).toBe(200);
    expect(body.response).toContain('密码');
    const [citation] = body.citations;
    if (!citation) throw new Error(`expected a citation, got ${JSON.stringify(body)}`);
    const passage = await visitor.call<{ text: string; start: number }>('GET', citation.href);
    const { text, start } = passage.body;
    expect(text.slice(citation.start - start, citation.end - start)).toBe(citation.quote);
  } finally {
    await server.close();
    await removeTestData(folder);
  }
});

test('a closed server has cleared all of its intervals, including those of connected readers', async () => {
  const { setInterval: begin, clearInterval: end } = globalThis;
  const running = new Map<unknown, string>();
  globalThis.setInterval = ((...given: Parameters<typeof begin>) => {
    const timer = begin(...given);
    running.set(timer, new Error('begun here').stack ?? '');
    return timer;
  }) as typeof begin;
  globalThis.clearInterval = (timer) => {
    running.delete(timer);
    end(timer);
  };
  try {
    const answerer = createScriptedAnswerer();
    const server = await startTestApi({ answerer });
    const visitor = createVisitor(server.url);
    await visitor.call('POST', '/api/chat', { text: 'q' });
    const events = visitor.events('GET', '/api/handovers/events');
    const reading = events.next().catch(() => undefined);
    await visitor.call('POST', '/api/handovers', { question: 'q', clientId: 'k' });
    await reading;
    // Jobs sleep until they are due, so few intervals are left: the event stream that is still read has one of them.
    expect(running.size).toBeGreaterThan(1);
    await server.end();
    expect([...running.values()]).toEqual([]);
  } finally {
    globalThis.setInterval = begin;
    globalThis.clearInterval = end;
  }
});

test('the first start answers only /healthz until it is ready, a later start answers nothing until then', async () => {
  const folder = await temporaryFolder('desk-first');
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const { port } = other.address() as { port: number };
  other.close();
  await once(other, 'close');
  const config = { ...readConfig({}), ...testStoreConfig(folder), port, logLevel: 'silent' as const };
  const paths = ['/healthz', '/readyz', '/chatbot/'];
  const statuses = () =>
    Promise.all(
      paths.map((path) =>
        fetch(`http://127.0.0.1:${port}${path}`).then(
          ({ status }) => status,
          () => 'refused',
        ),
      ),
    );
  const seen: unknown[] = [];
  const start = () =>
    startServer({
      config,
      async openAnswers(...given) {
        seen.push(await statuses());
        return openAnswers(...given);
      },
    });
  try {
    const first = await start();
    expect((await statuses()).slice(0, 2)).toEqual([200, 200]);
    await first.close();
    await (await start()).close();
    expect(seen).toEqual([
      [200, 503, 503],
      ['refused', 'refused', 'refused'],
    ]);
  } finally {
    await removeTestData(folder);
  }
});

test('an occupied port aborts the start with a message', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const { port } = other.address() as { port: number };
  try {
    const starting = startTestApi({ answerer: createScriptedAnswerer(), config: { port } });
    await expect(starting).rejects.toThrow(`PORT must be free, got ${port}`);
  } finally {
    other.close();
  }
});
