import { readFile } from 'node:fs/promises';
import { createVisitor } from '../../api/src/testing/visitor.ts';
import { expect, test } from './desk-test.ts';
import { importRecords } from './records.ts';
import { applySession } from './visit.ts';

/** One more than the limit of a PDF. */
const COUNT = 5_001;

test('loads and exports thousands of records, and reports that they exceed the limit of a PDF', async ({
  page,
  desk,
}) => {
  const visitor = createVisitor(desk.url);
  await importRecords(visitor, COUNT);
  await applySession(page, desk.url, visitor);
  await page.goto(`${desk.url}/chatbot/history`);
  const list = page.getByRole('region', { name: '记录列表' });
  const rows = list.getByRole('listitem');
  // Scrolling to the end loads another page.
  const atTheEnd = async () => {
    await list.evaluate((element) => element.scrollTo({ top: element.scrollHeight }));
    return rows.last().textContent();
  };
  await expect.poll(atTheEnd, { timeout: 120_000, intervals: [100] }).toContain(`第 ${COUNT - 1} 个问题`);
  expect(await rows.count()).toBeLessThan(60);

  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: '更多' }).click();
  await page.getByRole('menuitem', { name: '导出 JSON' }).click();
  const exported = JSON.parse(await readFile(await (await download).path(), 'utf8')) as {
    records: { question: string }[];
  };
  expect(exported.records.map(({ question }) => Number(/第 (\d+) 个/.exec(question)?.[1]))).toEqual(
    Array.from({ length: COUNT }, (_, n) => n),
  );

  await page.goto(`${desk.url}/chatbot/report`);
  await expect(page.getByText(/^一份 PDF 最多 5,000 条，现在有 5,001 条/)).toBeVisible();
  await expect(page.getByRole('button', { name: /^生成 PDF/ })).toHaveAttribute('aria-disabled', 'true');
  await expect(page.getByRole('heading', { name: '每月咨询' })).toBeVisible();
});
