import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright/test';
import { createVisitor } from '../../api/src/testing/visitor.ts';
import { expect, test } from './desk-test.ts';
import { askAs, importRecords } from './records.ts';
import { expectToast } from './toasts.ts';
import { applySession } from './visit.ts';

const ZHANG = { contact: '138 0013 8000', contactName: '张三' };

const figure = (page: Page, name: string) =>
  page
    .locator('dl > div')
    .filter({ has: page.getByText(name, { exact: true }) })
    .locator('dd')
    .first();
const conditions = (page: Page) => page.getByRole('search', { name: '筛选' });

/** The number of records in /history for the same filter. */
async function foundInHistory(page: Page, url: string, query: string): Promise<string> {
  await page.goto(`${url}/chatbot/history${query}`);
  const count = page.getByText(/^[\d,]+ 条$/).first();
  await expect(count).toBeVisible();
  return (await count.textContent()) ?? '';
}

test('figures equal those of /history, link to it, and are part of the PDF', async ({ page, desk }) => {
  const visitor = createVisitor(desk.url);
  await importRecords(visitor, 40);
  await askAs(visitor, [
    { text: '怎样删除会话？', ...ZHANG },
    { text: '土星有几个环绕它的咖啡馆？', ...ZHANG },
    { text: '怎样修改密码？' },
  ]);
  await applySession(page, desk.url, visitor);

  await page.goto(`${desk.url}/chatbot/report`);
  await expect(figure(page, '咨询')).toHaveText('43');
  const unanswered = await figure(page, '未答').textContent();
  expect(await foundInHistory(page, desk.url, '?source=none')).toBe(`${unanswered} 条`);

  await page.goto(`${desk.url}/chatbot/report`);
  await page.getByRole('link', { name: /^张三：查看这 \d+ 条记录$/ }).click();
  await expect(page).toHaveURL(/history#contact=13800138000/);
  await expect(page.getByText('22 条', { exact: true })).toBeVisible();
  await page.goBack();
  await expect(page.getByRole('link', { name: '张三：查看这 22 条记录' })).toBeVisible();

  // Typed text becomes filters, which change the figures.
  const box = page.getByRole('searchbox', { name: '搜索记录' });
  await box.fill('今天 张三');
  await box.press('Enter');
  await expect(page).toHaveURL(/from=\d{4}-\d\d-\d\d&to=\d{4}-\d\d-\d\d/);
  await expect(page).toHaveURL(/contact=13800138000/);
  await expect(box).toHaveValue('');
  const { search, hash } = new URL(page.url());
  const query = search + hash;
  await expect(figure(page, '咨询')).not.toHaveText('22');
  await expect(page.locator('[aria-busy="true"]')).toHaveCount(0);
  const today = await figure(page, '咨询').textContent();
  expect(await foundInHistory(page, desk.url, query)).toBe(`${today} 条`);
  await page.goto(`${desk.url}/chatbot/report${query}`);
  await conditions(page).getByRole('button', { name: '去掉日期条件' }).click();
  await expect(figure(page, '咨询')).toHaveText('22');

  await page.getByRole('button', { name: '查看表格：每日咨询' }).click();
  const cells = page.getByRole('table', { name: '每日咨询' }).getByRole('cell');
  const counts = (await cells.allTextContents()).map(Number);
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(22);

  await page.getByRole('textbox', { name: '标题' }).fill('张三的咨询');
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: '生成 PDF，共 22 条' }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/\.pdf$/);
  const pdf = await readFile(await download.path());
  expect(pdf.subarray(0, 5).toString('latin1')).toBe('%PDF-');
  expect(pdf.subarray(-6).toString('latin1')).toContain('%%EOF');
  await expectToast(page, /^已生成 \d+ 页：.+\.pdf$/);
});

test('previews the PDF: its first pages, masked, and with the typed title', async ({ page, desk }) => {
  const visitor = createVisitor(desk.url);
  await importRecords(visitor, 40);
  await applySession(page, desk.url, visitor);
  await page.goto(`${desk.url}/chatbot/report#contact=13800138000`);
  const preview = page.getByRole('complementary', { name: '报告预览' });
  const first = preview.locator('[data-page="1"]');
  // Its text, for screen readers.
  await expect(first.getByText(/20\s*记录/)).toBeAttached();
  await expect(first).toContainText('138****8000');
  await expect(first).not.toContainText('张三');
  await expect(first.locator('canvas')).toBeVisible();

  await preview.getByRole('switch', { name: /遮盖联系人/ }).click();
  await expect(first).toContainText('张三咨询报告');
  await preview.getByRole('textbox', { name: '标题' }).fill('退款的咨询');
  await expect(first).toContainText('退款的咨询');

  await page.goto(`${desk.url}/chatbot/report`);
  await expect(figure(page, '咨询')).toHaveText('40');
  await expect(preview.getByText('预览到此为止，报告里还有 20 条')).toBeVisible();
  await expect(first).toContainText(/40\s*记录/);
  await preview.getByRole('region', { name: '原页' }).press('ArrowRight');
  await expect(preview.locator('[data-page="2"]')).toContainText('个问题');
});

test('sets filters, reads the table and saves the PDF by keyboard only', async ({ page, desk }) => {
  const visitor = createVisitor(desk.url);
  await importRecords(visitor, 12);
  await applySession(page, desk.url, visitor);
  await page.goto(`${desk.url}/chatbot/report`);
  await expect(figure(page, '咨询')).toHaveText('12');

  const focused = page.locator(':focus');
  const reach = async (name: RegExp) => {
    for (let step = 0; step < 60; step += 1) {
      await page.keyboard.press('Tab');
      const said = await focused.evaluate((element) =>
        // The navigation has a link of the same name.
        element.closest('nav') ? '' : (element.getAttribute('aria-label') ?? element.textContent ?? ''),
      );
      if (name.test(said)) return;
    }
    throw new Error(`no Tab reaches ${name}`);
  };
  await reach(/^联系人$/);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('option', { name: /张三/ })).toBeVisible();
  await page.keyboard.type('张三');
  await expect(page.getByRole('option')).toHaveCount(1);
  await page.keyboard.press('Enter');
  await expect(figure(page, '咨询')).toHaveText('6');

  await reach(/^日期$/);
  await page.keyboard.press('Enter');
  const days = page.getByRole('dialog', { name: '选择日期' });
  await expect(days.getByRole('grid')).toBeVisible();
  await reach(/^(?:今天|已选择)，|^\d{4}年/);
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Enter');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(days).toBeHidden();
  await expect(page).toHaveURL(/from=.+&to=.+/);
  const { from, to } = Object.fromEntries(new URL(page.url()).searchParams);
  expect(Date.parse(to ?? '') - Date.parse(from ?? '')).toBe(7 * 86_400_000);

  await reach(/^查看表格：每日咨询$/);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('table', { name: '每日咨询' }).getByRole('row')).toHaveCount(9);
  await reach(/^生成 PDF，共 6 条$/);
  const [download] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Enter')]);
  expect(download.suggestedFilename()).toMatch(/\.pdf$/);
});

test('prints a chart completely that scrolls on a phone', async ({ page, desk }) => {
  const visitor = createVisitor(desk.url);
  await importRecords(visitor, 150);
  await applySession(page, desk.url, visitor);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`${desk.url}/chatbot/report`);
  const chart = page.getByRole('img', { name: /每日咨询/ });
  const svg = chart.locator('svg').first();
  await expect(chart.locator('rect').last()).toBeAttached();
  expect((await svg.boundingBox())!.width).toBeGreaterThan(390);

  await page.emulateMedia({ media: 'print' });

  const { x, width } = (await svg.boundingBox())!;
  expect(x).toBeGreaterThanOrEqual(0);
  expect(x + width).toBeLessThanOrEqual(390);
  await expect(page.getByRole('complementary', { name: '报告预览' })).toBeHidden();
});
