import type { Page } from 'playwright/test';
import type { DeskRecord } from '../../api/src/contract/records.ts';
import { startProxy } from '../start-proxy.ts';
import { answers, question, questions } from './chat-page.ts';
import { replacingText } from './copy-build.ts';
import { goLive, publish } from './deploy.ts';
import { expect, HINT, test } from './deployed-desk.ts';
import { isStored } from './is-stored.ts';
import { ask, openAs } from './visit.ts';
import { whenAllLoaded } from './when-live.ts';

// Through a proxy that is cut, because `setOffline` also changes what the browser knows of its network.
test.use({ serviceWorkers: 'allow', expectedErrors: /net::ERR_|Failed to fetch/ });

const isOffline = (page: Page) => page.locator('html[data-saved-at]');

/** Resolves when the worker controls the page and has stored it, with all files that it loads until the browser is idle. */
async function whenStored(page: Page): Promise<void> {
  await whenAllLoaded(page);
  await expect.poll(() => isStored(page), { timeout: 60_000 }).toBe(true);
}

/** All that the browser has stored for this origin, as one text. */
function storedTexts(page: Page): Promise<string> {
  return page.evaluate(async () => {
    const texts = [
      JSON.stringify({ ...localStorage }),
      JSON.stringify({ ...sessionStorage }),
      document.cookie,
    ];
    for (const { name } of await indexedDB.databases()) texts.push(`database ${name}`);
    for (const name of await caches.keys()) {
      const cache = await caches.open(name);
      for (const request of await cache.keys())
        texts.push(request.url, (await (await cache.match(request))?.text()) ?? '');
    }
    return texts.join('\n');
  });
}

test('a reload without the server shows the conversation and the draft; a question waits and is sent once; a sign-out leaves nothing', async ({
  page,
  desk,
}) => {
  const proxy = await startProxy(desk.url);
  const visitor = await openAs(page, proxy.url, 'without-server');
  await page.goto(`${proxy.url}/chatbot/index`);
  await ask(page, '删掉的对话还能找回来吗？');
  await question(page).fill('怎么登录？');
  await whenStored(page);
  await expect
    .poll(() => page.evaluate(async () => (await (await caches.open('desk-saved')).keys()).length))
    .toBe(1);

  proxy.cut();
  await page.reload();
  await expect(isOffline(page)).toHaveCount(1);
  await expect(questions(page)).toContainText('删掉的对话还能找回来吗？');
  await expect(answers(page)).toContainText('撤销');
  await expect(page.getByText(/^离线 · 显示的是 .+ 时保存的内容$/)).toBeVisible();
  await expect(question(page)).toHaveValue('怎么登录？');
  await question(page).press('Enter');
  await expect(questions(page).last()).toContainText('没有发出');
  await page.reload();
  await expect(questions(page).last()).toContainText('没有发出');

  proxy.restore();
  await page.getByRole('button', { name: '立即重试' }).first().click();
  await expect(answers(page)).toHaveCount(2);
  await expect(page.getByText(/^离线 ·/)).toHaveCount(0);
  const { body } = await visitor.call<{ records: DeskRecord[] }>('GET', '/api/records');
  expect(body.records.map((record) => record.question)).toEqual(['怎么登录？', '删掉的对话还能找回来吗？']);

  expect(await storedTexts(page)).toContain('删掉的对话还能找回来吗？');
  await page
    .getByRole('button', { name: /账号：/ })
    .first()
    .click();
  await page.getByRole('menuitem', { name: '退出登录' }).click();
  await expect.poll(() => storedTexts(page)).not.toMatch(/删掉的对话|without-server/);
  await proxy.close();
});

test('shows the newest composition that this browser has seen, and nothing once operations have switched it off', async ({
  page,
  desk,
  startAnother,
}) => {
  const proxy = await startProxy(desk.url);
  await page.goto(`${proxy.url}/chatbot/index`);
  await expect(page.getByText(HINT)).toBeVisible();
  await whenStored(page);
  await goLive(desk, await publish(desk, 'mfe-chat', '7.1.0', replacingText(HINT, '离线前的新版')));
  await page.reload();
  await expect(page.getByText('离线前的新版')).toBeVisible();
  await whenStored(page);
  proxy.cut();
  for (let reload = 0; reload < 2; reload += 1) {
    await page.reload();
    await expect(isOffline(page)).toHaveCount(1);
    await expect(page.getByText('离线前的新版')).toBeVisible();
  }

  const withoutWorker = await startAnother({ env: { SERVICE_WORKER: 'off' } });
  // Left before, as the other desk does not have the files that the page would load while idle.
  await page.goto('about:blank');
  proxy.lead(withoutWorker.url);
  proxy.restore();
  await page.goto(`${proxy.url}/chatbot/index`);
  await expect(page.getByText(HINT)).toBeVisible();
  await expect
    .poll(async () => {
      const registrations = await page.evaluate(() => navigator.serviceWorker.getRegistrations());
      return [registrations.length, await page.evaluate(() => caches.keys())];
    })
    .toEqual([0, []]);
  await proxy.close();
});

test('after each of ten deployments five reloads without the server show the new composition @long', async ({
  page,
  desk,
}) => {
  const proxy = await startProxy(desk.url);
  await page.goto(`${proxy.url}/chatbot/index`);
  await whenStored(page);
  for (let deployment = 1; deployment <= 10; deployment += 1) {
    const hint = `第 ${deployment} 次发布`;
    const version = `7.2.${deployment}`;
    await goLive(desk, await publish(desk, 'mfe-chat', version, replacingText(HINT, hint)));
    await page.reload();
    await expect(page.getByText(hint)).toBeVisible();
    await whenStored(page);
    proxy.cut();
    for (let reload = 0; reload < 5; reload += 1) {
      await page.reload();
      await expect(isOffline(page)).toHaveCount(1);
      await expect(page.getByText(hint)).toBeVisible();
    }
    proxy.restore();
  }
  await proxy.close();
});
