import path from 'node:path';
import { expect, type Page } from 'playwright/test';
import type { OverrideLink } from '../../api/src/contract/compositions.ts';
import { readBuildToSend } from '../../api/src/releases/publish/read-build.ts';
import { checkScreen } from './check-screen.ts';
import { copyBuild, replacingText } from './copy-build.ts';
import { call } from './deploy.ts';
import { test } from './deployed-desk.ts';
import { watchViolations } from './watch-violations.ts';

// With a real dev server and changes: override.long.spec.ts.
const placeholder = (page: Page, words: string) => page.getByPlaceholder(words);

test.describe('a remote in development on the page of a deployed desk', () => {
  test.use({ expectedErrors: /\/stranger\.js/ });

  test('is shown to visitors who open the link, allows no other origin, and breaks nothing', async ({
    page,
    newVisitor,
    desk,
    team,
  }) => {
    const folder = path.join(team.folder, 'developing');
    await copyBuild('mfe-chat', folder, '3.0.0', replacingText('请输入问题', '请写下问题'));
    const { upload } = await readBuildToSend(folder);
    const { url } = await call<OverrideLink>(desk, 'POST', '/ops/override', {
      author: 'li',
      remote: 'mfe-chat',
      address: `${team.origin}/developing/${upload.entry}`,
    });
    // Another site than that of the dev server (127.0.0.1).
    const deskUrl = desk.url.replace('127.0.0.1', 'localhost');
    await watchViolations(page);

    await page.goto(deskUrl + new URL(url).pathname);
    await expect(page.getByText('runs with your account')).toBeVisible();
    await expect(page.getByRole('definition').getByText('mfe-chat')).toBeVisible();
    await checkScreen(page, 'before a preview');
    expect((await page.context().cookies()).map(({ name }) => name)).not.toContain('desk_override');
    await page.getByRole('button', { name: '用我的账号打开' }).click();
    await expect(placeholder(page, '请写下问题')).toBeVisible();
    const leave = page.getByRole('button', { name: '退出' });
    await expect(leave).toBeVisible();

    const other = await newVisitor();
    await other.goto(`${deskUrl}/chatbot/index`);
    await expect(placeholder(other, '请输入问题')).toBeVisible();

    const stranger = new URL(`${team.origin}/stranger.js`);
    stranger.hostname = 'localhost';
    team.replace('stranger.js', 'globalThis.hasRun = true;');
    team.replace('developing/another.js', 'export {};');
    const importFrom = (address: string) =>
      page.evaluate(
        (address) =>
          import(address).then(
            () => 'ran',
            () => 'refused',
          ),
        address,
      );
    expect(await importFrom(`${team.origin}/developing/another.js`)).toBe('ran');
    expect(await importFrom(stranger.href)).toBe('refused');
    expect(await page.evaluate(() => 'hasRun' in globalThis)).toBe(false);

    // The live release is shown instead of code that does not compile.
    team.replace(`developing/${upload.entry}`, ')(');
    await page.reload();
    await expect(placeholder(page, '请输入问题')).toBeVisible();
    await expect(leave).toBeVisible();
    await leave.click();
    await expect(leave).toHaveCount(0);
    await expect(placeholder(page, '请输入问题')).toBeVisible();
    expect((await page.context().cookies()).map(({ name }) => name)).not.toContain('desk_override');
  });
});

test.describe('an expired link', () => {
  test.use({ expectedErrors: /status of 410 .*\/chatbot\/override\/gone\)/ });

  test('is reported in both languages', async ({ page, desk }) => {
    await watchViolations(page);
    await page.setViewportSize({ width: 390, height: 844 });
    const response = await page.goto(`${desk.url}/chatbot/override/gone`);
    expect(response!.status()).toBe(410);
    await expect(page.getByRole('heading', { name: '预览链接已失效' })).toBeVisible();
    await expect(page.getByRole('heading', { name: 'This preview link no longer works' })).toBeVisible();
    await checkScreen(page, 'an expired link');
    await page.getByRole('link', { name: '打开咨询台' }).click();
    await expect(placeholder(page, '请输入问题')).toBeVisible();
  });
});
