import { expect, test } from '@jest/globals';
import { ApiError } from '../errors/errors.ts';
import { createLog } from './create-log.ts';

function logged(cause: unknown): string {
  const lines: string[] = [];
  createLog('info', { write: (text: string) => lines.push(text) }).error({ err: cause }, 'failed');
  return lines.join('');
}

test('logs an error with type, message and stack, and none of its other fields', () => {
  const said = { response: 'half a secret', recordId: 'r', conversationId: 'c' };
  const line = logged(new ApiError('model_failed', { said }));
  expect(JSON.parse(line)).toMatchObject({
    msg: 'failed',
    err: { type: 'ApiError', stack: expect.any(String) },
  });
  expect(line).not.toContain('secret');
});

test.each(['secret', '{a} secret', 'a}\nsecret'])(
  'omits the value %j from a duplicate key error',
  (value) => {
    const cause = new Error(
      `E11000 duplicate key error collection: desk.users index: nameKey_1 dup key: { nameKey: "${value}" }`,
    );
    const line = logged(Object.assign(cause, { code: 11000, keyValue: { nameKey: value } }));
    expect(line).toContain('nameKey_1');
    expect(line).not.toContain('secret');
  },
);
