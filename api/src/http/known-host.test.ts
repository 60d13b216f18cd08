import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, test } from '@jest/globals';
import Koa from 'koa';
import type { ApiError } from '../errors/errors.ts';
import { knownHost } from './refuse-requests.ts';

/** The status of a request with this `host`, with this PUBLIC_URL. */
async function statusFor(host: string | string[], publicUrl: string | null): Promise<number> {
  const app = new Koa();
  app.use(async (ctx, next) => {
    try {
      await next();
    } catch (cause) {
      ctx.status = (cause as ApiError).status;
    }
  });
  app.use(knownHost({ publicUrl }) as Koa.Middleware);
  app.use((ctx) => {
    ctx.status = 204;
  });
  const server = createServer(app.callback()).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  const socket = connect(port, '127.0.0.1');
  const hosts = [host].flat().map((one) => `Host: ${one}\r\n`);
  socket.end(`GET / HTTP/1.${hosts.length > 0 ? 1 : 0}\r\n${hosts.join('')}Connection: close\r\n\r\n`);
  const status = Number((await text(socket)).split(' ')[1]);
  server.close();
  return status;
}

test.each([
  ['desk.example', 204],
  ['Desk.Example', 204],
  // The format of nginx's `$host:$server_port`.
  ['desk.example:443', 204],
  ['127.0.0.1:8080', 204],
  ['[::1]:8080', 204],
  ['localhost:8080', 204],
  ['api:8080', 204],
  ['evil.example', 421],
  ['desk.example.evil.example', 421],
  ['desk.example:8443', 421],
])('with PUBLIC_URL, a request for the host %s gets %d', async (host, status) => {
  expect(await statusFor(host, 'https://desk.example')).toBe(status);
});

test('with PUBLIC_URL, a probe over HTTP/1.0, which names no host, is accepted', async () => {
  expect(await statusFor([], 'https://desk.example')).toBe(204);
});

test('without PUBLIC_URL every host is accepted', async () => {
  expect(await statusFor('anything.example', null)).toBe(204);
});

test.each([null, 'https://desk.example'])(
  'a request with two hosts is refused, with PUBLIC_URL %s',
  async (url) => {
    for (const second of ['desk.example', 'evil.example', ''])
      expect(await statusFor(['desk.example', second], url)).toBe(400);
  },
);
