import { PassThrough } from 'node:stream';
import { expect, test } from '@jest/globals';
import type { Context } from 'koa';
import { readJson } from './read-json.ts';

/** A request for JSON whose body is `sent` so far. */
function contextWith(sent: string): { ctx: Context; body: PassThrough } {
  const body = new PassThrough();
  body.write(sent);
  const req = Object.assign(body, { headers: { 'transfer-encoding': 'chunked' }, complete: false });
  const get = (name: string) => (name === 'Content-Type' ? 'application/json' : '');
  return { ctx: { req, get } as unknown as Context, body };
}

test('a body that stalls is refused after its time', async () => {
  const { ctx } = contextWith('{"text":');
  await expect(readJson(ctx, { withinMs: 20 })).rejects.toMatchObject({
    status: 408,
    error: 'invalid_request',
  });
});

test('a body that arrives in parts is read whole', async () => {
  const { ctx, body } = contextWith('{"text":');
  const read = readJson(ctx);
  body.end('"x"}');
  expect(await read).toEqual({ text: 'x' });
});
