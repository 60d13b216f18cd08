import { readFile } from 'node:fs/promises';
import AxeBuilder from '@axe-core/playwright';
import type { Page } from 'playwright/test';
import { expect, test } from './desk-test.ts';
import { ask, signUpAndIn } from './visit.ts';

const questions = ['怎样修改密码？', '怎样重命名会话？'];

/** All that is listed, which is `count` conversations. */
async function deleteEverything(page: Page, count: number): Promise<void> {
  const menus = page.getByRole('button', { name: /^更多：/ });
  await expect(menus).toHaveCount(count);
  for (let left = count; left > 0; left -= 1) {
    await menus.first().click();
    const gone = page.waitForResponse((response) => response.request().method() === 'DELETE');
    await page.getByRole('menuitem', { name: '删除会话' }).click();
    expect((await gone).status()).toBe(200);
    await expect(menus).toHaveCount(left - 1);
  }
}

test('what was asked, exported and deleted is there again once it is imported', async ({ page, desk }) => {
  await signUpAndIn(page, desk.url, 'takes-along', 'a-long-password');
  for (const question of questions) {
    await page.goto(`${desk.url}/chatbot/index`);
    await page.getByRole('button', { name: '新咨询' }).click();
    await ask(page, question);
  }

  await page.goto(`${desk.url}/chatbot/account`);
  const main = page.getByRole('main');
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    main.getByRole('button', { name: '导出全部（JSON）' }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/^咨询台数据-\d{4}-\d\d-\d\d\.json$/);
  const path = await download.path();
  const archive = JSON.parse(await readFile(path, 'utf8')) as { records: { question: string }[] };
  expect(archive.records.map(({ question }) => question)).toEqual([...questions].reverse());
  await expect(main.getByRole('status')).toContainText('已保存');

  const [table] = await Promise.all([
    page.waitForEvent('download'),
    main.getByRole('button', { name: '导出 CSV' }).click(),
  ]);
  const text = await readFile(await table.path(), 'utf8');
  expect(text.startsWith('\u{feff}"')).toBe(true);
  for (const question of questions) expect(text).toContain(question);

  await page.goto(`${desk.url}/chatbot/index`);
  await deleteEverything(page, questions.length);

  await page.goto(`${desk.url}/chatbot/account`);
  await main.getByLabel('导入 JSON').setInputFiles(path);
  await expect(main.getByText('导入完成：2 条已导入，0 条没有变化')).toBeVisible();
  await main.getByLabel('导入 JSON').setInputFiles(path);
  await expect(main.getByText('导入完成：0 条已导入，2 条没有变化')).toBeVisible();

  await page.goto(`${desk.url}/chatbot/index`);
  const side = page.getByRole('complementary');
  for (const question of questions) await expect(side.getByText(question)).toBeVisible();
});

test.describe('a file that is no archive', () => {
  // The browser writes every answer of 400 to its console.
  test.use({ expectedErrors: /status of 400/ });

  test('is told so, on a phone as well, where the section is whole to axe', async ({ page, desk }) => {
    await page.setViewportSize({ width: 390, height: 844 });
    await signUpAndIn(page, desk.url, 'wrong-file', 'a-long-password');
    await page.goto(`${desk.url}/chatbot/account`);
    const main = page.getByRole('main');

    await main
      .getByLabel('导入 JSON')
      .setInputFiles({ name: 'notes.json', mimeType: 'application/json', buffer: Buffer.from('{"a":1}') });

    await expect(main.getByRole('alert').filter({ hasText: 'format' })).toBeVisible();
    for (const name of ['导出全部（JSON）', '导出 CSV']) {
      const box = await main.getByRole('button', { name }).boundingBox();
      expect(box?.height).toBeGreaterThanOrEqual(40);
    }
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
    expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([]);
  });
});
