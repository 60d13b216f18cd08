import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { startWorker } from './start-worker.ts';

const started: unknown[] = [];
const page = globalThis as unknown as Record<string | symbol, unknown>;
const before = { Worker: page.Worker, create: URL.createObjectURL, revoke: URL.revokeObjectURL };
const rules: { createScriptURL(url: string): string }[] = [];
const createPolicy = jest.fn((_name: string, rule: (typeof rules)[number]) => {
  rules.push(rule);
  return { createScriptURL: (url: string) => ({ trusted: rule.createScriptURL(url) }) };
});

beforeEach(() => {
  page.Worker = class extends EventTarget {
    constructor(url: unknown) {
      super();
      started.push(url);
    }
  };
  page.trustedTypes = { createPolicy };
  URL.createObjectURL = () => `blob:${location.origin}/1`;
  URL.revokeObjectURL = () => undefined;
});

afterEach(() => {
  Object.assign(page, { Worker: before.Worker, trustedTypes: undefined });
  Object.assign(URL, { createObjectURL: before.create, revokeObjectURL: before.revoke });
});

test('one policy of the page serves all workers and refuses everything but its own blobs and the service worker', () => {
  startWorker('1');
  startWorker('2');

  expect(createPolicy.mock.calls.map(([name]) => name)).toEqual(['pdf-worker']);
  expect(started).toEqual(Array(2).fill({ trusted: `blob:${location.origin}/1` }));
  for (const url of [
    'https://evil.example/x.js',
    '/x.js',
    'data:text/javascript,1',
    'blob:https://evil.example/1',
  ])
    expect(() => rules[0]?.createScriptURL(url)).toThrow('expected a blob of this page');
  expect(rules[0]?.createScriptURL('/chatbot/worker.js')).toBe('/chatbot/worker.js');
});
