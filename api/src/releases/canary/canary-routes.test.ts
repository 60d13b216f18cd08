import { afterAll, afterEach, expect, test } from '@jest/globals';
import type { MoveInfo, NextPage } from '../../contract/compositions.ts';
import { startCanaryServer } from '../../testing/canary-server.ts';
import { createVisitor, type Visitor } from '../../testing/visitor.ts';

const desk = await startCanaryServer({ trustProxy: 1 });
afterEach(async () => {
  await desk.ops('POST', 'canary/abort', {});
});
afterAll(() => desk?.end());

async function pageOf(visitor: Visitor) {
  const response = await visitor.fetch('GET', '/chatbot/index');
  const html = await response.text();
  const { id } = JSON.parse(/id="composition">(.*?)<\/script>/.exec(html)![1]!) as { id: string };
  return { id, headers: response.headers };
}
const nextOf = async (visitor: Visitor) =>
  (await visitor.call<NextPage>('GET', '/ops/live')).body.composition;

test('only the ops role can start, change, promote and abort a canary', async () => {
  const visitor = createVisitor(desk.url());
  for (const [method, path] of [
    ['POST', ''],
    ['PATCH', ''],
    ['POST', '/promote'],
    ['POST', '/abort'],
  ]) {
    const { status, body } = await visitor.call(method!, `/ops/canary${path}`, {});
    expect([status, body.error]).toEqual([401, 'ops_token_wrong']);
  }
});

test('a canary starts beside the live composition, only one at a time, and appears in the history', async () => {
  const before = await desk.pointer();
  const { status, body } = await desk.canary({ share: 12.5, reason: 'try 1.1.0' });

  expect(status).toBe(200);
  expect(body.composition.id).toBe(before.composition.id);
  expect(body.revision).toBe(before.revision + 1);
  expect(body.canary).toMatchObject({ share: 12.5, author: 'li', reason: 'try 1.1.0', halted: null });
  expect(body.canary?.composition).toMatchObject({ parent: before.composition.id });
  expect(body.canary?.composition.remotes).toContainEqual(
    expect.objectContaining({ release: 'mfe-chat@1.1.0', previous: 'mfe-chat@1.0.0' }),
  );

  const second = await desk.canary({ releases: ['mfe-chat@1.2.0'] });
  expect([second.status, second.body.error]).toEqual([409, 'conflict']);
  const { moves } = (await desk.ops<{ moves: MoveInfo[] }>('GET', 'history')).body;
  expect(moves[0]).toMatchObject({
    kind: 'canary',
    author: 'li',
    reason: 'try 1.1.0',
    composition: before.composition.id,
    canary: body.canary?.composition.id,
    share: 12.5,
  });
});

test('of ten concurrent starts exactly one succeeds', async () => {
  const all = await Promise.all(Array.from({ length: 10 }, (_, at) => desk.canary({ reason: `${at}` })));
  expect(all.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(409)]);
});

test('refuses a release that is already live, an unknown release, an invalid share and an outdated revision', async () => {
  const { revision } = await desk.pointer();
  const answers = await Promise.all([
    desk.canary({ releases: ['mfe-chat@1.0.0'] }),
    desk.canary({ releases: ['mfe-chat@9.9.9'] }),
    desk.canary({ share: 101 }),
    desk.canary({ share: -1 }),
    desk.canary({ revision: revision - 1 }),
    desk.ops('PATCH', 'canary', { share: 5 }),
    desk.ops('POST', 'canary/promote', {}),
    desk.ops('POST', 'canary/abort', {}),
  ]);
  expect(answers.map(({ status }) => status)).toEqual([409, 404, 400, 400, 409, 404, 404, 404]);
  expect(answers[4]?.body.field).toBe('revision');
  expect((await desk.pointer()).canary).toBeNull();
});

test('a browser is assigned with its first page and keeps its assignment through a seed cookie', async () => {
  const live = (await desk.pointer()).composition.id;
  const early = createVisitor(desk.url());
  expect((await pageOf(early)).headers.getSetCookie()).toEqual([]);

  const canary = (await desk.canary()).body.canary!.composition.id;
  const visitor = createVisitor(desk.url());
  const first = await pageOf(visitor);
  expect(first.id).toBe(canary);
  expect(first.headers.getSetCookie()).toEqual([
    expect.stringMatching(/^desk_canary=[\w-]{22}; path=\/; expires=[^;]+; samesite=lax; httponly$/),
  ]);
  const [, end = ''] = /expires=([^;]+)/.exec(first.headers.getSetCookie()[0]!)!;
  expect(Date.parse(end) - Date.now()).toBeGreaterThan(29 * 86_400_000);
  expect(first.headers.get('Cache-Control')).toMatch(/private/);
  const seed = visitor.cookies.get('desk_canary');
  for (const _ of [1, 2]) {
    const page = await pageOf(visitor);
    expect([page.id, page.headers.getSetCookie()]).toEqual([canary, []]);
  }
  expect(await nextOf(visitor)).toBe(canary);
  expect(visitor.cookies.get('desk_canary')).toBe(seed);

  const { body } = await desk.ops('PATCH', 'canary', { share: 0 });
  expect(body.canary?.share).toBe(0);
  expect((await pageOf(visitor)).id).toBe(live);
});

test('a tab opened before the canary gets the composition that was announced for its next page', async () => {
  const tabs = Array.from({ length: 24 }, () => createVisitor(desk.url()));
  await Promise.all(tabs.map(pageOf));
  const canary = (await desk.canary({ share: 50 })).body.canary!.composition.id;
  const told = await Promise.all(tabs.map(nextOf));
  const given = await Promise.all(tabs.map(pageOf));
  expect(given.map(({ id }) => id)).toEqual(told);
  // The probability that all or none of them get the canary is 1 in 8 million.
  expect(new Set(told).size).toBe(2);
  expect(told).toContain(canary);
});

test('the seed cookie is Secure when visitors use HTTPS', async () => {
  await desk.canary();
  const { headers } = await createVisitor(desk.url()).fetch('GET', '/chatbot/index', {
    headers: { 'X-Forwarded-Proto': 'https' },
  });
  expect(headers.getSetCookie()[0]).toMatch(/; secure/);
});

test('about the configured share of browsers gets the canary, and a larger share keeps those already in it', async () => {
  const canary = (await desk.canary({ share: 30 })).body.canary!.composition.id;
  const browsers = Array.from({ length: 120 }, () => createVisitor(desk.url()));
  const drawnBy = async (idOf: (browser: Visitor) => Promise<string>) => {
    const ids = await Promise.all(browsers.map(idOf));
    return new Set(ids.flatMap((id, at) => (id === canary ? [at] : [])));
  };
  const drawn = () => drawnBy(nextOf);

  const few = await drawnBy(async (browser) => (await pageOf(browser)).id);
  // 36 are expected; 30 is six standard deviations.
  expect(Math.abs(few.size - 36)).toBeLessThan(30);
  expect(await drawn()).toEqual(few);
  await desk.ops('PATCH', 'canary', { share: 60 });
  const more = await drawn();
  expect([...few].filter((at) => !more.has(at))).toEqual([]);
  expect(more.size).toBeGreaterThan(few.size);
});

test('after promotion everyone gets the canary, and one rollback step returns to the previous composition', async () => {
  const live = (await desk.pointer()).composition.id;
  const { canary, revision } = (await desk.canary({ releases: ['mfe-chat@1.2.0'], share: 1 })).body;
  const early = await desk.ops('POST', 'canary/promote', { revision: revision - 1 });
  expect(early.status).toBe(409);

  const { body } = await desk.ops('POST', 'canary/promote', { reason: 'is fine', revision });
  expect(body).toMatchObject({
    composition: { id: canary?.composition.id },
    previous: live,
    canary: null,
    revision: revision + 1,
  });
  expect((await pageOf(createVisitor(desk.url()))).id).toBe(canary?.composition.id);
  const { moves } = (await desk.ops<{ moves: MoveInfo[] }>('GET', 'history')).body;
  expect(moves[0]).toMatchObject({
    kind: 'promote',
    from: live,
    canary: canary?.composition.id,
    changes: [{ name: 'mfe-chat', from: '1.0.0', to: '1.2.0' }],
  });
  expect((await desk.ops('POST', 'pointer/rollback', {})).body.composition.id).toBe(live);
});
