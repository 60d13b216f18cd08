import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { ChatAnswer } from '../../api/src/contract/chat.ts';
import { until } from '../../api/src/testing/until.ts';
import { createVisitor } from '../../api/src/testing/visitor.ts';
import { writeTestBuild } from '../../api/src/testing/write-test-build.ts';
import { type Desk, startDesk, temporaryDataDir } from '../start-desk.ts';
import { type ModelStandIn, startModel } from '../start-model.ts';

let data: Awaited<ReturnType<typeof temporaryDataDir>>;
let model: ModelStandIn;
let desk: Desk;
let builds: string;
const slow = '慢慢回答';
const mayEnd = Promise.withResolvers<void>();

beforeAll(async () => {
  data = await temporaryDataDir();
  model = await startModel({
    pieces: () => ['one ', 'two'],
    pause: 0,
    gate: (question, index) => (question.includes(slow) && index === 1 ? mayEnd.promise : undefined),
  });
  const env = { DRAIN_SECONDS: '2', HANDBOOK: 'off', OPENAI_BASE_URL: model.url, OPENAI_MODEL: 'stand-in' };
  builds = await mkdtemp(path.join(os.tmpdir(), 'desk-builds-'));
  const publish = [
    await writeTestBuild(builds, { name: 'host' }),
    await writeTestBuild(builds, { name: 'mfe-chat' }),
  ];
  desk = await startDesk({ dataDir: data.dataDir, isApiAlone: true, publish, env });
});
afterAll(async () => {
  await desk?.kill();
  await model?.close();
  await data?.remove();
  if (builds) await rm(builds, { recursive: true });
});

test('folders that were built elsewhere are published without building anything', async () => {
  expect(await (await fetch(`${desk.url}/chatbot/`)).text()).toContain('main.aaaa1111.js');
});

test('SIGTERM: not ready at once, still serving, then no new connections; running answers end, readers are sent away', async () => {
  const visitor = createVisitor(desk.url);
  const answer = visitor.events('POST', '/api/chat', { text: slow }, { Accept: 'text/event-stream' });
  for (let event = await answer.next(); event.value?.event !== 'delta'; event = await answer.next())
    expect(event.done).toBe(false);
  const handovers = await visitor.fetch('GET', '/api/handovers/events');
  const sentToReader = handovers.text();

  const exit = desk.terminate();
  await until(async () => (await fetch(`${desk.url}/readyz`)).status === 503);
  const asked = await visitor.fetch('POST', '/api/chat', {
    body: JSON.stringify({ text: 'during the drain' }),
    headers: { 'Content-Type': 'application/json' },
  });
  expect(asked.headers.get('connection')).toBe('close');
  expect((await asked.json()) as ChatAnswer).toMatchObject({ response: 'one two' });

  expect(await sentToReader).toMatch(/\nretry: \d{4}\n\n$/);
  await expect(fetch(`${desk.url}/healthz`)).rejects.toThrow();

  mayEnd.resolve();
  const rest = [];
  for await (const event of answer) rest.push(event);
  expect(rest.at(-1)).toMatchObject({ event: 'done', data: { response: 'one two', status: 'done' } });
  expect(await exit).toBe(0);
});
