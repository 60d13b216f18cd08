import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { BehaviorSubject } from 'rxjs';
import { opsTokenOf } from './ops-token.ts';

const minute = 60_000;
beforeEach(() => void jest.useFakeTimers({ now: Date.parse('2026-11-21T10:00:00.000Z') }));
afterEach(() => void jest.useRealTimers());

/** A server whose clock is `aheadMs` before that of the browser; it answers after `answer`. */
function open(aheadMs = 0, answer = Promise.resolve()) {
  const username$ = new BehaviorSubject('lin');
  const post = async () => {
    await answer;
    const now = Date.now() + aheadMs;
    const data = {
      token: 'lent',
      name: 'deploys',
      scopes: ['admin'],
      expiresAt: new Date(now + 30 * minute).toISOString(),
    };
    return { data, headers: { date: new Date(now).toUTCString() } };
  };
  const opsToken = opsTokenOf({ http: { post }, session: { username$ } } as never);
  return { opsToken, username$, token: () => opsToken.lease$.value?.token };
}

test.each([0, 7 * minute, -7 * minute])(
  'lasts 30 minutes by the clock of the server, %d ms ahead',
  async (ahead) => {
    const { opsToken, token } = open(ahead);
    await opsToken.trade('secret');
    expect(opsToken.lease$.value).toMatchObject({ token: 'lent', name: 'deploys', isAdmin: true });
    jest.advanceTimersByTime(30 * minute - 2000);
    expect(token()).toBe('lent');
    jest.advanceTimersByTime(3000);
    expect(token()).toBeUndefined();
  },
);

test('ends with the sign-out, also if the answer comes later', async () => {
  const { opsToken, username$, token } = open();
  await opsToken.prove('password');
  expect(token()).toBe('lent');
  username$.next('');
  expect(token()).toBeUndefined();

  const held = Promise.withResolvers<void>();
  const late = open(0, held.promise);
  const trading = late.opsToken.trade('secret');
  late.username$.next('other');
  held.resolve();
  await trading;
  expect(late.token()).toBeUndefined();
});
