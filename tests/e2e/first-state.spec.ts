import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Locator, Page } from 'playwright/test';
import { gzipSize } from '../bench/page-load.ts';
import { replacingText } from './copy-build.ts';
import { goLive, publish } from './deploy.ts';
import { expect, HINT, test } from './deployed-desk.ts';
import { holdScripts, typeEarly } from './early-typing.ts';
import { shiftsOf, watchShifts } from './layout-shifts.ts';
import { ask } from './visit.ts';

const field = (page: Page) => page.getByPlaceholder('请输入问题');
const firstState = (page: Page) => page.locator('#root[data-first]');

test('40 keys typed from the first paint on are kept, with the focus and the selection', ({ page, desk }) =>
  typeEarly(page, desk));

test('a question submitted while scripts load is asked', async ({ page, desk }) => {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route(/\/mfe-chat\/files\/.*\.js$/, async (route) => {
    await promise;
    await route.continue();
  });
  await page.goto(`${desk.url}/chatbot/index`, { waitUntil: 'load' });
  await field(page).fill('怎么登录？');
  await field(page).press('Enter');
  resolve();
  await expect(page.getByRole('article', { name: '我的问题' })).toContainText('怎么登录？');
});

test('a composition that is replaced between the document and its scripts is shown as in the document', async ({
  page,
  desk,
}) => {
  const goOn = await holdScripts(page);
  await page.goto(`${desk.url}/chatbot/index`, { waitUntil: 'commit' });
  await field(page).fill('typed early');
  await goLive(desk, await publish(desk, 'mfe-chat', '7.6.0', replacingText(HINT, '脚本之前的新版')));
  goOn();
  await expect(firstState(page)).toHaveCount(0);
  await expect(page.getByText(HINT)).toBeVisible();
  await expect(field(page)).toHaveValue('typed early');
  await page.reload();
  await expect(firstState(page)).toHaveCount(0);
  await expect(page.getByText('脚本之前的新版')).toBeVisible();
  await expect(field(page)).toHaveValue('typed early');
});

test('words typed into the search of /history before the scripts are searched for', async ({
  page,
  desk,
}) => {
  // Without records there is nothing to search.
  await page.goto(`${desk.url}/chatbot/index`);
  await ask(page, '怎么登录？');
  const goOn = await holdScripts(page);
  await page.goto(`${desk.url}/chatbot/history`, { waitUntil: 'commit' });
  await page.getByRole('searchbox').fill('怎么登录？');
  goOn();
  await expect(page).toHaveURL(/#q=/);
  await expect(page.getByRole('searchbox')).toHaveValue('怎么登录？');
});

for (const path of ['/index', '/login', '/history', '/report', '/contacts'])
  for (const width of [1280, 390])
    test(`${path} at ${width} px shows its frame before scripts, and nothing moves when they run`, async ({
      newVisitor,
      desk,
    }) => {
      const page = await newVisitor({ viewport: { width, height: 800 } });
      const goOn = await holdScripts(page);
      await watchShifts(page);
      await page.goto(`${desk.url}/chatbot${path}`, { waitUntil: 'commit' });
      await expect(page.getByRole('main')).toBeVisible();
      await expect(page.getByRole('button', { name: /switch to English/ })).toBeVisible();
      const places: Record<string, Locator> = {
        '/index': field(page),
        '/login': page.getByRole('textbox', { name: '用户名' }),
      };
      // Without records, the filters disappear as soon as that is known.
      const place = places[path] ?? page.getByRole('heading', { level: 1 });
      const before = await place.boundingBox();
      if (path !== '/login') await expect(page.getByRole('navigation').getByRole('listitem')).toHaveCount(4);
      goOn();
      await expect(firstState(page)).toHaveCount(0);
      await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible();
      expect(await shiftsOf(page)).toEqual([]);
      // What is replaced by another element is not counted as a shift.
      expect(await place.boundingBox()).toEqual(before);
    });

test('at most 112 KB of scripts, after gzip, are loaded before they own the text field', async ({
  page,
  desk,
}) => {
  await page.addInitScript(() => {
    new MutationObserver((_, observer) => {
      if (document.querySelector('#root[data-first]')) return;
      observer.disconnect();
      const files = performance.getEntriesByType('resource').map(({ name }) => name);
      Object.assign(globalThis, { scripts: files.filter((name) => name.endsWith('.js')) });
    }).observe(document, { subtree: true, attributeFilter: ['data-first'] });
  });
  await page.goto(`${desk.url}/chatbot/index`);
  await expect(firstState(page)).toHaveCount(0);
  const scripts = await page.evaluate(() => (globalThis as unknown as { scripts: string[] }).scripts);
  const sizes = await Promise.all(scripts.map(gzipSize));
  expect(scripts.length).toBeGreaterThan(3);
  const sum = sizes.reduce((total, size) => total + size, 0);
  expect(sum, scripts.map((name, at) => `${sizes[at]} ${name}`).join('\n')).toBeLessThanOrEqual(112_000);
});

test.describe('a slow document', () => {
  test.use({ expectedErrors: /net::ERR_FAILED|Failed to fetch|integrity/ });

  test('a document that arrives in two parts does not move', async ({ page, desk }) => {
    const html = await (await fetch(`${desk.url}/chatbot/login`)).text();
    const server = http.createServer(async (_, response) => {
      response.setHeader('content-type', 'text/html; charset=utf-8');
      const middle = html.indexOf('name="password"');
      response.write(html.slice(0, middle));
      await sleep(1000);
      response.end(html.slice(middle));
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    await watchShifts(page);
    // Its scripts are not there: only the document is of interest.
    await page.route(/\/files\//, (route) => route.abort());
    await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/chatbot/login`, {
      waitUntil: 'load',
    });
    await expect(page.getByRole('textbox', { name: '密码' })).toBeVisible();
    expect(await shiftsOf(page)).toEqual([]);
    server.close();
  });
});

test('the first byte has the chosen language and theme', async ({ page, desk }) => {
  await page.goto(`${desk.url}/chatbot/index`);
  await page.getByRole('button', { name: '外观' }).click();
  await page.getByRole('menuitemradio', { name: '深色' }).click();
  await page.getByRole('button', { name: /switch to English/ }).click();
  await expect(page.getByPlaceholder('Your question')).toBeVisible();
  const response = await page.reload();
  const html = (await response?.text()) ?? '';
  expect(html).toContain('<html lang="en" data-theme="dark"');
  expect(html).toContain('placeholder="Your question"');
});

test.describe('a screen that fails to load', () => {
  test.use({ expectedErrors: /net::ERR_FAILED|Failed to fetch/ });

  test('what was typed is kept when the screen fails to load', async ({ page, desk }) => {
    const goOn = await holdScripts(page);
    await page.route(/\/mfe-chat\/.*\.js$/, (route) => route.abort());
    await page.goto(`${desk.url}/chatbot/index`, { waitUntil: 'commit' });
    await field(page).fill('typed early');
    goOn();
    const retry = page.getByRole('button', { name: '重试' });
    await expect(retry).toBeVisible();
    await page.unroute(/\/mfe-chat\/.*\.js$/);
    await retry.click();
    await expect(field(page)).toHaveValue('typed early');
  });
});

test('without JavaScript: asks, reads the answer, signs up and in', async ({ newVisitor, desk }) => {
  const page = await newVisitor({ javaScriptEnabled: false });
  await page.goto(`${desk.url}/chatbot/index`, { waitUntil: 'commit' });
  await field(page).fill('删掉的对话还能找回来吗？');
  await page.getByRole('button', { name: '发送' }).click();
  await expect(page.getByRole('heading', { name: '删掉的对话还能找回来吗？' })).toBeVisible();
  await expect(page.getByRole('article')).toContainText('撤销');
  await expect(page.getByRole('listitem').first()).toContainText(/\S{5,}/);

  const credentials = { username: 'without-scripts', password: 'a-long-password' };
  for (const [path, button] of [
    ['register', '注册'],
    ['login', '登录'],
  ] as const) {
    await page.goto(`${desk.url}/chatbot/${path}`, { waitUntil: 'commit' });
    await page.getByRole('textbox', { name: '用户名' }).fill(credentials.username);
    await page.getByRole('textbox', { name: '密码' }).fill(credentials.password);
    await page.getByRole('button', { name: button, exact: true }).click();
    await expect(page.getByRole('heading', { level: 1 })).toContainText(credentials.username);
  }
});

test('a sign-in that was submitted before the scripts is one for the scripts, too', async ({
  newVisitor,
  desk,
}) => {
  const page = await newVisitor();
  const goOn = await holdScripts(page);
  await page.goto(`${desk.url}/chatbot/register`, { waitUntil: 'commit' });
  await page.getByRole('textbox', { name: '用户名' }).fill('before-scripts');
  await page.getByRole('textbox', { name: '密码' }).fill('a-long-password');
  await page.getByRole('button', { name: '注册', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1 })).toContainText('before-scripts');
  goOn();
  await page.getByRole('link', { name: '打开咨询台' }).click();
  await expect(page.getByRole('button', { name: /before-scripts/ }).first()).toBeVisible();
});
