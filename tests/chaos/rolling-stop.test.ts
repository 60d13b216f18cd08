import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import type { ChatAnswer } from '../../api/src/contract/chat.ts';
import { until } from '../../api/src/testing/until.ts';
import { createVisitor } from '../../api/src/testing/visitor.ts';
import { type Desk, startDesk, temporaryDataDir } from '../start-desk.ts';
import { type ModelStandIn, startModel } from '../start-model.ts';

jest.setTimeout(60_000);

let data: Awaited<ReturnType<typeof temporaryDataDir>>;
let model: ModelStandIn;
let desk: Desk;
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
  desk = await startDesk({ dataDir: data.dataDir, isApiAlone: true, env });
});
afterAll(async () => {
  await desk?.kill();
  await model?.close();
  await data?.remove();
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
