import { expect, test } from '@jest/globals';
import { createStandInServices, failure } from './stand-in-services.ts';

test('a call gets its own answer and is recorded with its data', async () => {
  const { services, calls } = createStandInServices({ answers: { 'POST /api/things': ({ body }) => body } });

  const { data } = await services.http.post('/api/things', { a: 1 }, { params: { b: 2 } });

  expect(data).toEqual({ a: 1 });
  expect(calls).toMatchObject([{ method: 'POST', url: '/api/things', params: { b: 2 } }]);
});

test('a call fails as in the host: thrown by the answer, without an answer, or aborted', async () => {
  const { http } = createStandInServices({
    answers: {
      'GET /api/busy': () => {
        throw failure(429, 'rate_limited', 'too fast', 7);
      },
      'GET /api/slow': () => new Promise(() => undefined),
    },
  }).services;
  const leaving = new AbortController();
  const slow = http.get('/api/slow', { signal: leaving.signal });
  leaving.abort();

  await expect(http.get('/api/busy')).rejects.toMatchObject({ status: 429, retryAfter: 7 });
  await expect(http.get('/api/else')).rejects.toMatchObject({ status: 404, error: 'not_found' });
  await expect(slow).rejects.toMatchObject({ status: 0, error: 'aborted' });
});

test('stored values belong to the owner and survive a reload', () => {
  const { services, kept } = createStandInServices({ username: 'anna', token: 't' });
  services.storage.set('draft', { text: 'hello' });

  const reloaded = createStandInServices({ username: 'anna', token: 't', kept }).services;
  expect(reloaded.storage.get('draft')).toEqual({ text: 'hello' });
  const owners: string[] = [];
  reloaded.storage.owner$.subscribe((owner) => owners.push(owner));
  reloaded.session.forget();
  expect(owners).toEqual(['guest']);
  expect(reloaded.storage.get('draft')).toBeUndefined();
});
