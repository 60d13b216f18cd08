import { beforeEach, expect, test } from '@jest/globals';
import { createFallbackMemory } from './fallback-memory.ts';

const storage = () => sessionStorage;
beforeEach(() => sessionStorage.clear());

test('remembers fallbacks for the same composition', () => {
  createFallbackMemory({ id: 'c1' }, storage).write(['mfe-chat']);
  expect(createFallbackMemory({ id: 'c1' }, storage).read()).toEqual(['mfe-chat']);
  expect(createFallbackMemory({ id: 'c2' }, storage).read()).toEqual([]);
});

test('remembers nothing on a page with an override', () => {
  const override = { kind: 'composition', expiresAt: '' } as const;
  createFallbackMemory({ id: 'c1' }, storage).write(['mfe-chat']);
  expect(createFallbackMemory({ id: 'c1', override }, storage).read()).toEqual([]);
  createFallbackMemory({ id: 'c1', override }, storage).write([]);
  expect(createFallbackMemory({ id: 'c1' }, storage).read()).toEqual(['mfe-chat']);
});

test('a page that was opened without the server uses what is remembered, and adds nothing', () => {
  createFallbackMemory({ id: 'c1' }, storage).write(['mfe-chat']);
  const saved = createFallbackMemory({ id: 'c1' }, storage, true);
  expect(saved.read()).toEqual(['mfe-chat']);
  saved.write(['mfe-chat', 'mfe-records']);
  expect(createFallbackMemory({ id: 'c1' }, storage).read()).toEqual(['mfe-chat']);
});

test('works without a session storage', () => {
  const refused = () => {
    throw new Error('refused');
  };
  const memory = createFallbackMemory({ id: 'c1' }, refused);
  expect(() => memory.write(['mfe-chat'])).not.toThrow();
  expect(memory.read()).toEqual([]);
});

test.each(['{half', '7', '{"composition":"c1","remotes":7}'])('reads %s in the storage as empty', (text) => {
  sessionStorage.setItem('desk:fallbacks', text);
  expect(createFallbackMemory({ id: 'c1' }, storage).read()).toEqual([]);
});
