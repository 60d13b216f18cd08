import { expect, test } from '@jest/globals';
import type { Context } from 'koa';
import { setCookie } from './set-cookie.ts';

const day = 86_400_000;

/** When the cookie ends, in ms since the epoch. */
function endOf(maxAge: number): number {
  let end = Number.NaN;
  const set = (_name: string, _value: string, { expires }: { expires: Date }) => {
    end = expires.getTime();
  };
  setCookie({ cookies: { set } } as unknown as Context, { publicUrl: null }, 'name', 'value', { maxAge });
  return end;
}

test('a cookie lives as long as it should, and a deleted one has ended by the clock of every browser', () => {
  expect(endOf(30 * day) - Date.now()).toBeGreaterThan(29 * day);
  expect(endOf(30 * day) - Date.now()).toBeLessThanOrEqual(30 * day);
  expect(endOf(0)).toBe(0);
});
