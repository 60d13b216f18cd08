import { expect, test } from '@jest/globals';
import { createConcurrencyLimiter } from './concurrency-limiter.ts';

test('each owner has a limited number of slots, which can be reused after release', () => {
  const begin = createConcurrencyLimiter(2);
  const end = begin('a');
  begin('a');
  expect(() => begin('a')).toThrow(expect.objectContaining({ error: 'rate_limited' }));
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
  expect(() => begin('c')).toThrow(expect.objectContaining({ error: 'unavailable' }));
  end();
  begin('c');
});
