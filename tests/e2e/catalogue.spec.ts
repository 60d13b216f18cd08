import path from 'node:path';
import { expect, test } from 'playwright/test';
import { compileWithRspack } from '../../api/src/cli/compile-with-rspack.ts';
import { checkInBothThemes, checkScreen } from './check-screen.ts';
import { type FolderServer, serveFolder } from './serve-folder.ts';

const root = path.join(import.meta.dirname, '../..');
const dist = path.join(root, 'host/ui/catalogue/dist');
let server: FolderServer;

test.beforeAll(async () => {
  await compileWithRspack(root)('host/ui/catalogue');
  server = await serveFolder(dist);
});
test.afterAll(() => server.close());

for (const { width, language, themes, check, tag } of [
  { width: 1280, language: '中文', themes: 'the light theme', check: checkScreen, tag: [] },
  { width: 1280, language: '中文', themes: 'both themes', check: checkInBothThemes, tag: '@long' },
  { width: 390, language: 'English', themes: 'both themes', check: checkInBothThemes, tag: '@long' },
])
  test(`the catalogue is accessible in ${themes}: ${language}, ${width} px`, { tag }, async ({ page }) => {
    await page.setViewportSize({ width, height: 800 });
    // The server is made for releases and sends HTML as text.
    const html = { path: path.join(dist, 'index.html'), contentType: 'text/html' };
    await page.route(`${server.origin}/`, (route) => route.fulfill(html));
    await page.goto(`${server.origin}/`);
    await page.getByRole('radio', { name: language }).click();
    await expect(page.locator('.recharts-surface')).toHaveCount(3);
    await check(page, 'catalogue');

    await page.getByRole('button', { name: /^(查看表格: 柱形图|Show table: Columns)$/ }).click();
    await expect(page.getByRole('table', { name: /^(柱形图|Columns)$/ })).toBeVisible();
    await check(page, 'table of a chart');

    await page.getByRole('button', { name: /^(菜单|Menu)$/ }).click();
    await expect(page.getByRole('menuitem').first()).toBeFocused();
    await check(page, 'menu');
    await page.keyboard.press('Escape');
    await expect(page.getByRole('button', { name: /^(菜单|Menu)$/ })).toBeFocused();

    const card = page.getByRole('button', { name: /^(弹出卡片|Popover)$/ });
    await card.click();
    await check(page, 'popover');
    await page.keyboard.press('Escape');
    await expect(card).toBeFocused();

    const dialog = page.getByRole('button', { name: /^(对话框|Dialog)$/ });
    await dialog.click();
    await check(page, 'dialog');
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await expect(dialog).toBeFocused();
  });
