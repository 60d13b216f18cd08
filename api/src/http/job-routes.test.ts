import { afterAll, expect, test } from '@jest/globals';
import type { DeadJobs } from '../contract/jobs.ts';
import { createScriptedAnswerer } from '../testing/scripted-answerer.ts';
import { startTestApi } from '../testing/start-test-api.ts';
import { until } from '../testing/until.ts';
import { createVisitor } from '../testing/visitor.ts';

const opsToken = 'the-token-of-operations';

const api = await startTestApi({ answerer: createScriptedAnswerer(), config: { opsToken } });
afterAll(() => api?.end());

const call = <T>(method: string, path: string, token = opsToken) =>
  createVisitor(api.url).call<T>(method, path, undefined, { Authorization: `Bearer ${token}` });

test('operators list jobs that have failed too often, and run one again', async () => {
  expect((await call<DeadJobs>('GET', '/ops/jobs')).body).toEqual({ jobs: [] });
  const id = 'remove releases of yesterday';
  const dead = {
    kind: 'remove releases',
    key: 'of yesterday',
    queue: null,
    data: null,
    requests: 1,
    attempts: 10,
  };
  const stored = {
    ...dead,
    _id: id,
    dueAt: null,
    lease: null,
    order: new Date(),
    failure: 'the disk is full',
  };
  await api.connection.collection('jobs').insertOne(stored as never);
  expect((await call<DeadJobs>('GET', '/ops/jobs')).body.jobs).toEqual([
    { id, kind: 'remove releases', key: 'of yesterday', attempts: 10, failure: 'the disk is full' },
  ]);
  const retry = `/ops/jobs/${encodeURIComponent(id)}/retry`;
  expect((await call('POST', retry)).status).toBe(204);
  await until(async () => (await call<DeadJobs>('GET', '/ops/jobs')).body.jobs.length === 0);
  expect((await call('POST', retry)).body).toMatchObject({ error: 'not_found' });
});

test('nobody can list the jobs without a valid token', async () => {
  expect((await call('GET', '/ops/jobs', 'wrong')).status).toBe(401);
  expect((await createVisitor(api.url).call('GET', '/ops/jobs')).status).toBe(401);
});

test('the periodic cleanups are jobs that wait for their next run', async () => {
  const sweeps = await until(async () => {
    const all = await api.connection.collection('jobs').find({ queue: 'sweeps', lease: null }).toArray();
    return all.length === 15 && all.every(({ dueAt }) => dueAt > new Date()) && all;
  });
  expect(sweeps.map(({ failure }) => failure)).toEqual(Array(15).fill(''));
});
