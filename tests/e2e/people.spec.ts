import { createVisitor } from '../../api/src/testing/visitor.ts';
import type { Desk } from '../start-desk.ts';
import { expect, test } from './desk-test.ts';
import { expectToast } from './toasts.ts';
import { ask, openAs } from './visit.ts';

const PETTY_CASH = `# 备用金

每个部门的备用金上限是 8300 元，每季度清点一次。
`;

test.use({ expectedErrors: /status of 40[13] .*\/(api|admin)\// });

/** Its first account is an administrator. */
let desk: Desk;
test.beforeAll(async ({ startAnother }) => {
  desk = await startAnother();
});

test('an administrator makes an agent and disables an account, from the menu and by keyboard', async ({
  page,
  newVisitor,
}) => {
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

  await page.getByRole('link', { name: '审计日志' }).click();
  const latest = page.getByRole('main').getByRole('listitem').first();
  await expect(latest).toContainText(/administrator.*停用账号.*对象：bertram/);
  await page.getByRole('button', { name: '检查完整性' }).click();
  await expect(page.getByText(/没有改动或缺失/)).toBeVisible();

  await other.goto(`${desk.url}/chatbot/account`);
  await expect(other).toHaveURL(/\/chatbot\/login$/);
});

test('an administrator sets up a group, a collection and an agent from the screens; the collection answers its readers alone', async ({
  page,
  newVisitor,
}) => {
  await openAs(page, desk.url, 'administrator');
  const member = await newVisitor();
  await openAs(member, desk.url, 'mina');
  const guest = await newVisitor();

  await page.goto(`${desk.url}/chatbot/people`);
  await page.getByRole('button', { name: '群组', exact: true }).click();
  const groups = page.getByRole('dialog', { name: '群组' });
  await groups.getByLabel('新群组').fill('财务部');
  await groups.getByRole('button', { name: '添加' }).click();
  await expect(groups.getByRole('listitem')).toContainText('财务部');
  await groups.getByRole('button', { name: '关闭' }).click();
  await page.getByRole('button', { name: 'mina 的更多操作' }).click();
  await page.getByRole('menuitem', { name: '群组…' }).click();
  const joined = page.getByRole('dialog', { name: 'mina 的群组' });
  await joined.getByRole('checkbox', { name: '财务部' }).check();
  await joined.getByRole('button', { name: '保存' }).click();
  await expectToast(page, 'mina 的群组已保存，下一次提问即生效');
  await page.getByRole('group', { name: 'mina 的角色' }).getByRole('checkbox', { name: '客服' }).click();
  await expectToast(page, 'mina 的角色已保存，立即生效');

  await page.goto(`${desk.url}/chatbot/knowledge`);
  await page.getByRole('button', { name: '更多', exact: true }).click();
  await page.getByRole('menuitem', { name: '知识集' }).click();
  const collections = page.getByRole('dialog', { name: '知识集', exact: true });
  await collections.getByRole('button', { name: '新知识集' }).click();
  const fresh = page.getByRole('dialog', { name: '新知识集' });
  await fresh.getByLabel('名称').fill('内部制度');
  await fresh.getByRole('group', { name: '读者' }).getByRole('checkbox', { name: '财务部' }).check();
  await fresh.getByRole('button', { name: '保存' }).click();
  await expect(collections.getByText('内部制度')).toBeVisible();
  await collections.getByRole('button', { name: '关闭' }).click();
  await page.getByRole('combobox', { name: '知识集' }).selectOption('内部制度');
  await page
    .getByLabel('上传资料')
    .and(page.locator('input'))
    .setInputFiles({ name: '备用金.md', mimeType: 'text/markdown', buffer: Buffer.from(PETTY_CASH) });
  await expect(page.getByRole('row', { name: /备用金.*可引用/ })).toBeVisible();

  const question = '每个部门的备用金上限是多少？';
  for (const [who, isAnswered] of [
    [member, true],
    [guest, false],
  ] as const) {
    await who.goto(`${desk.url}/chatbot/index`);
    const answer = await ask(who, question);
    expect(answer.includes('8300')).toBe(isAnswered);
    await expect(who.getByRole('button', { name: /引用 1：备用金/ })).toHaveCount(isAnswered ? 1 : 0);
  }
  const conversation = member.url();
  await member.goto(`${desk.url}/chatbot/inbox`);
  await expect(member.getByRole('heading', { name: '人工咨询' })).toBeVisible();
  await expect(member.getByText(/只有/)).toHaveCount(0);

  // Without the group, what was answered before is withdrawn, and cannot be opened.
  await page.goto(`${desk.url}/chatbot/people`);
  await page.getByRole('button', { name: 'mina 的更多操作' }).click();
  await page.getByRole('menuitem', { name: '群组…' }).click();
  await joined.getByRole('checkbox', { name: '财务部' }).uncheck();
  await joined.getByRole('button', { name: '保存' }).click();
  await expectToast(page, 'mina 的群组已保存，下一次提问即生效');
  await member.goto(conversation);
  const sources = member.getByRole('group', { name: '引用' });
  await expect(sources).toContainText('已撤回');
  await expect(sources.getByRole('button')).toHaveCount(0);
  await expect(member.getByText('8300')).toHaveCount(0);
});
