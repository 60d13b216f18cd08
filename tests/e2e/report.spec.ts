import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright/test';
import { checkScreen } from './check-screen.ts';
import { expect, test } from './desk-test.ts';
import { askAs, bringIn } from './records.ts';

const ZHANG = { contact: '138 0013 8000', contactName: '张三' };

const figure = (page: Page, name: string) =>
  page
    .locator('dl > div')
    .filter({ has: page.getByText(name, { exact: true }) })
    .locator('dd')
    .first();
const conditions = (page: Page) => page.getByRole('search', { name: '筛选' });

/** A stranger's first visit, which brings the cookie along. */
async function arrive(page: Page, url: string) {
  await page.goto(`${url}/chatbot/report`);
  await expect(page.getByRole('heading', { name: '还没有可统计的记录' })).toBeVisible();
}

/** The number of records that /history names for the same filter. */
async function foundInHistory(page: Page, url: string, query: string): Promise<string> {
  await page.goto(`${url}/chatbot/history${query}`);
  const count = page.getByText(/^[\d,]+ 条$/).first();
  await expect(count).toBeVisible();
  return (await count.textContent()) ?? '';
}

test('figures agree with /history, lead to it, and go into a PDF', async ({ page, desk }) => {
  await arrive(page, desk.url);
  await bringIn(page, 40);
  await askAs(page, [
    { text: '怎样删除会话？', ...ZHANG },
    { text: '土星有几个环绕它的咖啡馆？', ...ZHANG },
    { text: '有哪些环境变量可以设置？' },
  ]);

  await page.goto(`${desk.url}/chatbot/report`);
  await expect(figure(page, '咨询')).toHaveText('43');
  const unanswered = await figure(page, '未答').textContent();
  expect(await foundInHistory(page, desk.url, '?source=none')).toBe(`${unanswered} 条`);

  await page.goto(`${desk.url}/chatbot/report`);
  await page.getByRole('link', { name: /^张三：看这 \d+ 条记录$/ }).click();
  await expect(page).toHaveURL(/history\?contact=13800138000/);
  await expect(page.getByText('22 条', { exact: true })).toBeVisible();
  await page.goBack();
  await expect(page.getByRole('link', { name: '张三：看这 22 条记录' })).toBeVisible();

  // What is typed becomes conditions, and the figures follow.
  const box = page.getByRole('searchbox', { name: '搜索记录' });
  await box.fill('今天 张三');
  await box.press('Enter');
  await expect(page).toHaveURL(/from=\d{4}-\d\d-\d\d&to=\d{4}-\d\d-\d\d/);
  await expect(page).toHaveURL(/contact=13800138000/);
  await expect(box).toHaveValue('');
  const query = new URL(page.url()).search;
  await expect(figure(page, '咨询')).not.toHaveText('22');
  await expect(page.locator('[aria-busy="true"]')).toHaveCount(0);
  const today = await figure(page, '咨询').textContent();
  expect(await foundInHistory(page, desk.url, query)).toBe(`${today} 条`);
  await page.goto(`${desk.url}/chatbot/report${query}`);
  await conditions(page).getByRole('button', { name: '去掉日期条件' }).click();
  await expect(figure(page, '咨询')).toHaveText('22');

  await page.getByRole('button', { name: '看表格：每日咨询' }).click();
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
  await expect(page.getByText(/^已生成 .+\.pdf$/)).toBeVisible();
});

test('a PDF on its way can be given up', async ({ page, desk }) => {
  await arrive(page, desk.url);
  await bringIn(page, 3);
  await page.route('**/api/generate_pdf', () => undefined);
  await page.goto(`${desk.url}/chatbot/report`);
  await page.getByRole('button', { name: '生成 PDF，共 3 条' }).click();
  await expect(page.getByText('正在生成，已用 1 秒')).toBeVisible();
  await page.getByRole('button', { name: '取消' }).click();
  await expect(page.getByRole('button', { name: '生成 PDF，共 3 条' })).toBeVisible();
});

test('more than one PDF holds is told before anything is made', async ({ page, desk }) => {
  await arrive(page, desk.url);
  await bringIn(page, 5001);
  await page.goto(`${desk.url}/chatbot/report`);
  await expect(page.getByText(/^一份 PDF 最多 5,000 条，现在有 5,001 条/)).toBeVisible();
  await expect(page.getByRole('button', { name: /^生成 PDF/ })).toHaveAttribute('aria-disabled', 'true');
  await expect(page.getByRole('heading', { name: '每月咨询' })).toBeVisible();
});

test('by keyboard alone: conditions, table, PDF', async ({ page, desk }) => {
  await arrive(page, desk.url);
  await bringIn(page, 12);
  await page.goto(`${desk.url}/chatbot/report`);
  await expect(figure(page, '咨询')).toHaveText('12');

  const focused = page.locator(':focus');
  const reach = async (name: RegExp) => {
    for (let step = 0; step < 60; step += 1) {
      await page.keyboard.press('Tab');
      const said = await focused.evaluate(
        (element) => element.getAttribute('aria-label') ?? element.textContent ?? '',
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

  await reach(/^看表格：每日咨询$/);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('table', { name: '每日咨询' }).getByRole('row')).toHaveCount(9);
  await reach(/^生成 PDF，共 6 条$/);
  const [download] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Enter')]);
  expect(download.suggestedFilename()).toMatch(/\.pdf$/);
});

for (const size of [
  { width: 1280, height: 800 },
  { width: 390, height: 844 },
])
  test.describe(`${size.width} px`, () => {
    test.use({ viewport: size });

    test('every state of the report', async ({ page, desk }) => {
      test.setTimeout(120_000);
      await arrive(page, desk.url);
      await bringIn(page, 60);
      await page.goto(`${desk.url}/chatbot/report`);
      await expect(page.getByRole('img', { name: /报告第 2 页/ })).toBeVisible();
      await checkScreen(page, 'report');

      for (const chip of ['联系人', '日期', '来源', '评价']) {
        await conditions(page).getByRole('button', { name: chip, exact: true }).click();
        if (chip === '日期') await expect(page.getByRole('grid')).toBeVisible();
        await checkScreen(page, chip);
        await page.keyboard.press('Escape');
      }
      for (const chart of ['每日咨询', '按联系人', '按来源', '满意度'])
        await page.getByRole('button', { name: `看表格：${chart}` }).click();
      await checkScreen(page, 'tables');

      const box = page.getByRole('searchbox', { name: '搜索记录' });
      await box.fill('上周 退款');
      await expect(page).toHaveURL(/q=/);
      await expect(page.locator('[aria-busy="true"]')).toHaveCount(0);
      await checkScreen(page, 'words with dates');
      await box.fill('没有任何记录有这几个字');
      await expect(page.getByRole('heading', { name: '没有符合条件的记录' })).toBeVisible();
      await checkScreen(page, 'nothing found');
    });
  });
