import { EventEmitter } from 'node:events';
import { expect, test } from '@jest/globals';
import { logRequests } from './log-requests.ts';

test.each([
  ['/chatbot/override/eyJhbGciOi.a-signed-token-of-an-override', '/chatbot/override/…'],
  ['/chatbot//override/eyJhbGciOi.a-signed-token-of-an-override', '/chatbot//override/…'],
  ['/override/eyJhbGciOi.a-signed-token-of-an-override/', '/override/…/'],
  ['/chatbot/override/leave', '/chatbot/override/leave'],
  ['/api/chat', '/api/chat'],
])('%s is logged as %s', async (path, logged) => {
  const lines: { path: string }[] = [];
  const log = { info: (line: { path: string }) => lines.push(line) };
  const res = new EventEmitter();
  const ctx = { path, res, state: {}, method: 'GET', status: 200 };
  await logRequests(log as never)(ctx as never, async () => undefined);
  res.emit('close');
  expect(lines.map((line) => line.path)).toEqual([logged]);
});
