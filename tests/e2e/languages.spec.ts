import type { Page } from 'playwright/test';
import { expect, test } from './desk-test.ts';
import { expectToast } from './toasts.ts';
import { whenAllLoaded } from './when-live.ts';

test.use({ locale: 'en-US' });

/** The scripts with texts that the page has requested, as `zh-chat`. */
function watchTexts(page: Page): Set<string> {
  const files = new Set<string>();
  page.on('request', (request) => {
    const [, language, name] = /\/([a-z]{2})-([\w-]+)-json\.[0-9a-f]+\.js/.exec(request.url()) ?? [];
    if (language) files.add(`${language}-${name}`);
  });
  return files;
}

test('a page loads the texts of its language only; a switch loads the others first and keeps what was typed', async ({
  page,
  desk,
}) => {
  const files = watchTexts(page);
  await page.goto(`${desk.url}/chatbot/index`);
  await whenAllLoaded(page);
  expect([...files].filter((name) => !name.startsWith('zh-'))).toEqual([]);
  expect([...files]).toEqual(expect.arrayContaining(['zh-frame', 'zh-first', 'zh-chat']));

  await page.getByPlaceholder('请输入问题').fill('写到一半 half');
  await page.getByRole('button', { name: /switch to English/ }).click();
  await expect(page.getByPlaceholder('Your question')).toHaveValue('写到一半 half');
  const loaded = (language: string) =>
    [...files].filter((name) => name.startsWith(language)).map((name) => name.slice(3));
  expect(loaded('en').sort()).toEqual(loaded('zh').sort());

  // The server knows the choice: its page names the English files.
  files.clear();
  await page.goto(`${desk.url}/chatbot/history`);
  await expect(page.getByRole('heading', { name: 'Records', exact: true })).toBeVisible();
  await whenAllLoaded(page);
  expect([...files].filter((name) => !name.startsWith('en-'))).toEqual([]);
});

for (const screen of ['/history', '/report', '/contacts', '/login', '/test', '/shared'])
  test(`the page of ${screen} names all texts that its first screen loads`, async ({ page, desk }) => {
    const files = watchTexts(page);
    const response = await page.goto(`${desk.url}/chatbot${screen}`);
    const preloaded = [
      ...(await response!.text()).matchAll(/rel="modulepreload" href="[^"]*\/(\w\w-[\w-]+)-json\./g),
    ];
    await expect(page.getByRole('heading').first()).toBeVisible();
    await page.waitForLoadState('networkidle');
    // The frame loads this one when the page is idle.
    files.delete('zh-later');
    expect([...files].sort()).toEqual(preloaded.map(([, name]) => name).sort());
    expect(preloaded.length).toBeGreaterThan(1);
  });

test.describe('offline', () => {
  test.use({ expectedErrors: /ERR_INTERNET_DISCONNECTED .*-json\./ });

  test('a switch without a connection says so and changes nothing', async ({ page, desk, context }) => {
    await page.goto(`${desk.url}/chatbot/index`);
    await whenAllLoaded(page);
    await context.setOffline(true);
    await page.getByRole('button', { name: /switch to English/ }).click();
    await expectToast(page, '连不上服务器，请检查网络后再试');
    await expect(page.locator('html')).toHaveAttribute('lang', 'zh-CN');
    await expect(page.getByPlaceholder('请输入问题')).toBeVisible();
  });
});
