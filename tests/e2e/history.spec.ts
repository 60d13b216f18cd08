import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright/test';
import { createVisitor, type Visitor } from '../../api/src/testing/visitor.ts';
import { expect, test } from './desk-test.ts';
import { askAs, importRecords } from './records.ts';
import { expectToast } from './toasts.ts';
import { applySession } from './visit.ts';

const list = (page: Page) => page.getByRole('region', { name: '记录列表' });
const rows = (page: Page) => list(page).getByRole('listitem');
const count = (page: Page, text: string) => page.getByText(text, { exact: true });
const eraseDialog = (page: Page) => page.getByRole('dialog', { name: '删除记录' });
const focused = (page: Page) => page.locator(':focus');

const ZHANG = { contact: '+86 138-0013-8000', contactName: '张三' };

/** Opens /history as a guest whose records were created by `prepare`. */
async function openHistory(page: Page, url: string, prepare: (visitor: Visitor) => Promise<unknown>) {
  const visitor = createVisitor(url);
  await prepare(visitor);
  await applySession(page, url, visitor);
  await page.goto(`${url}/chatbot/history`);
  return visitor;
}

test('finds and highlights records, deletes by contact, and undoes it in the toast and in the bin', async ({
  page,
  desk,
}) => {
  await openHistory(page, desk.url, (visitor) =>
    askAs(visitor, [
      { text: '怎样删除会话？' },
      { text: '怎样删除一条记录？', ...ZHANG },
      { text: '怎样修改密码？', ...ZHANG },
    ]),
  );
  await expect(count(page, '3 条')).toBeVisible();
  await page.getByRole('searchbox', { name: '搜索记录' }).fill('删除');
  await expect(page).toHaveURL(/q=/);
  await expect(rows(page).first().locator('mark').first()).toHaveText('删除');
  await expect(page.getByRole('article', { name: '记录详情' }).locator('mark').first()).toHaveText('删除');
  await page.goto(`${desk.url}/chatbot/history`);

  const erase = async () => {
    await page.getByRole('button', { name: '更多' }).click();
    await page.getByRole('menuitem', { name: '按联系人删除…' }).click();
    await eraseDialog(page)
      .getByRole('textbox', { name: /联系人号码、邮箱或名字/ })
      .fill('张三');
    const action = eraseDialog(page).getByRole('button', { name: '删除 2 条' });
    await expect(action).toHaveAttribute('aria-disabled', 'true');
    await eraseDialog(page)
      .getByRole('textbox', { name: /以确认/ })
      .fill('138 0013 8000');
    await action.click();
    await expectToast(page, '已删除 2 条，7 天内可撤销');
    await expect(count(page, '1 条')).toBeVisible();
  };
  await erase();
  await page.getByRole('button', { name: '撤销' }).click();
  await expectToast(page, '已恢复 2 条');
  await expect(count(page, '3 条')).toBeVisible();
  await expect(rows(page)).toHaveCount(3);

  await erase();
  await page.reload();
  await expect(count(page, '1 条')).toBeVisible();
  await page.getByRole('link', { name: '回收站' }).click();
  await expect(page).toHaveURL(/bin=1/);
  const bin = page.getByRole('dialog', { name: '回收站' });
  await expect(bin.getByRole('listitem')).toContainText('联系人 张三 138 0013 8000 2 条');
  await bin.getByRole('button', { name: /^撤销：/ }).click();
  await expect(bin.getByText('回收站是空的')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page).not.toHaveURL(/bin=1/);
  await expect(rows(page)).toHaveCount(3);
});

test('moves through the list, selects, deletes and undoes by keyboard only', async ({ page, desk }) => {
  await openHistory(page, desk.url, (visitor) => importRecords(visitor, 30));
  await expect(count(page, '30 条')).toBeVisible();

  await page.locator('#main').focus();
  await tabTo(page, '[data-record]');
  const begun = await focused(page).getAttribute('data-record');
  await page.keyboard.press('ArrowDown');
  await expect(focused(page)).not.toHaveAttribute('data-record', begun ?? '');
  await page.keyboard.press('Space');
  await page.keyboard.press('Shift+ArrowDown');
  await page.keyboard.press('Shift+ArrowDown');
  await expect(page.getByRole('toolbar', { name: '所选记录' })).toContainText('已选 3 条');
  await page.keyboard.press('End');
  await expect(rows(page).last().getByRole('link')).toBeFocused();
  await expect(rows(page).last()).toContainText('第 29 个问题');
  await page.keyboard.press('Delete');
  await expect(eraseDialog(page).getByRole('button', { name: '删除 3 条' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(eraseDialog(page)).toBeHidden();
  await expect(rows(page).last().getByRole('link')).toBeFocused();

  await page.keyboard.press('Delete');
  await expect(eraseDialog(page).getByRole('button', { name: '删除 3 条' })).toBeVisible();
  await tabTo(page, '.button.danger');
  await page.keyboard.press('Enter');
  await expect(count(page, '27 条')).toBeVisible();
  await expect(focused(page)).toHaveAttribute('data-record', /./);
  await tabTo(page, '.toast .button');
  await page.keyboard.press('Enter');
  await expect(count(page, '30 条')).toBeVisible();
});

// Thousands of records: history.long.spec.ts.
test('keeps the scroll position of a long list; selects, exports, permanently deletes and imports all records', async ({
  page,
  desk,
}) => {
  const visitor = await openHistory(page, desk.url, (someone) => importRecords(someone, 150));
  await expect(count(page, '150 条')).toBeVisible();
  await list(page).evaluate((element) => element.scrollTo({ top: 1500 }));
  await expect.poll(async () => (await firstInSight(page))[0]).toContain('第 1');
  const before = await firstInSight(page);
  await askAs(visitor, [{ text: '在另一个标签页里问的' }]);
  await page.evaluate(() => window.dispatchEvent(new Event('focus')));
  await expect(count(page, '151 条')).toBeVisible();
  expect(await firstInSight(page)).toEqual(before);
  expect(await rows(page).count()).toBeLessThan(60);

  const exported = await exportAll(page);
  expect(exported.records).toHaveLength(151);
  await page.getByRole('checkbox', { name: '选择找到的全部记录' }).check();
  await expect(page.getByRole('toolbar', { name: '所选记录' })).toContainText('已选 151 条');
  await page.getByRole('toolbar').getByRole('button', { name: '删除' }).click();
  await eraseDialog(page).getByRole('textbox', { name: '输入条数 151 以确认' }).fill('151');
  await eraseDialog(page).getByRole('button', { name: '删除 151 条' }).click();
  await expect(page.getByRole('heading', { name: '还没有记录' })).toBeVisible();
  await page.getByRole('link', { name: '回收站' }).click();
  const bin = page.getByRole('dialog', { name: '回收站' });
  await bin.getByRole('button', { name: /^彻底清除/ }).click();
  await bin.getByRole('textbox', { name: '输入条数 151 以确认' }).fill('151');
  await page.keyboard.press('Enter');
  await expect(bin.getByText('回收站是空的')).toBeVisible();
  await page.keyboard.press('Escape');

  await page.getByRole('button', { name: '更多' }).click();
  await page.getByRole('menuitem', { name: '导入…' }).click();
  const dialog = page.getByRole('dialog', { name: '导入记录' });
  await dialog.getByLabel('选择文件').setInputFiles(exported.path);
  await dialog.getByRole('button', { name: '导入 151 条' }).click();
  await expect(dialog.getByText('导入完成')).toBeVisible();
  // Once, on a busy machine, the first click had no effect; the cause is not known.
  await expect(async () => {
    const close = dialog.getByRole('button', { name: '关闭' }).last();
    if (await close.isVisible()) await close.click();
    await expect(dialog).toBeHidden({ timeout: 10_000 });
  }).toPass();
  await expect(count(page, '151 条')).toBeVisible();
  expect((await exportAll(page)).records).toEqual(exported.records);
});

test('restores the scroll position after a visit to a conversation; an address opens its record', async ({
  page,
  desk,
}) => {
  await openHistory(page, desk.url, (visitor) => importRecords(visitor, 150));
  await expect(count(page, '150 条')).toBeVisible();
  const row = rows(page).filter({ hasText: '第 95 个问题' });
  // Further records are loaded meanwhile.
  await expect(async () => {
    await list(page).evaluate((element) => element.scrollTo({ top: 8000 }));
    await expect(row).toBeInViewport({ timeout: 500 });
  }).toPass();
  await row.getByRole('link').click();
  await expect(page).toHaveURL(/r=/);
  const before = await firstInSight(page);
  await page.getByRole('link', { name: '打开会话' }).click();
  await expect(page).toHaveURL(/index/);
  const marked = page.locator('[data-marked]').first();
  const background = () => marked.evaluate((element) => getComputedStyle(element).backgroundColor);
  await expect(marked).toBeVisible();
  await marked.evaluate((element) => {
    for (const animation of element.getAnimations()) animation.pause();
    for (const animation of element.getAnimations()) animation.currentTime = 0;
  });
  expect(await background()).not.toBe('rgba(0, 0, 0, 0)');
  await marked.evaluate((element) => {
    for (const animation of element.getAnimations()) animation.finish();
  });
  expect(await background()).toBe('rgba(0, 0, 0, 0)');

  await page.goBack();
  await expect(row).toBeInViewport();
  await expect.poll(() => firstInSight(page)).toEqual(before);

  await page.reload();
  await expect(row).toBeInViewport();
});

test('prints the whole list and record in light colours without controls', async ({ page, desk }) => {
  await page.emulateMedia({ colorScheme: 'dark' });
  await openHistory(page, desk.url, (visitor) => importRecords(visitor, 40));
  await expect(count(page, '40 条')).toBeVisible();
  const ink = () => page.evaluate(() => getComputedStyle(document.body).color);
  const dark = await ink();

  await page.evaluate(() => window.dispatchEvent(new Event('beforeprint')));
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' });

  expect(await ink()).not.toBe(dark);
  await expect(page.getByRole('navigation')).toBeHidden();
  await expect(page.getByRole('searchbox')).toBeHidden();
  await expect(page.getByRole('button')).toHaveCount(0);
  await expect(page.getByRole('checkbox')).toHaveCount(0);
  const bottom = await rows(page).last().boundingBox();
  const record = await page.getByRole('article', { name: '记录详情' }).boundingBox();
  await expect(rows(page)).toHaveCount(40);
  expect(record!.y).toBeGreaterThan(bottom!.y);
  const cut = await page.evaluate(
    () =>
      [...document.querySelectorAll('#main, #main *')].filter(
        (element) =>
          element.scrollHeight > element.clientHeight + 1 &&
          getComputedStyle(element).overflowY !== 'visible',
      ).length,
  );
  expect(cut).toBe(0);
});

test('the layout does not shift when records or the bin are loaded', { tag: '@long' }, async ({
  page,
  desk,
}) => {
  await page.addInitScript(() => {
    const moved: number[] = [];
    Object.assign(window, { moved });
    new PerformanceObserver((list) => {
      for (const { value, sources } of list.getEntries() as unknown as LayoutShift[])
        if (sources.some(({ node }) => node?.closest('#main, dialog'))) moved.push(value);
    }).observe({ type: 'layout-shift', buffered: true });
  });
  await openHistory(page, desk.url, async (visitor) => {
    await importRecords(visitor, 20);
    for (const { conversationId } of await askAs(visitor, [{ text: '一' }, { text: '二' }]))
      await visitor.call('DELETE', `/api/conversations/${conversationId}`);
  });
  for (const width of [1280, 390]) {
    await page.setViewportSize({ width, height: 844 });
    await page.goto(`${desk.url}/chatbot/history`);
    await expect(count(page, '20 条')).toBeVisible();
    await page.goto(`${desk.url}/chatbot/history?bin=1`);
    await expect(page.getByRole('dialog').getByRole('listitem')).toHaveCount(2);
    const moved = await page.evaluate(() => (window as unknown as { moved: number[] }).moved);
    expect(moved.reduce((sum, value) => sum + value, 0)).toBeLessThanOrEqual(0.02);
  }
});

test.describe('on a phone', () => {
  test.use({
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    expectedErrors: /status of 409 .*\/api\/(delete_by_contact|search)\)/,
  });

  test('the record covers the list until it is closed; an ambiguous name is asked about', async ({
    page,
    desk,
  }) => {
    await openHistory(page, desk.url, (visitor) =>
      askAs(visitor, [
        { text: '怎样删除会话？', contact: '13800138000', contactName: '李四' },
        { text: '怎样修改密码？', contact: '13900139000', contactName: '李四' },
      ]),
    );
    const record = page.getByRole('article', { name: '记录详情' });
    await expect(page.getByRole('link', { name: '怎样删除会话？' })).toBeVisible();
    await expect(record).toBeHidden();

    await page.getByRole('link', { name: '怎样删除会话？' }).tap();
    await expect(record.getByRole('heading', { name: '怎样删除会话？' })).toBeVisible();
    await expect(record.getByRole('link', { name: '返回列表' })).toBeFocused();
    await page.goBack();
    await expect(record).toBeHidden();
    await expect(page.getByRole('link', { name: '怎样删除会话？' })).toBeFocused();

    await page.getByRole('button', { name: '更多' }).tap();
    await page.getByRole('menuitem', { name: '按联系人删除…' }).tap();
    await eraseDialog(page).getByRole('textbox').fill('李四');
    await expect(eraseDialog(page).getByText('这个名字有几位联系人，请选一位')).toBeVisible();
    await eraseDialog(page)
      .getByRole('button', { name: /139 0013 9000/ })
      .tap();
    await eraseDialog(page)
      .getByRole('textbox', { name: /以确认/ })
      .fill('13900139000');
    await eraseDialog(page).getByRole('button', { name: '删除 1 条' }).tap();
    await expect(count(page, '1 条')).toBeVisible();
  });
});

test('saves a record as a PDF in which no line starts with a citation number; Esc closes one layer at a time', async ({
  page,
  desk,
}) => {
  await openHistory(page, desk.url, (visitor) => askAs(visitor, [{ text: '怎样删除会话？' }]));
  const record = page.getByRole('article', { name: '记录详情' });
  const download = page.waitForEvent('download');
  await record.getByRole('button', { name: 'PDF' }).click();
  const file = await download;
  expect(file.suggestedFilename()).toMatch(/\.pdf$/);
  expect((await readFile(await file.path())).subarray(0, 5).toString()).toBe('%PDF-');

  await page.getByRole('button', { name: '更多' }).click();
  await page.getByRole('menuitem', { name: '按日期删除…' }).click();
  const date = eraseDialog(page).getByRole('button', { name: '日期' });
  await date.click();
  await expect(page.getByRole('button', { name: '近 7 天' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: '近 7 天' })).toBeHidden();
  await expect(date).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(eraseDialog(page)).toBeHidden();
  await expect(page.getByRole('button', { name: '更多' })).toBeFocused();

  const mark = record.getByRole('button', { name: '引用 1' }).first();
  const lines = await mark.evaluate((element) => {
    const block = element.closest<HTMLElement>('p, li')!;
    const range = document.createRange();
    const text = document.createTreeWalker(block, NodeFilter.SHOW_TEXT);
    let last: Text | undefined;
    while (text.nextNode() && !element.contains(text.currentNode))
      if (text.currentNode.textContent?.replace('\u2060', '')) last = text.currentNode as Text;
    range.setStart(last!, last!.length - 1);
    range.setEnd(last!, last!.length);
    const broken: number[] = [];
    const heights = new Set<number>();
    for (let width = 80; width < 400; width += 3) {
      block.style.width = `${width}px`;
      heights.add(block.offsetHeight);
      if (element.getBoundingClientRect().top > range.getBoundingClientRect().bottom) broken.push(width);
    }
    return { broken, heights: heights.size };
  });
  expect(lines.heights).toBeGreaterThan(3);
  expect(lines.broken).toEqual([]);
});

/** Text of the first visible record and its distance from the top of the list. */
function firstInSight(page: Page): Promise<[string | null | undefined, number]> {
  return list(page).evaluate((element) => {
    const top = element.getBoundingClientRect().top;
    const row = [...element.querySelectorAll('li')].find(
      (one) => one.getBoundingClientRect().bottom > top + 1,
    );
    return [row?.textContent, Math.round((row?.getBoundingClientRect().top ?? 0) - top)];
  });
}

/** Presses Tab until `selector` has the focus. */
async function tabTo(page: Page, selector: string): Promise<void> {
  for (let presses = 0; presses < 30; presses += 1) {
    if (await focused(page).evaluateAll(([element], wanted) => Boolean(element?.matches(wanted)), selector))
      return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab did not reach ${selector}`);
}

interface Exported {
  path: string;
  records: object[];
}

/** Exports the found records as JSON. */
async function exportAll(page: Page): Promise<Exported> {
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: '更多' }).click();
  await page.getByRole('menuitem', { name: '导出 JSON' }).click();
  const path = await (await download).path();
  const { records } = JSON.parse(await readFile(path, 'utf8')) as { records: object[] };
  return { path, records };
}

interface LayoutShift {
  value: number;
  sources: { node: Element | null }[];
}
