import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from 'playwright/test';
import { startProxy } from '../start-proxy.ts';
import { collectReports } from './broken-release.ts';
import { answers, question, questions } from './chat-page.ts';
import { wrappingModule } from './copy-build.ts';
import { goLive, publish } from './deploy.ts';
import { expect, HINT, test } from './deployed-desk.ts';
import { typeEarly } from './early-typing.ts';
import { isStored } from './is-stored.ts';
import { ask, openAs, signUpAndIn } from './visit.ts';

// Runs in Firefox, which keeps the failure of an import() for as long as the page is open.
test.use({
  expectedErrors:
    /hashes in the integrity attribute .*\/mfe-records\/|\/mfe-records\/.* disallowed MIME type/,
  expectedServerErrors: /^503 .*\/mfe-records\//,
});

const RECORDS_ENTRY = /\/mfe-records\/files\/remoteEntry[^/]*\.js$/;
const RECORDS_FILES = /\/mfe-records\/files\/.*\.js$/;
const CHARTS = /\/mfe-records\/files\/charts[^/]*\.js$/;

/** Playwright types what is not on a US keyboard by setting the value, which React does not notice. */
test.beforeEach(({ context }) =>
  context.addInitScript(() => {
    const value = (text: string) => void document.execCommand('insertText', false, text);
    Object.defineProperty(globalThis, '__pw_bidiInsertText', { get: () => value, set: () => undefined });
  }),
);

const rail = (page: Page) => page.getByRole('navigation');
const noRecords = (page: Page) => page.getByText('还没有记录');
const retry = (page: Page) => page.getByRole('button', { name: '重试' });

const notice = (page: Page) =>
  page.getByRole('status').filter({ has: page.getByRole('button', { name: '重试' }) });

async function failures(events: Awaited<ReturnType<typeof collectReports>>) {
  return (await events()).filter(({ kind }) => kind === 'failure');
}

test('signs up and in, asks, opens the cited source, finds the record and reports it as PDF', async ({
  page,
  desk,
}) => {
  await signUpAndIn(page, desk.url, 'firefox-user', 'a-long-password');
  expect(await ask(page, '删掉的对话还能找回来吗？')).toContain('撤销');
  const answer = page.getByRole('article', { name: '咨询台的回答' }).last();
  await answer.getByRole('button', { name: '引用 1' }).first().click();
  await expect(page.getByRole('complementary').locator('mark').first()).toHaveText(/\S{5,}/);
  await page.keyboard.press('Escape');

  await rail(page).getByRole('link', { name: '记录' }).click();
  await expect(page.getByText('删掉的对话还能找回来吗').first()).toBeVisible();
  await rail(page).getByRole('link', { name: '报告' }).click();
  await expect(page.getByRole('heading', { level: 1, name: '报告' })).toBeVisible();
});

test('a remote whose entry fails once opens without a message, and nothing is reported', async ({
  page,
  desk,
}) => {
  let requests = 0;
  await page.route(RECORDS_ENTRY, (route) =>
    requests++ === 0 ? route.fulfill({ status: 503, body: '' }) : route.continue(),
  );
  const events = await collectReports(page);
  await page.goto(`${desk.url}/chatbot/index`);
  await rail(page).getByRole('link', { name: '记录' }).click();
  await expect(noRecords(page)).toBeVisible();
  expect(requests).toBeGreaterThan(1);
  expect(await failures(events)).toEqual([]);
});

test('a remote whose files were dropped opens on retry, and is reported once', async ({ page, desk }) => {
  const events = await collectReports(page);
  await page.goto(`${desk.url}/chatbot/index`);
  await expect(page.getByText(HINT)).toBeVisible();
  await page.route(RECORDS_FILES, (route) => route.abort());
  await rail(page).getByRole('link', { name: '记录' }).click();
  await retry(page).click();
  await expect(retry(page)).toBeVisible();
  await page.unroute(RECORDS_FILES);
  await retry(page).click();
  await expect(noRecords(page)).toBeVisible();
  expect(await failures(events)).toHaveLength(1);
});

test('a file that a screen imports later is loaded by a retry', async ({ page, desk }) => {
  await page.goto(`${desk.url}/chatbot/index`);
  await ask(page, '怎样删除会话？');
  await page.route(CHARTS, (route) => route.abort());
  await rail(page).getByRole('link', { name: '报告' }).click();
  await expect(notice(page)).toContainText('页面有一部分没有加载出来');
  await page.unroute(CHARTS);
  await notice(page).getByRole('button', { name: '重试' }).click();
  await expect(
    page
      .getByRole('region', { name: /每日咨询/ })
      .getByRole('img')
      .first(),
  ).toBeVisible();
  await expect(notice(page)).toHaveCount(0);
});

test('a broken release is replaced by the previous one', async ({ page, desk }) => {
  const broken = wrappingModule('./chat', () => {
    throw new Error('broken on purpose');
  });
  await goLive(desk, await publish(desk, 'mfe-chat', '7.9.0', broken));
  await page.goto(`${desk.url}/chatbot/index`);
  expect(await ask(page, '怎样删除会话？')).toContain('删除');
});

test('40 keys typed from the first paint on are kept, with the focus and the selection', ({ page, desk }) =>
  typeEarly(page, desk));

test('a document that arrives in two parts does not move', async ({ page, desk }) => {
  const html = (await (await fetch(`${desk.url}/chatbot/login`)).text())
    .replace(/<script type="module".*?<\/script>/s, '')
    .replace(/<link rel="(modulepreload|preload)"[^>]*>/g, '');
  const middle = html.indexOf('name="password"');
  const server = http.createServer(async (_, response) => {
    response.setHeader('content-type', 'text/html; charset=utf-8');
    response.write(html.slice(0, middle));
    await sleep(300);
    response.end(html.slice(middle));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  await page.addInitScript(() => {
    const places = new Set<number>();
    Object.assign(globalThis, { places });
    const look = () => {
      const heading = document.querySelector('#root h1');
      if (heading?.checkVisibility({ opacityProperty: true }))
        places.add(heading.getBoundingClientRect().top);
      requestAnimationFrame(look);
    };
    look();
  });
  await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/chatbot/login`);
  await expect(page.getByRole('textbox', { name: '密码' })).toBeVisible();
  const places = () => page.evaluate(() => [...(globalThis as unknown as { places: Set<number> }).places]);
  await expect.poll(async () => (await places()).length).toBeGreaterThan(0);
  expect(await places()).toHaveLength(1);
  server.close();
});

test.describe('without the server', () => {
  test.use({ serviceWorkers: 'allow', expectedErrors: /NetworkError|NS_ERROR|Failed to|fetch/ });

  test('a reload shows the conversation and the draft', async ({ page, desk }) => {
    const proxy = await startProxy(desk.url);
    await openAs(page, proxy.url, 'firefox-without-server');
    await page.goto(`${proxy.url}/chatbot/index`);
    await ask(page, '删掉的对话还能找回来吗？');
    await question(page).fill('怎么登录？');
    await expect.poll(() => isStored(page), { timeout: 60_000 }).toBe(true);
    proxy.cut();
    await page.reload();
    await expect(page.locator('html[data-saved-at]')).toHaveCount(1);
    await expect(questions(page)).toContainText('删掉的对话还能找回来吗？');
    await expect(answers(page)).toContainText('撤销');
    await expect(question(page)).toHaveValue('怎么登录？');
    await proxy.close();
  });
});
