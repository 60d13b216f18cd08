import { createVisitor } from '../../api/src/testing/visitor.ts';
import { checkScreen } from './check-screen.ts';
import { expect, test } from './desk-test.ts';
import { expectToast } from './toasts.ts';
import { openAs } from './visit.ts';

test.use({ expectedErrors: /status of 40[13] .*\/(api|admin)\// });

test('an administrator makes an agent and disables an account, from the menu and by keyboard', async ({
  page,
  newVisitor,
  startAnother,
}) => {
  const desk = await startAnother();
  await openAs(page, desk.url, 'administrator');
  for (const name of ['anna', '陈立', 'a-user-name-as-long-as-it-may-be-without-any-space-in-it'])
    await createVisitor(desk.url).signUp(name, 'a long password');
  const other = await newVisitor();
  await openAs(other, desk.url, 'bertram');

  await page.goto(`${desk.url}/chatbot/index`);
  await page.getByRole('button', { name: '账号：administrator' }).click();
  await page.getByRole('menuitem', { name: '人员' }).click();
  await expect(page).toHaveURL(/\/chatbot\/people$/);
  await expect(page.getByRole('group')).toHaveCount(5);
  await checkScreen(page, 'people');

  await page.getByRole('searchbox').fill('bert');
  const roles = page.getByRole('group', { name: 'bertram 的角色' });
  await expect(page.getByRole('group')).toHaveCount(1);
  await roles.getByRole('checkbox', { name: '客服' }).focus();
  await page.keyboard.press('Space');
  await expectToast(page, 'bertram 的角色已保存，立即生效');
  await expect(roles.getByRole('checkbox', { name: '客服' })).toBeChecked();
  await expect(roles.getByRole('checkbox', { name: '客服' })).toBeFocused();
  await other.goto(`${desk.url}/chatbot/inbox`);
  await expect(other.getByRole('heading', { name: '人工咨询' })).toBeVisible();
  await expect(other.getByText(/只有/)).toHaveCount(0);
  await other.goto(`${desk.url}/chatbot/people`);
  await expect(other.getByText('只有管理员可以查看账号')).toBeVisible();

  await page.getByRole('button', { name: '停用 bertram' }).click();
  await expectToast(page, 'bertram 已停用，并已在所有设备上退出登录');
  await checkScreen(page, 'people with a disabled account');

  await page.getByRole('link', { name: '审计日志' }).click();
  const latest = page.getByRole('main').getByRole('listitem').first();
  await expect(latest).toContainText(/administrator.*停用账号.*对象：bertram/);
  await page.getByRole('button', { name: '检查完整性' }).click();
  await expect(page.getByText(/没有改动或缺失/)).toBeVisible();
  await checkScreen(page, 'audit');

  await other.goto(`${desk.url}/chatbot/account`);
  await expect(other).toHaveURL(/\/chatbot\/login$/);
});
