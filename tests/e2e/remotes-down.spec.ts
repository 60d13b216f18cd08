import type { Page } from 'playwright/test';
import { expect, test } from './deployed-desk.ts';
import { finishedAnswer } from './visit.ts';

// mfe-auth and mfe-records have no previous release. Remotes with one: broken-releases.spec.ts.
const SCREENS = {
  'mfe-auth': { path: '/login', sign: (page: Page) => page.getByRole('form', { name: '登录' }) },
  'mfe-chat': { path: '/index', sign: (page: Page) => page.getByPlaceholder('请输入问题') },
  'mfe-records': { path: '/history', sign: (page: Page) => page.getByText('还没有记录') },
};

test.describe('remotes without a previous release', () => {
  test.use({
    expectedErrors:
      /status of 404 .*\/releases\/mfe-records\/|'integrity' attribute for resource '[^']*\/releases\/mfe-auth\//,
  });

  test('show a message if they are missing or invalid, while the rest works, and open on retry', async ({
    page,
    desk,
  }) => {
    await page.route(/\/releases\/mfe-records\/.*\.js$/, (route) => route.fulfill({ status: 404, body: '' }));
    await page.route(/\/releases\/mfe-auth\/.*\.js$/, async (route) => {
      const response = await route.fetch();
      const body = await response.body();
      body[Math.floor(body.length / 2)]! ^= 0x15;
      await route.fulfill({ response, body });
    });
    const panel = page.getByRole('alert').filter({ has: page.getByRole('button', { name: '重试' }) });
    for (const remote of ['mfe-records', 'mfe-auth'] as const) {
      await page.goto(`${desk.url}/chatbot${SCREENS[remote].path}`);
      await expect(panel).toContainText(remote);
      await expect(SCREENS[remote].sign(page)).toHaveCount(0);
    }
    await page.goto(`${desk.url}/chatbot${SCREENS['mfe-chat'].path}`);
    await expect(SCREENS['mfe-chat'].sign(page)).toBeVisible();
    await page.getByRole('navigation').getByRole('link', { name: '记录' }).click();
    await expect(panel).toContainText('mfe-records');

    await page.unrouteAll({ behavior: 'wait' });
    await panel.getByRole('button', { name: '重试' }).click();
    await expect(SCREENS['mfe-records'].sign(page)).toBeVisible();
    await expect(panel).toHaveCount(0);
  });
});

test.describe('a missing file that a screen imports later', () => {
  test.use({ expectedErrors: /status of 404 .*\/mfe-chat\/.*\/rest\./ });

  test('is reported, and a question sent meanwhile is asked after a retry', async ({ page, desk }) => {
    const files = /\/mfe-chat\/.*\/rest\.[^/]*\.js$/;
    await page.route(files, (route) => route.fulfill({ status: 404, body: '' }));
    await page.goto(`${desk.url}/chatbot/index`);
    const notice = page.getByRole('status').filter({ has: page.getByRole('button', { name: '重试' }) });
    await expect(notice).toContainText('页面有一部分没有加载出来');
    await page.getByPlaceholder('请输入问题').fill('怎样删除会话？');
    await page.getByPlaceholder('请输入问题').press('Enter');

    await page.unroute(files);
    await notice.getByRole('button', { name: '重试' }).click();
    expect(await finishedAnswer(page)).toContain('删除');
    await expect(notice).toHaveCount(0);
  });
});

test.describe('a host whose scripts fail to load', () => {
  test.use({ expectedErrors: /status of 404 .*\/host\/[^/]*\/main\.[^/]*\.js\)/ });

  test('shows a message with a reload link after a while', async ({ page, desk }) => {
    const scripts = /\/host\/[^/]*\/main\.[^/]*\.js$/;
    await page.route(scripts, (route) => route.fulfill({ status: 404, body: '' }));
    await page.goto(`${desk.url}/chatbot/login`, { waitUntil: 'load' });
    const notice = page.getByText('咨询台暂时打不开');
    const loading = page.getByText('咨询台正在加载');
    await expect(notice).toBeHidden();
    await expect(loading).toBeHidden();
    // The style sheet shows them by delayed animations; this test skips the delays.
    const skipTo = (time: number) =>
      page.evaluate((at) => {
        for (const animation of document.getAnimations()) animation.currentTime = at;
      }, time);
    await skipTo(8_001);
    await expect(loading).toBeVisible();
    await expect(notice).toBeHidden();
    await skipTo(60_001);
    await expect(loading).toBeHidden();
    await expect(notice).toBeVisible();

    await page.unroute(scripts);
    await page.getByRole('link', { name: '刷新' }).click();
    await expect(page.getByRole('form', { name: '登录' })).toBeVisible();
    await expect(notice).toHaveCount(0);
  });
});
