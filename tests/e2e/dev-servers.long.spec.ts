import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { freePort } from '../start-desk.ts';
import { expect, test } from './desk-test.ts';

/** Each remote as its developers run it (`npm run dev -w mfe-chat`): without host, other remotes and API. */
const root = path.join(import.meta.dirname, '../..');
const REMOTES = ['mfe-auth', 'mfe-chat', 'mfe-records'];

for (const [index, remote] of REMOTES.entries()) {
  const { routes } = JSON.parse(readFileSync(path.join(root, remote, 'desk.json'), 'utf8')) as {
    routes: { path: string }[];
  };
  const paths = routes.map((route) => route.path);

  test(`${remote} starts without the others: ${paths.join(', ')}`, async ({ page }) => {
    const port = await freePort();
    // Ports of remotes follow that of the host.
    const server = await startDevServer(remote, { DEV_PORT: String(port - index - 1) });
    const left: string[] = [];
    page.on('request', (request) => {
      const url = new URL(request.url());
      const isOwn = url.host === `127.0.0.1:${port}` && !/^\/(api|admin|ops)\//.test(url.pathname);
      if (!isOwn && url.protocol.startsWith('http')) left.push(request.url());
    });
    try {
      for (const place of paths) {
        await page.goto(`http://127.0.0.1:${port}${place}`);
        await expect(page.getByRole('heading', { level: 1 }), place).toHaveText(/\p{Script=Han}/u);
        await page.getByRole('button', { name: 'EN: switch to English' }).click();
        await expect(page.getByRole('heading', { level: 1 }), place).not.toHaveText(/\p{Script=Han}/u);
        await expect(page.locator('main#main')).toHaveCount(1);
        // The message about a call without a server; /shared says that its address has no link.
        await expect(page.locator('.failed'), place).toHaveCount(place === '/shared' ? 1 : 0);
      }
      await page.goto(`http://127.0.0.1:${port}/`);
      await expect(page.getByRole('heading', { level: 1 })).not.toBeEmpty();
      // There is no event for "no further request".
      await page.waitForLoadState('networkidle');
    } finally {
      await page.goto('about:blank');
      server.kill('SIGINT');
      await once(server, 'exit');
    }
    expect(left).toEqual([]);
  });
}

/** Resolves when the remote's page is compiled; ends the server if that fails. */
async function startDevServer(remote: string, env: Record<string, string>): Promise<ChildProcess> {
  const rspack = path.join(root, 'node_modules/@rspack/cli/bin/rspack.js');
  const server = spawn(process.execPath, [rspack, 'dev'], {
    cwd: path.join(root, remote),
    env: { ...process.env, NODE_ENV: 'development', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: 150_000,
  });
  let printed = '';
  const compiled = new Promise<void>((resolve, reject) => {
    for (const stream of [server.stdout, server.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        printed += stripVTControlCharacters(text);
        if (printed.includes(`${remote}-alone compiled successfully`)) resolve();
        if (/error/i.test(text)) reject(new Error(printed));
      });
    server.on('exit', (code) => reject(new Error(`rspack dev ended with ${code}:\n${printed}`)));
  });
  try {
    await compiled;
    return server;
  } catch (error) {
    server.kill('SIGKILL');
    throw error;
  }
}
