import { afterAll, afterEach, expect, test } from '@jest/globals';
import type { OverrideLink } from '../../contract/compositions.ts';
import type { HealthRow, PageEvent } from '../../contract/reports.ts';
import { failed, loaded, newPage, startCanaryServer } from '../../testing/canary-server.ts';
import { until } from '../../testing/until.ts';
import { createVisitor } from '../../testing/visitor.ts';

const desk = await startCanaryServer({ trustProxy: 1 });
const live = (await desk.pointer()).composition.id;
afterEach(async () => {
  await desk.connection().collection('health_counts').deleteMany({});
});
afterAll(() => desk?.end());

const from = (address: string) => ({ 'X-Forwarded-For': address });
const tell = (events: PageEvent[], page = newPage(), composition = live) =>
  desk.report({ page, composition, events }, from('192.0.2.1'));
const vital = (name: 'LCP' | 'INP' | 'CLS', value: number): PageEvent => ({
  remote: 'mfe-chat',
  version: '1.0.0',
  kind: 'vital',
  name,
  value,
});
const erred = (error: string): PageEvent => ({ remote: 'mfe-chat', version: '1.0.0', kind: 'error', error });

/** Polls for the row of mfe-chat@`version` until `isThere` holds: counts are written every second. */
function rowOf(version: string, isThere: (row: HealthRow) => boolean, minutes = 60): Promise<HealthRow> {
  return until(async () => {
    const { rows } = await desk.health(minutes);
    return rows.find((row) => row.remote === 'mfe-chat' && row.version === version && isThere(row));
  });
}

test('reports of a browser with an override are not counted', async () => {
  const { body } = await desk.ops<OverrideLink>('POST', 'override', {
    reason: undefined,
    composition: live,
    minutes: 10,
  });
  const asked = await (await fetch(desk.url() + new URL(body.url).pathname)).text();
  const [, action = ''] = /<form method="post" action="([^"]*)"/.exec(asked) ?? [];
  const entered = await fetch(desk.url() + action, { method: 'POST', redirect: 'manual' });
  const Cookie = entered.headers.get('Set-Cookie')?.split(';', 1)[0] ?? '';
  expect(Cookie).toContain('desk_override=');
  const events = [loaded('1.0.0'), vital('LCP', 9000)];

  const report = { page: newPage(), composition: live, events };
  expect((await desk.report(report, { ...from('192.0.2.1'), Cookie })).status).toBe(204);
  await tell([loaded('1.0.0')]);
  expect(await rowOf('1.0.0', ({ loads }) => loads > 0)).toMatchObject({ loads: 1, vitals: { LCP: null } });
});

test('counts loads, failures, errors and vitals by remote and version', async () => {
  const { status } = await tell([loaded('1.0.0'), vital('LCP', 1800), vital('CLS', 0.02)]);
  expect(status).toBe(204);
  await tell([loaded('1.0.0'), vital('LCP', 1800), vital('INP', 90), erred('x is not a function')]);
  await tell([failed('1.0.0', 'Failed to fetch https://d.example/chat.js?token=secret')]);

  const row = await rowOf('1.0.0', ({ failures }) => failures === 1);

  expect(row).toMatchObject({ loads: 2, failures: 1, errors: 1, share: 100 });
  expect(row.vitals.LCP).toMatchObject({ count: 2 });
  expect(Math.abs(row.vitals.LCP!.p75 - 1800)).toBeLessThan(220);
  expect(row.vitals.INP).toMatchObject({ count: 1 });
  expect(row.vitals.CLS!.p75).toBeCloseTo(0.03, 1);
  expect(
    row.lastErrors.map(({ kind, error, count, composition }) => ({ kind, error, count, composition })),
  ).toEqual(
    expect.arrayContaining([
      { kind: 'failure', error: 'Failed to fetch https://d.example/chat.js', count: 1, composition: live },
      { kind: 'error', error: 'x is not a function', count: 1, composition: live },
    ]),
  );
  const { from: start, to, stepMs } = await desk.health(60);
  expect(stepMs).toBe(300_000);
  expect(row.series.length).toBe(Math.floor((Date.parse(to) - Date.parse(start)) / stepMs) + 1);
  expect(row.series.at(-1)!.loads + row.series.at(-2)!.loads).toBe(2);
  expect((await rowOf('1.0.0', () => true, 10_080)).loads).toBe(2);
});

test('a load, a failure and a vital count once per page', async () => {
  const page = newPage();
  for (const _ of [1, 2, 3]) await tell([loaded('1.0.0'), failed('1.0.0'), vital('LCP', 1000)], page);
  await tell([loaded('1.0.0')]);
  const row = await rowOf('1.0.0', ({ loads }) => loads === 2);
  expect(row).toMatchObject({ loads: 2, failures: 1, vitals: { LCP: { count: 1 } } });
});

test('accepts beacons sent as text and responds without a body', async () => {
  const body = JSON.stringify({ page: newPage(), composition: live, events: [loaded('1.0.0')] });
  const response = await createVisitor(desk.url()).fetch('POST', '/ops/reports', {
    body,
    headers: { 'Content-Type': 'text/plain;charset=UTF-8' },
  });
  expect([response.status, await response.text(), response.headers.getSetCookie()]).toEqual([204, '', []]);
  await rowOf('1.0.0', ({ loads }) => loads === 1);
});

test('drops reports that name no release of a composition that is or was live', async () => {
  await tell([loaded('9.9.9')]);
  await tell([{ remote: 'mfe-other', version: '1.0.0', kind: 'load', ms: 1 }]);
  await tell([loaded('1.0.0')], newPage(), 'f'.repeat(64));
  await tell([loaded('1.0.0')]);
  const row = await rowOf('1.0.0', () => true);
  expect(row.loads).toBe(1);
  expect((await desk.health()).rows).toHaveLength(1);
  expect(await desk.connection().collection('health_counts').countDocuments()).toBe(2);
});

test('accepts reports on previously live compositions and on fallback releases', async () => {
  const { body } = await desk.ops('POST', 'pointer', { releases: ['mfe-chat@1.1.0'] });
  await tell([loaded('1.0.0')]);
  await tell([failed('1.1.0'), loaded('1.0.0')], newPage(), body.composition.id);
  const row = await rowOf('1.0.0', ({ loads }) => loads === 2);
  expect(row.share).toBe(100);
  expect((await rowOf('1.1.0', () => true)).failures).toBe(1);
  await desk.ops('POST', 'pointer/rollback', {});
});

test('refuses invalid reports', async () => {
  const send = async (body: object | string, headers: Record<string, string> = {}) => {
    const type = { 'Content-Type': 'application/json', ...headers };
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    return (await createVisitor(desk.url()).fetch('POST', '/ops/reports', { body: text, headers: type }))
      .status;
  };
  const report = { page: newPage(), composition: live, events: [loaded('1.0.0')] };
  expect(await send('{')).toBe(400);
  expect(await send({})).toBe(400);
  expect(await send({ ...report, page: 'x' })).toBe(400);
  expect(await send({ ...report, composition: '../x' })).toBe(400);
  expect(await send({ ...report, events: Array(41).fill(loaded('1.0.0')) })).toBe(400);
  expect(await send({ ...report, events: [{ ...vital('LCP', 1), value: -1 }] })).toBe(400);
  expect(await send({ ...report, more: 'x'.repeat(17_000) })).toBe(413);
  expect(await send(report, { 'Content-Type': 'text/html' })).toBe(415);
  expect(await send(report, { 'Sec-Fetch-Site': 'cross-site' })).toBe(403);
  expect(await send({ ...report, events: [] }, { 'Sec-Fetch-Site': 'same-origin' })).toBe(204);
});

test('a hundred simultaneous pages cause few writes, and the number of texts is limited', async () => {
  const pages = Array.from({ length: 100 }, (_, at) =>
    tell([
      loaded('1.0.0'),
      vital('LCP', 900 + at),
      ...Array.from({ length: 5 }, (__, n) => erred(`e ${at} ${n}`)),
    ]),
  );
  expect(new Set((await Promise.all(pages)).map(({ status }) => status))).toEqual(new Set([204]));
  const row = await rowOf('1.0.0', ({ loads }) => loads === 100);
  expect(row.errors).toBe(500);
  expect(row.lastErrors.length).toBeGreaterThan(0);
  expect(row.lastErrors.length).toBeLessThanOrEqual(10);
  const kept = await desk.connection().collection('health_counts').find().toArray();
  expect(kept.length).toBeLessThanOrEqual(4);
  for (const { texts } of kept) expect(Object.keys(texts as object).length).toBeLessThanOrEqual(10);
});

test('reports are limited per address and minute', async () => {
  const report = { page: newPage(), composition: live, events: [] };
  const statuses: number[] = [];
  for (let sent = 0; sent < 620; sent += 20)
    statuses.push(
      ...(await Promise.all(Array.from({ length: 20 }, () => desk.report(report, from('198.51.100.7'))))).map(
        ({ status }) => status,
      ),
    );
  expect(statuses.filter((status) => status === 204)).toHaveLength(600);
  expect((await desk.report(report, from('198.51.100.8'))).status).toBe(204);
});

test('health can be read by operations and any signed-in user, for a limited period', async () => {
  const visitor = createVisitor(desk.url());
  expect((await visitor.call('GET', '/ops/health')).status).toBe(401);
  await visitor.signUp('reader', 'long enough');
  expect((await visitor.call('GET', '/ops/health')).status).toBe(200);
  for (const minutes of ['4', '10081', 'x', '1.5'])
    expect((await visitor.call('GET', `/ops/health?minutes=${minutes}`)).status).toBe(400);
});
