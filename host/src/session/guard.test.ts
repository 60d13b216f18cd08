import { expect, test } from '@jest/globals';
import type { HttpFailure } from '../contract.ts';
import { createGuard } from './guard.ts';

const failure = (status: number): HttpFailure =>
  Object.assign(new Error('failed'), { status, error: 'session_ended' });

const check = async (authenticate: () => Promise<unknown>, isSignedIn = true) => {
  const calls: string[] = [];
  const guard = createGuard({
    isSignedIn: () => isSignedIn,
    authenticate,
    onAllowed: (name) => calls.push(`allowed ${name}`),
    onRefused: (wasSignedIn) => calls.push(`refused ${wasSignedIn ? 'a session' : 'a guest'}`),
  });
  return [await guard(), ...calls];
};

test('allows a user known to the server', async () => {
  expect(await check(async () => ({ code: 1, data: { username: 'lin' } }))).toEqual([
    'allowed',
    'allowed lin',
  ]);
});

test.each([401, 403, 429, 500])('refuses on HTTP %i', async (status) => {
  expect(await check(() => Promise.reject(failure(status)))).toEqual(['refused', 'refused a session']);
});

test('distinguishes a guest from a session that has ended', async () => {
  expect(await check(() => Promise.reject(failure(401)), false)).toEqual(['refused', 'refused a guest']);
});

test.each([{ code: 0 }, {}, null, 'text'])('refuses when the answer is %j', async (answer) => {
  expect(await check(async () => answer)).toEqual(['refused', 'refused a session']);
});

test('changes nothing when the server cannot be reached', async () => {
  expect(await check(() => Promise.reject(failure(0)))).toEqual(['unknown']);
});
