import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { findFullChromium } from '../find-chromium.ts';
import { expect, test } from './desk-test.ts';
import { expectNoToast, recordToasts } from './toasts.ts';
import { ask, PASSWORD, signedIn, signIn } from './visit.ts';

test('a guest whose browser blocks cookies is told so, instead of a period in which the content is kept', async ({
  desk,
  playwright,
  launchOptions,
}) => {
  const executablePath = findFullChromium();
  test.skip(!executablePath, 'the headless shell has no settings');
  const profile = await mkdtemp(path.join(os.tmpdir(), 'profile-'));
  await mkdir(path.join(profile, 'Default'));
  const preferences = { profile: { default_content_setting_values: { cookies: 2 } } };
  await writeFile(path.join(profile, 'Default/Preferences'), JSON.stringify(preferences));
  const context = await playwright.chromium.launchPersistentContext(profile, {
    ...launchOptions,
    executablePath: executablePath!,
  });
  try {
    await recordToasts(context);
    const page = await context.newPage();
    await page.goto(`${desk.url}/chatbot/index`);
    await expect(page.getByText('浏览器禁用了 Cookie，内容不会保留')).toBeVisible();
    await expect(page.getByText('内容保留')).toHaveCount(0);
    await ask(page, '怎样注册账号？');
    await page.getByPlaceholder('请输入问题').fill('忘记密码怎么办？');
    await page.getByRole('button', { name: '发送' }).click();
    await expect(page.getByRole('log')).toContainText('浏览器禁用了 Cookie，访客的会话无法继续');
    expectNoToast(page, '没有找到这个对话');
  } finally {
    await context.close();
    await rm(profile, { recursive: true });
  }
});

test('a sign-in survives a reload although the storage of the browser is full', async ({ page, desk }) => {
  await signedIn(desk.url, 'full-storage');
  await page.goto(`${desk.url}/chatbot/login`);
  await page.evaluate(() => {
    let text = 'x'.repeat(2 ** 20);
    for (let key = 0; text; key++)
      try {
        localStorage.setItem(`other${key}`, text);
      } catch {
        text = text.slice(0, text.length >> 1);
      }
  });
  await signIn(page, 'full-storage', PASSWORD);
  await page.goto(`${desk.url}/chatbot/account`);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(page).toHaveURL(/\/account$/);
  expectNoToast(page, '登录过期');
});
