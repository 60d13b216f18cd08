import path from 'node:path';
import { expect, test } from 'playwright/test';
import { compileWithRspack } from '../../api/src/cli/compile-with-rspack.ts';
import { checkInBothThemes } from './check-screen.ts';
import { type FolderServer, serveFolder } from './serve-folder.ts';

const root = path.join(import.meta.dirname, '../..');
const dist = path.join(root, 'host/ui/catalogue/dist');
let server: FolderServer;

test.beforeAll(async () => {
  await compileWithRspack(root)('host/ui/catalogue');
  server = await serveFolder(dist);
});
test.afterAll(() => server.close());

for (const [width, language] of [
  [1280, '中文'],
  [390, 'English'],
] as const)
  test(`the catalogue is accessible in both themes: ${language}, ${width} px`, async ({ page }) => {
    await page.setViewportSize({ width, height: 800 });
    // The server is made for releases and sends HTML as text.
    const html = { path: path.join(dist, 'index.html'), contentType: 'text/html' };
    await page.route(`${server.origin}/`, (route) => route.fulfill(html));
    await page.goto(`${server.origin}/`);
    await page.getByRole('radio', { name: language }).click();
    await expect(page.locator('.recharts-surface')).toHaveCount(3);
    await checkInBothThemes(page, 'catalogue');

    await page.getByRole('button', { name: /^(查看表格: 柱形图|Show table: Columns)$/ }).click();
    await expect(page.getByRole('table', { name: /^(柱形图|Columns)$/ })).toBeVisible();
    await checkInBothThemes(page, 'table of a chart');

    await page.getByRole('button', { name: /^(菜单|Menu)$/ }).click();
    await expect(page.getByRole('menuitem').first()).toBeFocused();
    await checkInBothThemes(page, 'menu');
    await page.keyboard.press('Escape');
    await expect(page.getByRole('button', { name: /^(菜单|Menu)$/ })).toBeFocused();

    const card = page.getByRole('button', { name: /^(弹出卡片|Popover)$/ });
    await card.click();
    await checkInBothThemes(page, 'popover');
    await page.keyboard.press('Escape');
    await expect(card).toBeFocused();

    const dialog = page.getByRole('button', { name: /^(对话框|Dialog)$/ });
    await dialog.click();
    await checkInBothThemes(page, 'dialog');
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await expect(dialog).toBeFocused();
  });
