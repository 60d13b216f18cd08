import { afterAll, beforeEach, expect, test } from '@jest/globals';
import type { CompositionInfo } from '../../contract/compositions.ts';
import type { PageComposition } from '../../contract/pages.ts';
import { failed, loaded, newPage, startCanaryServer } from '../../testing/canary-server.ts';

const desk = await startCanaryServer();
afterAll(() => desk?.end());
/** Only 1.0.0 has been live, and pages reported that it works. */
beforeEach(async () => {
  for (const name of ['health_counts', 'canary_tallies'])
    await desk.connection().collection(name).deleteMany({});
  await live('1.0.0');
  await pages('1.0.0', { working: 4 });
});

const chatOf = ({ remotes }: CompositionInfo) => remotes.find(({ name }) => name === 'mfe-chat')!;
const setChat = (version: string) => desk.ops('POST', 'pointer', { releases: [`mfe-chat@${version}`] });
const rollBack = () => desk.ops('POST', 'pointer/rollback', {});
const shown = async () => chatOf((await desk.pointer()).composition);

async function live(version: string): Promise<void> {
  const { status } = await setChat(version);
  expect(status).toBe(200);
}

/** Reports of pages on the chat's release in the live composition. */
async function pages(version: string, { working = 0, failing = 0 }): Promise<void> {
  const composition = (await desk.pointer()).composition.id;
  const events = [...Array(working).fill(loaded(version)), ...Array(failing).fill(failed(version))];
  for (const event of events) {
    const { status } = await desk.report({ page: newPage(), composition, events: [event] });
    expect(status).toBe(204);
  }
}

test('after two bad releases in a row tabs fall back to the working one', async () => {
  await live('1.1.0');
  await pages('1.1.0', { failing: 6 });
  await live('1.2.0');

  expect(await shown()).toMatchObject({ version: '1.2.0', previous: 'mfe-chat@1.0.0' });
  const html = await (await fetch(`${desk.url()}/chatbot/index`)).text();
  const page = JSON.parse(/id="composition">(.*?)<\/script>/.exec(html)![1]!) as PageComposition;
  expect(page.remotes['mfe-chat']?.previous?.version).toBe('1.0.0');
});

test('the good release never falls back to a bad one', async () => {
  await live('1.1.0');
  await pages('1.1.0', { failing: 6 });
  await live('1.0.0');
  expect(await shown()).toMatchObject({ version: '1.0.0', previous: null });
});

test('the newest working release is the fallback, and an untested one is not preferred', async () => {
  await live('1.1.0');
  await live('1.2.0');
  expect((await shown()).previous).toBe('mfe-chat@1.0.0');
  await pages('1.2.0', { working: 3, failing: 1 });
  await live('1.1.0');
  expect((await shown()).previous).toBe('mfe-chat@1.2.0');
});

test('while no release has a verdict, tabs fall back to the previous one', async () => {
  await desk.pointer();
  await desk.connection().collection('health_counts').deleteMany({});
  await live('1.1.0');
  expect((await shown()).previous).toBe('mfe-chat@1.0.0');
});

test('an unchanged part loses its fallback when that turns out to fail', async () => {
  await live('1.1.0');
  await desk.connection().collection('health_counts').deleteMany({});
  await live('1.2.0');
  expect((await shown()).previous).toBe('mfe-chat@1.1.0');
  await pages('1.1.0', { failing: 6 });
  const { body } = await desk.ops('POST', 'pointer', { without: ['mfe-auth'] });
  expect(chatOf(body.composition).previous).not.toBe('mfe-chat@1.1.0');
  await desk.ops('POST', 'pointer', { releases: ['mfe-auth@1.0.0'] });
});

test('a rollback skips failing compositions and does not alternate between two of them', async () => {
  const good = (await desk.pointer()).composition.id;
  await live('1.1.0');
  await pages('1.1.0', { failing: 6 });
  await live('1.2.0');
  await pages('1.2.0', { failing: 6 });
  expect((await desk.pointer()).previous).toBe(good);

  const { status, body } = await rollBack();
  expect([status, body.composition.id]).toEqual([200, good]);
  for (let again = 0; again < 2; again++) {
    await rollBack();
    expect((await shown()).version).toBe('1.0.0');
  }
});

test('an explicitly named rollback target is used even if it failed in pages', async () => {
  await live('1.1.0');
  const bad = (await desk.pointer()).composition.id;
  await pages('1.1.0', { failing: 6 });
  await rollBack();
  const { body } = await desk.ops('POST', 'pointer/rollback', { to: bad });
  expect(body.composition.id).toBe(bad);
});
