import { readFile } from 'node:fs/promises';
import { expect, test } from './desk-test.ts';
import { askAs } from './records.ts';
import { openAs } from './visit.ts';

const questions = ['怎样修改密码？', '怎样重命名会话？'];

test('exports all data of an account as JSON and CSV, and restores deleted records by an import', async ({
  page,
  desk,
}) => {
  const visitor = await openAs(page, desk.url, 'takes-along');
  const answers = await askAs(
    visitor,
    questions.map((text) => ({ text })),
  );

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

  for (const { conversationId } of answers)
    expect((await visitor.call('DELETE', `/api/conversations/${conversationId}`)).status).toBe(200);
  await main.getByLabel('导入 JSON').setInputFiles(path);
  await expect(main.getByText('导入完成：2 条已导入，0 条没有变化')).toBeVisible();
  await main.getByLabel('导入 JSON').setInputFiles(path);
  await expect(main.getByText('导入完成：0 条已导入，2 条没有变化')).toBeVisible();

  await page.goto(`${desk.url}/chatbot/index`);
  const side = page.getByRole('complementary');
  for (const question of questions) await expect(side.getByText(question)).toBeVisible();
});
