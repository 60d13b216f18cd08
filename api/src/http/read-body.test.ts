import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { expect, test } from '@jest/globals';
import { readBody } from './read-body.ts';

test('a client that stops sending in the middle of an archive is disconnected', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const sender = connect(port, '127.0.0.1');
  sender.on('error', () => undefined);
  sender.write('POST / HTTP/1.1\r\nHost: desk.example\r\nContent-Length: 1000\r\n\r\n{"records":[');
  const [req] = (await once(server, 'request')) as [IncomingMessage];
  const pieces: string[] = [];
  const read = async () => {
    for await (const piece of readBody({ req }, { maxSilenceMs: 20 })) pieces.push(String(piece));
  };

  await expect(read()).rejects.toMatchObject({ status: 400, error: 'invalid_request' });
  expect(pieces).toEqual(['{"records":[']);
  server.close();
});
