import { expect, type Page } from 'playwright/test';
import type { OverrideLink } from '../../api/src/contract/compositions.ts';
import { type Desk, freePort } from '../start-desk.ts';
import { test } from './desk-test.ts';
import { serveFolder } from './serve-folder.ts';
import { type RemoteDevServer, startDevServerOf } from './start-dev-server.ts';
import { watchViolations } from './watch-violations.ts';

const OPS_TOKEN = 'the-token-of-operations';
/** A host name other than the developer's: a same-site test would prove little. */
const DESK_HOST = 'desk.example';
const TEXTS = 'locales/zh/first.json';

/** The desk is served neither from localhost nor over HTTPS. */
const UNTRUSTWORTHY = /Cross-Origin-Opener-Policy header has been ignored.*desk\.example/;
/** Message of the dev server in the page about sources that do not compile. */
const COMPILING =
  /^console: \[rspack-dev-server\] (Errors while compiling|ERROR in \.\/locales\/zh\/first\.json)/;
/** The dev server has ended, perhaps while the page still fetched files that it needs later. */
const LEAVING =
  /(ERR_CONNECTION_\w+|ERR_SOCKET_NOT_CONNECTED|ERR_INCOMPLETE_CHUNKED_ENCODING|ERR_EMPTY_RESPONSE) \(http:\/\/127\.0\.0\.1:\d+\/|WebSocket connection to 'ws:\/\/127\.0\.0\.1|^console: \[rspack-dev-server\] Event/;

test.use({
  launchOptions: async ({ launchOptions }, use) => {
    await use({
      ...launchOptions,
      args: [...(launchOptions.args ?? []), `--host-resolver-rules=MAP ${DESK_HOST} 127.0.0.1`],
    });
  },
});

/** A deployed desk that allows overrides from the dev server of mfe-chat. */
async function deployed(
  startAnother: (options: { port: number; env: Record<string, string> }) => Promise<Desk>,
): Promise<{ desk: Desk; seen: string; devServer: RemoteDevServer }> {
  const port = await freePort();
  const seen = `http://${DESK_HOST}:${port}`;
  const devServer = await startDevServerOf('mfe-chat', seen);
  const desk = await startAnother({
    port,
    env: { OPS_TOKEN, RELEASE_ORIGINS: devServer.origin, PUBLIC_URL: seen },
  });
  return { desk, seen, devServer };
}

async function linkTo(desk: Desk, devServer: RemoteDevServer): Promise<string> {
  const response = await fetch(`${desk.url}/ops/override`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${OPS_TOKEN}` },
    body: JSON.stringify({
      author: 'li',
      remote: 'mfe-chat',
      address: `${devServer.origin}/remoteEntry.js`,
    }),
  });
  expect(response.status).toBe(201);
  return ((await response.json()) as OverrideLink).url;
}

const says = (page: Page, words: string) => expect(page.getByPlaceholder(words)).toBeVisible();

test.describe('a remote in development on the page of a deployed desk', () => {
  test.use({
    expectedErrors: new RegExp(`${UNTRUSTWORTHY.source}|${COMPILING.source}|${LEAVING.source}`),
  });

  test('is shown to visitors who open the link, is updated after changes, and breaks nothing', async ({
    page,
    newVisitor,
    startAnother,
  }) => {
    const { desk, seen, devServer } = await deployed(startAnother);
    try {
      await devServer.edit(TEXTS, (text) => text.replace('请输入问题', '请写下问题'));
      await watchViolations(page);
      await page.goto(await linkTo(desk, devServer));
      await page.getByRole('button', { name: '用我的账号打开' }).click();
      await says(page, '请写下问题');
      const banner = page.getByRole('button', { name: '退出' });
      await expect(banner).toBeVisible();

      const other = await newVisitor();
      await other.goto(`${seen}/chatbot/index`);
      await says(other, '请输入问题');

      // A change reloads the page; the typed text stays.
      await page.getByPlaceholder('请写下问题').fill('还没有问出的问题');
      await expect
        .poll(() => page.evaluate(() => JSON.stringify(localStorage).includes('还没有问出的问题')))
        .toBe(true);
      await devServer.edit(TEXTS, (text) => text.replace('请写下问题', '请再写一次'));
      await says(page, '请再写一次');
      await expect(page.getByPlaceholder('请再写一次')).toHaveValue('还没有问出的问题');

      // The live release is shown while the sources do not compile.
      await devServer.edit(TEXTS, (text) => `${text}\n)(`);
      await page.reload();
      await says(page, '请输入问题');
      await expect(banner).toBeVisible();
      await devServer.edit(TEXTS, (text) => text.replace('\n)(', '').replace('请再写一次', '请写好了'));
      await says(page, '请写好了');

      // The page still works after the dev server has ended.
      await devServer.close();
      await page.reload();
      await says(page, '请输入问题');
      await banner.click();
      await says(page, '请输入问题');
      await expect(banner).toHaveCount(0);
      expect((await page.context().cookies()).map(({ name }) => name)).not.toContain('desk_override');
    } finally {
      await devServer.close();
    }
  });
});

test.describe('its policy', () => {
  test.use({
    expectedErrors: new RegExp(`${UNTRUSTWORTHY.source}|${LEAVING.source}|\\/stranger\\.js`),
  });

  test('allows only the origin of the dev server', async ({ page, startAnother }) => {
    const { desk, devServer } = await deployed(startAnother);
    const stranger = await serveFolder(import.meta.dirname);
    stranger.replace('stranger.js', 'globalThis.hasRun = true;');
    try {
      await watchViolations(page);
      await page.goto(await linkTo(desk, devServer));
      await page.getByRole('button', { name: '用我的账号打开' }).click();
      await says(page, '请输入问题');
      const outcome = await page.evaluate(
        (address) =>
          import(address).then(
            () => 'ran',
            () => 'refused',
          ),
        `${stranger.origin}/stranger.js`,
      );
      expect(outcome).toBe('refused');
      expect(await page.evaluate(() => 'hasRun' in globalThis)).toBe(false);
      // Requests of the screen would fail when the server ends.
      await page.goto('about:blank');
    } finally {
      await stranger.close();
      await devServer.close();
    }
  });
});
