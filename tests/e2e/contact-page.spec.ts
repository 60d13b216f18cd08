import type { Page } from 'playwright/test';
import { createVisitor } from '../../api/src/testing/visitor.ts';
import { expectNoOverflow } from './check-screen.ts';
import { expect, test } from './desk-test.ts';
import { askAs } from './records.ts';
import { expectToast } from './toasts.ts';
import { applySession } from './visit.ts';

const focused = (page: Page) => page.locator(':focus');
const rows = (page: Page) => page.getByRole('row').filter({ has: page.getByRole('cell') });

const PHONE = { contact: '138 0013 8000', contactName: '李雷' };
const MAIL = { contact: 'li.lei@example.com', contactName: '李雷雷' };

// Drafts, conflicts and failures: mfe-records/src/contacts/contacts.test.tsx.
test('a contact is found from its records, gets a note and a name, and is merged with another one', async ({
  page,
  desk,
}) => {
  const visitor = createVisitor(desk.url);
  await askAs(visitor, [
    { text: '怎样删除会话？', ...PHONE },
    { text: '怎样删除一条记录？', ...PHONE },
    { text: '怎样修改密码？', ...MAIL },
  ]);
  await applySession(page, desk.url, visitor);

  // Addresses are written down by proxies.
  const sent: string[] = [];
  page.on('request', async (request) => {
    const { referer = '' } = await request.allHeaders();
    sent.push(request.url(), referer);
  });
  await page.goto(`${desk.url}/chatbot/history#contact=13800138000`);
  await page.reload();
  await page.getByRole('button', { name: /^李雷 138/ }).click();
  await page.getByRole('link', { name: '联系人资料' }).click();
  await expect(page.getByRole('heading', { level: 1, name: '李雷' })).toBeVisible();
  await expect(page.getByRole('img', { name: /^每月咨询.*共 2 条/ })).toBeVisible();
  await expect(page.getByRole('link', { name: '拨打 138 0013 8000' })).toHaveAttribute(
    'href',
    'tel:13800138000',
  );

  await page.getByRole('textbox', { name: '备注' }).fill('晚上打电话');
  await page.getByRole('button', { name: '保存备注' }).click();
  await expect(page.getByText('已保存', { exact: true })).toBeVisible();
  await page.getByRole('textbox', { name: '备注' }).fill('晚上打电话，周末不打');
  await page.reload();
  await expect(page.getByText('这是上次没有保存的草稿')).toBeVisible();
  await page.getByRole('button', { name: '保存备注' }).click();
  await expect(page.getByText('已保存', { exact: true })).toBeVisible();

  await page.getByRole('button', { name: '更多' }).click();
  await page.getByRole('menuitem', { name: '改名…' }).click();
  await page.getByRole('textbox', { name: '姓名' }).fill('李磊');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: '李磊' })).toBeVisible();

  await page.getByRole('button', { name: '更多' }).click();
  await page.getByRole('menuitem', { name: '合并到…' }).click();
  const dialog = page.getByRole('dialog', { name: '合并联系人' });
  await dialog.getByRole('combobox').fill('li.lei');
  await dialog.getByRole('option', { name: /李雷雷/ }).click();
  await dialog.getByRole('button', { name: '合并 2 条' }).click();
  await expect(page).toHaveURL(/id=li\.lei%40example\.com$/);
  await expectToast(page, '已把 2 条记录合并到 李雷雷');
  await expect(page.getByRole('textbox', { name: '备注' })).toHaveValue('晚上打电话，周末不打');
  expect(sent.filter((text) => /13800138000|li\.lei/.test(text))).toEqual([]);
  await expect(page.getByRole('link', { name: '查看全部 3 条' })).toBeVisible();
  await expect(focused(page)).not.toHaveCount(0);

  // An old link leads to the merged contact.
  await page.goto(`${desk.url}/chatbot/contacts#id=13800138000`);
  await expect(page).toHaveURL(/id=li\.lei%40example\.com$/);
  await page.getByRole('link', { name: '全部联系人' }).click();
  await expect(rows(page)).toHaveText([/李雷雷.*有备注3/]);
  await page.getByRole('link', { name: '李雷雷' }).click();
  await page.getByRole('link', { name: '查看全部 3 条' }).click();
  await expect(page.getByText('3 条', { exact: true })).toBeVisible();

  await page.goto(`${desk.url}/chatbot/history?bin=1`);
  await page.getByRole('button', { name: /^撤销：.* 合并到 李雷雷/ }).click();
  await expectToast(page, /^已恢复 2 条/);
  await page.goto(`${desk.url}/chatbot/contacts`);
  await expect(rows(page)).toHaveCount(2);
});

test('deletes the records of a contact and restores them with the note, on a phone', async ({
  page,
  desk,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  const visitor = createVisitor(desk.url);
  await askAs(visitor, [{ text: '怎样删除会话？', ...PHONE }]);
  await visitor.call('PATCH', '/api/contacts', { id: '13800138000', note: '晚上打电话', revision: 0 });
  await applySession(page, desk.url, visitor);
  await page.goto(`${desk.url}/chatbot/contacts`);
  await expectNoOverflow(page, 'contacts');
  await page.getByRole('link', { name: '李雷' }).click();
  await expect(page.getByRole('textbox', { name: '备注' })).toHaveValue('晚上打电话');
  await expectNoOverflow(page, 'contacts');

  await page.getByRole('button', { name: '更多' }).click();
  await page.getByRole('menuitem', { name: '删除记录…' }).click();
  const dialog = page.getByRole('dialog', { name: '删除记录' });
  await dialog.getByRole('textbox', { name: /以确认/ }).fill('13800138000');
  await dialog.getByRole('button', { name: '删除 1 条' }).click();
  await expect(page.getByRole('heading', { name: '还没有联系人' })).toBeVisible();
  await page.getByRole('button', { name: '撤销' }).click();
  await page.getByRole('link', { name: '李雷' }).click();
  await expect(page.getByRole('textbox', { name: '备注' })).toHaveValue('晚上打电话');
});
