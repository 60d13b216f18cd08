import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from '@jest/globals';
import Koa from 'koa';
import { createLog } from '../../http/create-log.ts';
import type { DeskMiddleware, DeskState } from '../../http/desk-state.ts';
import { writeErrors } from '../../http/error-body.ts';
import { until } from '../../testing/until.ts';
import { createPdfRoutes } from '../record-routes.ts';

test('at most 32 reports at a time, two per owner', async () => {
  let begun = 0;
  const reports = {
    make: (...[, , , { signal }]: Parameters<Parameters<typeof createPdfRoutes>[0]['make']>) =>
      new Promise<never>((_resolve, reject) => {
        begun += 1;
        signal.addEventListener('abort', () => reject(signal.reason), { once: true });
      }),
  };
  const identify: DeskMiddleware = (ctx, next) => {
    ctx.state.owner = ctx.get('Owner');
    ctx.state.language = 'en';
    return next();
  };
  const limit = { take: () => Promise.resolve() };
  const app = new Koa<DeskState>();
  app.on('error', () => undefined);
  app.use(writeErrors(createLog('silent')));
  app.use(identify);
  app.use(createPdfRoutes(reports, { pdf: limit, preview: limit }).routes());
  const server = createServer(app.callback());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const leaving = new AbortController();
  const make = (owner: string) =>
    fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/api/generate_pdf`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Owner: owner },
      body: JSON.stringify({ filter: {} }),
      signal: leaving.signal,
    });
  try {
    const all = [make('user:1'), make('user:1')];
    await until(() => begun >= 2);
    expect((await make('user:1')).status).toBe(429);
    for (let at = 2; at < 32; at += 1) all.push(make(`user:${at}`));
    await until(() => begun >= 32);
    expect((await make('user:99')).status).toBe(503);
    leaving.abort();
    await Promise.allSettled(all);
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});
