import { expect, test } from '@jest/globals';
import { refusalOf, retryAfterMs } from './endpoint-failure.ts';

const now = Date.UTC(2026, 0, 1, 12);

test.each<[Record<string, string>, number | null]>([
  [{ 'Retry-After': '20' }, 20_000],
  [{ 'Retry-After': ' 1.5 ' }, 1500],
  [{ 'Retry-After': 'Thu, 01 Jan 2026 12:00:30 GMT' }, 30_000],
  [{ 'Retry-After': 'Thu, 01 Jan 2026 11:00:00 GMT' }, 0],
  [{ 'Retry-After': '20', 'retry-after-ms': '250' }, 250],
  [{ 'Retry-After': 'soon' }, null],
  [{}, null],
])('%j waits for %p ms', (headers, expected) => {
  expect(retryAfterMs(new Headers(headers), now)).toBe(expected);
});

test.each([
  [302, '', 'wrong_address'],
  [400, 'model_not_found', 'unknown_model'],
  [400, 'context_length_exceeded', 'too_long'],
  [500, 'model_not_found', 'server_error'],
  [503, 'content_filter', 'server_error'],
  [401, '', 'invalid_key'],
  [429, '', 'rate_limited'],
  [418, '', 'rejected'],
])('status %i with the code %j is %s', async (status, code, kind) => {
  const response = new Response(JSON.stringify({ error: { code, message: 'no' } }), { status });
  expect((await refusalOf(response, true)).kind).toBe(kind);
});
