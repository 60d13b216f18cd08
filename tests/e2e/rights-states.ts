import { randomUUID } from 'node:crypto';
import { expect } from 'playwright/test';
import type { OneTimeLink } from '../../api/src/contract/one-time-links.ts';
import type { Group, PeoplePage } from '../../api/src/contract/people.ts';
import { codeAt } from '../../api/src/testing/authenticator.ts';
import { EDITOR } from './desk-test.ts';
import { askAs } from './records.ts';
import type { ScenarioOptions, Translate } from './scenario.ts';
import { applySession, PASSWORD, signedIn } from './visit.ts';

/** The account screens of people: roles, groups, links, transfer, and the audit log. */
export async function peopleStates(
  { page, url, language, check }: ScenarioOptions,
  t: Translate,
): Promise<void> {
  const administrator = await signedIn(url, EDITOR);
  const suffix = uniqueSuffix();
  const colleague = `colleague-${suffix}`;
  const group = t('财务部 ', 'Finance ') + suffix;
  await signedIn(url, colleague);
  const { body } = await administrator.call<PeoplePage>('POST', '/api/people/search', { q: colleague });
  const id = body.people[0]?.id;
  const { body: made } = await administrator.call<Group>('POST', '/api/people/groups', {
    name: group,
    claim: 'finance',
  });
  await administrator.call('PATCH', `/api/people/${id}`, { roles: ['agent'], groups: [made.id] });
  await applySession(page, url, administrator, { username: EDITOR, language });
  const dialog = page.getByRole('dialog');
  const button = (zh: string, en: string) => page.getByRole('button', { name: t(zh, en), exact: true });
  const choose = async (zh: string, en: string) => {
    await button(`${colleague} 的更多操作`, `More for ${colleague}`).click();
    await page.getByRole('menuitem', { name: t(zh, en), exact: true }).click();
    await expect(dialog).toBeVisible();
  };

  await page.goto(`${url}/chatbot/people`);
  await expect(page.getByRole('group').first()).toBeVisible();
  await check(page, 'people');
  await page.getByRole('searchbox').fill(colleague);
  await expect(page.getByRole('group')).toHaveCount(1);

  await button('邀请', 'Invite').click();
  await check(page, 'an invitation');
  await button('生成邀请链接', 'Make an invitation link').click();
  await expect(dialog.getByLabel(t('一次性链接', 'One-time link'))).toBeFocused();
  await check(page, 'a one-time link');
  await page.keyboard.press('Escape');

  await button('群组', 'Groups').click();
  await check(page, 'the groups');
  await button(`修改 ${group}`, `Change ${group}`).click();
  await check(page, 'a group that is changed');
  await button(`删除 ${group}`, `Delete ${group}`).click();
  await check(page, 'the deletion of a group');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');

  await choose('群组…', 'Groups…');
  await check(page, 'the groups of a person');
  await page.keyboard.press('Escape');
  await choose('移交工作…', 'Transfer responsibilities…');
  await expect(dialog).not.toContainText(t('正在统计', 'Counting'));
  await check(page, 'a transfer');
  await page.keyboard.press('Escape');
  await choose('删除账号', 'Delete account');
  await expect(dialog).not.toContainText(t('正在统计', 'Counting'));
  await check(page, 'the deletion of an account');
  await dialog.getByRole('button', { name: t('删除账号', 'Delete account') }).click();
  await expect(button(`恢复 ${colleague}`, `Restore ${colleague}`)).toBeVisible();
  await check(page, 'an account that will be deleted');
  await page.getByRole('searchbox').fill('nobody-of-this-name');
  await expect(
    page.getByRole('heading', { name: t('没有符合条件的账号', 'No account matches') }),
  ).toBeVisible();
  await check(page, 'no such account');

  await page.goto(`${url}/chatbot/audit`);
  await expect(page.getByRole('main').getByRole('listitem').first()).toBeVisible();
  await button('检查完整性', 'Check integrity').click();
  await expect(page.getByText(t(/没有改动或缺失/, /unchanged and complete/))).toBeVisible();
  await check(page, 'the audit log');
  await page.getByRole('searchbox', { name: t('用户名', 'User name') }).fill('nobody-of-this-name');
  await expect(
    page.getByRole('heading', { name: t('没有符合条件的条目', 'No entries match') }),
  ).toBeVisible();
  await check(page, 'no entry found');
  await administrator.call('DELETE', `/api/people/groups/${made.id}`);
}

/** Collections, their readers and editors. */
export async function collectionStates(
  { page, url, language, check }: ScenarioOptions,
  t: Translate,
): Promise<void> {
  const editor = await signedIn(url, EDITOR);
  const name = t('内部制度 ', 'Internal rules ') + uniqueSuffix();
  await applySession(page, url, editor, { username: EDITOR, language });
  const button = (zh: string, en: string) => page.getByRole('button', { name: t(zh, en), exact: true });

  await page.goto(`${url}/chatbot/knowledge`);
  await button('更多', 'More').click();
  await page.getByRole('menuitem', { name: t('知识集', 'Collections') }).click();
  await button('新知识集', 'New collection').click();
  const fresh = page.getByRole('dialog', { name: t('新知识集', 'New collection') });
  await fresh.getByLabel(t('名称', 'Name'), { exact: true }).fill(name);
  const readers = fresh.getByRole('group', { name: t('读者', 'Readers') });
  await readers.getByLabel(t('用户名', 'User name')).fill('nobody-of-this-name');
  await readers.getByRole('button', { name: t('添加', 'Add') }).click();
  await expect(readers.getByRole('alert')).toBeVisible();
  await check(page, 'a reader who does not exist');
  await readers.getByLabel(t('用户名', 'User name')).fill(EDITOR);
  await page.keyboard.press('Enter');
  await expect(readers.getByRole('checkbox', { name: EDITOR })).toBeChecked();
  await check(page, 'a new collection');
  await fresh.getByRole('button', { name: t('保存', 'Save') }).click();
  await expect(page.getByRole('dialog').getByText(name)).toBeVisible();
  await check(page, 'the collections');
  await page.keyboard.press('Escape');
  await page.getByRole('combobox', { name: t('知识集', 'Collection') }).selectOption(name);
  await expect(page.getByRole('row')).toHaveCount(0);
  await check(page, 'the knowledge of an empty collection');

  const question = t('内部制度里写了海豹吗？', 'Do the internal rules mention seals?') + uniqueSuffix();
  await askAs(editor, [{ text: question }]);
  await page.goto(`${url}/chatbot/knowledge?v=inbox`);
  await button(`写答案：${question}`, `Answer: ${question}`).click();
  await page.getByRole('textbox', { name: t('答案', 'Answer'), exact: true }).fill(t('没有。', 'No.'));
  await check(page, 'the collection of an answer');
}

/** The second factor of an account, signing in with it, one-time links, and what others see of the screens of administrators. */
export async function signInStates(
  { page, url, language, check }: ScenarioOptions,
  t: Translate,
): Promise<void> {
  const administrator = await signedIn(url, EDITOR);
  const username = `two-steps-${uniqueSuffix()}`;
  const visitor = await signedIn(url, username);
  await applySession(page, url, visitor, { username, language });
  const dialog = page.getByRole('dialog');

  await page.goto(`${url}/chatbot/people`);
  await expect(page.getByText(t(/只有管理员/, /^Only administrators/))).toBeVisible();
  await check(page, 'people of a member');
  await page.goto(`${url}/chatbot/account`);
  await page.getByRole('button', { name: t('添加通行密钥…', 'Add a passkey…') }).click();
  await check(page, 'a new passkey');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: t('开启两步验证…', 'Switch on…') }).click();
  await expect(dialog.getByRole('img', { name: t('密钥的二维码', 'QR code of the key') })).toBeVisible();
  await check(page, 'a second factor');
  const key = dialog.getByLabel(t('密钥', 'Key'), { exact: true });
  const secret = (await key.inputValue()).replaceAll(' ', '');
  await dialog.getByLabel(t('密码', 'Password')).fill(PASSWORD);
  await dialog.getByLabel(t('验证码', 'Code'), { exact: true }).fill(codeAt(secret));
  await dialog.getByRole('button', { name: t('开启', 'Switch on'), exact: true }).click();
  await expect(dialog.getByRole('listitem')).toHaveCount(10);
  await check(page, 'recovery codes');
  await dialog.getByRole('button', { name: t('我已保存', 'I saved them') }).click();
  await expect(page.getByText(t('已开启', 'On'), { exact: true })).toBeVisible();
  await check(page, 'an account with a second factor');
  await page.getByRole('button', { name: t('关闭两步验证…', 'Switch off…') }).click();
  await check(page, 'the end of a second factor');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: t('删除账号…', 'Delete account…') }).click();
  await check(page, 'the deletion of one’s own account');

  await page.goto('about:blank');
  await applySession(page, url, administrator, { language });
  const { body } = await administrator.call<OneTimeLink>('POST', '/api/people/invitations', { roles: [] });
  await page.context().clearCookies();
  await page.goto(`${url}/chatbot/login#link=${body.token}`);
  await expect(page.getByRole('button', { name: t('创建并登录', 'Create and sign in') })).toBeVisible();
  await page.getByLabel(t('新密码', 'New password')).fill('12345');
  await check(page, 'an invitation that is used');
  await page.goto('about:blank');
  await page.goto(`${url}/chatbot/login#link=used`);
  await expect(page.getByRole('alert')).toBeVisible();
  await check(page, 'a link that is no longer valid');
  await page.goto('about:blank');
  await page.goto(`${url}/chatbot/login`);
  await page.getByLabel(t('用户名', 'Username')).first().fill(username);
  const form = page.getByRole('form', { name: t(/登录/, /Sign/) });
  await form.getByLabel(t('密码', 'Password')).fill(PASSWORD);
  await form.getByRole('button', { name: t('登录', 'Sign In'), exact: true }).click();
  await expect(page.getByLabel(t('验证码', 'Code'))).toBeVisible();
  await check(page, 'the second step');
}

/** The scenarios share a desk. */
function uniqueSuffix(): string {
  return randomUUID().slice(0, 8);
}
