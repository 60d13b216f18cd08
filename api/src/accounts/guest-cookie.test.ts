import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { createGuestCookies } from './guest-cookie.ts';

const day = 86_400_000;
const cookies = createGuestCookies(Buffer.from('a key'), { guestDays: 7 });

let now: number;
beforeEach(() => {
  now = Date.UTC(2026, 0, 1);
  jest.spyOn(Date, 'now').mockImplementation(() => now);
});
afterEach(() => {
  jest.restoreAllMocks();
});

test('a cookie is renewed after half a day of seven, and valid for seven', () => {
  const { id } = cookies.create();
  const written = cookies.write(id);
  expect(cookies.read(written)).toEqual({ id, isStale: false });
  now += day / 2;
  expect(cookies.read(written)).toEqual({ id, isStale: false });
  now += 1000;
  expect(cookies.read(written)).toEqual({ id, isStale: true });
  now += 6.5 * day - 1000;
  expect(cookies.read(written)).toEqual({ id, isStale: true });
  now += 1000;
  expect(cookies.read(written)).toBeNull();
});

test('a cookie that was not signed here is invalid', () => {
  const other = createGuestCookies(Buffer.from('another key'), { guestDays: 7 });
  const { id } = other.create();
  expect(cookies.read(other.write(id))).toBeNull();
  expect(cookies.read(undefined)).toBeNull();
  expect(cookies.isCsrfToken(id, other.csrfToken(id))).toBe(false);
  expect(cookies.isCsrfToken(id, cookies.csrfToken(id))).toBe(true);
});
