import { execFile } from 'node:child_process';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { test as base, expect } from 'playwright/test';
import { type FolderServer, serveFolder } from './serve-folder.ts';

const root = path.join(import.meta.dirname, '../..');
const REMOTES = ['mfe-auth', 'mfe-chat', 'mfe-records'];

/** Serves the page of tests/plain-host with the builds of our remotes beside it, as their teams' static server would. */
const test = base.extend<object, { server: FolderServer }>({
  server: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures from this pattern
    async ({}, use) => {
      const folder = await mkdtemp(path.join(os.tmpdir(), 'plain-host-'));
      const { NODE_ENV: _, ...env } = process.env;
      const program = path.join(root, 'node_modules/@rspack/cli/bin/rspack.js');
      const config = path.join(root, 'tests/plain-host/rspack.config.js');
      await promisify(execFile)(process.execPath, [program, 'build', '--config', config], {
        cwd: root,
        env: { ...env, OUT: folder },
      });
      for (const remote of REMOTES)
        await cp(path.join(root, remote, 'dist'), path.join(folder, remote.replace('-', '_')), {
          recursive: true,
        });
      const server = await serveFolder(folder);
      await use(server);
      await server.close();
      await rm(folder, { recursive: true });
    },
    { scope: 'worker' },
  ],
});

for (const { remote, module, shown } of [
  { remote: 'mfe_auth', module: 'login', shown: '登录' },
  { remote: 'mfe_chat', module: 'chat', shown: '请输入以咨询问题' },
  { remote: 'mfe_records', module: 'history', shown: '记录' },
])
  test(`${remote}/${module} runs in a plain Module Federation host`, async ({ page, server }) => {
    const errors: string[] = [];
    page.on('pageerror', ({ message }) => errors.push(message));
    const body = '<!doctype html><div id="root"></div><script type="module" src="/page.js"></script>';
    await page.route(`${server.origin}/?*`, (route) => route.fulfill({ body, contentType: 'text/html' }));
    await page.goto(`${server.origin}/?remote=${remote}&module=${module}`);
    await expect(page.getByText(shown).first()).toBeVisible();
    expect(errors).toEqual([]);
    // React is that of the page.
    const copies = await page.evaluate(() => {
      const { __FEDERATION__ } = globalThis as unknown as {
        __FEDERATION__: { __INSTANCES__: { name: string; shareScopeMap: { default: { react: object } } }[] };
      };
      return __FEDERATION__.__INSTANCES__.map(({ name, shareScopeMap }) => [
        name,
        Object.keys(shareScopeMap.default.react).length,
      ]);
    });
    expect(copies).toEqual([
      ['plain_host', 1],
      [remote, 1],
    ]);
  });
