import { expect, test } from '@jest/globals';
import type { ApiError } from '../errors/errors.ts';
import { createConcurrencyLimiter } from './concurrency-limiter.ts';

function refusal(begin: () => unknown): ApiError {
  try {
    begin();
  } catch (cause) {
    return cause as ApiError;
  }
  throw new Error('expected a refusal');
}

test('each owner has a limited number of slots, which can be reused after release', () => {
  const begin = createConcurrencyLimiter(2);
  const end = begin('a');
  begin('a');
  const { error, details } = refusal(() => begin('a'));
  expect([error, details]).toEqual(['rate_limited', { retryAfter: 5 }]);
  begin('b');
  end();
  end();
  begin('a');
  expect(() => begin('a')).toThrow(expect.objectContaining({ error: 'rate_limited' }));
});

test('all owners together have a limited number of slots', () => {
  const begin = createConcurrencyLimiter(2, 2);
  const end = begin('a');
  begin('b');
  const { error, details } = refusal(() => begin('c'));
  expect([error, details]).toEqual(['unavailable', { retryAfter: 10 }]);
  end();
  end();
  begin('c');
  expect(refusal(() => begin('d')).error).toBe('unavailable');
});
