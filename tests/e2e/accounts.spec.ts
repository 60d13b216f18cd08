import { codeAt } from '../../api/src/testing/authenticator.ts';
import { createVisitor } from '../../api/src/testing/visitor.ts';
import { expect, test } from './desk-test.ts';
import { askAs } from './records.ts';
import { expectToast } from './toasts.ts';
import { ask, openAs, PASSWORD, signUpAndIn } from './visit.ts';

test('moves the conversations of a guest to the new account, and signs out in all tabs', async ({
  page,
  desk,
  context,
}) => {
  await page.goto(`${desk.url}/chatbot/index`);
  await ask(page, '怎样重命名会话？');
  await signUpAndIn(page, desk.url, 'linxiao', PASSWORD);
  await page.getByRole('button', { name: '新咨询' }).click();
  await ask(page, '怎样修改密码？');

  await page.reload();
  const side = page.getByRole('complementary');
  await expect(side.getByText('怎样修改密码？')).toBeVisible();
  await side.getByText('怎样重命名会话？').click();
  await expect(page.getByRole('article', { name: '我的问题' })).toContainText('怎样重命名会话？');

  const other = await context.newPage();
  await other.goto(`${desk.url}/chatbot/index`);
  await expect(other.getByRole('button', { name: '账号：linxiao' })).toBeVisible();
  await page.getByRole('button', { name: '账号：linxiao' }).click();
  await page.getByRole('menuitem', { name: '退出登录' }).click();
  for (const tab of [page, other]) {
    await expect(tab.getByRole('link', { name: '登录' }).first()).toBeVisible();
    await expect(tab.getByRole('complementary').getByText('怎样修改密码？')).toHaveCount(0);
  }
});

test('lists and ends sessions, changes the password, and deletes the account with all its data', async ({
  page,
  desk,
}) => {
  const visitor = await openAs(page, desk.url, 'account-user');
  await askAs(visitor, [{ text: '谁能看到我的记录？' }]);
  const elsewhere = createVisitor(desk.url);
  await elsewhere.signIn('account-user', PASSWORD);

  await page.goto(`${desk.url}/chatbot/account`);
  const main = page.getByRole('main');
  await expect(main.getByText('2 台')).toBeVisible();
  await main.getByRole('button', { name: /^退出 / }).click();
  await expect(main.getByText('1 台')).toBeVisible();
  expect((await elsewhere.call('POST', '/admin/auth')).status).toBe(401);

  await main.getByLabel('当前密码').fill(PASSWORD);
  await main.getByLabel('新密码').fill('another-password');
  await main.getByRole('button', { name: '修改密码' }).click();
  await expectToast(page, '密码已修改');
  await elsewhere.signIn('account-user', 'another-password');
  expect(elsewhere.token).not.toBe('');

  await main.getByRole('button', { name: '删除账号…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('密码').fill('another-password');
  await dialog.getByLabel(/输入用户名/).fill('account-user');
  await dialog.getByRole('button', { name: '删除账号' }).click();
  await expectToast(page, '账号已删除');
  await expect(page).toHaveURL(/\/chatbot\/index/);
  await expect(page.getByRole('complementary').getByText('还没有会话', { exact: true })).toBeVisible();
  expect((await elsewhere.call('POST', '/admin/auth')).status).toBe(401);
  await elsewhere.signIn('account-user', 'another-password');
  expect(elsewhere.token).toBe('');
});

test('signs in with a password and a code, then with a recovery code', async ({ page, desk }) => {
  await openAs(page, desk.url, 'two-steps');
  await page.goto(`${desk.url}/chatbot/account`);
  await page.getByRole('button', { name: '开启两步验证…' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByRole('img', { name: '密钥的二维码' })).toBeVisible();
  const secret = (await dialog.getByLabel('密钥', { exact: true }).inputValue()).replaceAll(' ', '');
  await dialog.getByLabel('密码').fill(PASSWORD);
  await dialog.getByLabel('验证码').fill(codeAt(secret));
  await dialog.getByRole('button', { name: '开启', exact: true }).click();
  await expect(dialog.getByRole('listitem')).toHaveCount(10);
  const [recoveryCode = ''] = await dialog.getByRole('listitem').allTextContents();
  await dialog.getByRole('button', { name: '我已保存' }).click();
  await expect(page.getByText('还有 10 个备用码可用。')).toBeVisible();

  // The code of the next period is accepted, too, and has not been used.
  for (const code of [() => codeAt(secret, 1), () => recoveryCode]) {
    await page.getByRole('button', { name: '账号：two-steps' }).click();
    await page.getByRole('menuitem', { name: '退出登录' }).click();
    await page.goto(`${desk.url}/chatbot/login`);
    await page.getByLabel('用户名').first().fill('two-steps');
    const form = page.getByRole('form', { name: /登录/ });
    await form.getByLabel('密码').fill(PASSWORD);
    await form.getByRole('button', { name: '登录', exact: true }).click();
    await page.getByLabel('验证码').fill(code());
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(/\/chatbot\/index/);
    await expect(page.getByRole('button', { name: '账号：two-steps' })).toBeVisible();
  }
});

test('adds a passkey and signs in with it alone', async ({ page, desk }) => {
  // WebAuthn needs a host name.
  const url = desk.url.replace('127.0.0.1', 'localhost');
  const browser = await page.context().newCDPSession(page);
  await browser.send('WebAuthn.enable');
  await browser.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  await openAs(page, url, 'key-owner');
  await page.goto(`${url}/chatbot/account`);
  await page.getByRole('button', { name: '添加通行密钥…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('名称').fill('办公室电脑');
  await dialog.getByLabel('密码').fill(PASSWORD);
  await dialog.getByRole('button', { name: '继续' }).click();
  const passkey = page.getByRole('listitem').filter({ hasText: '办公室电脑' });
  await expect(passkey).toContainText('还没有用过');

  const signOut = async () => {
    await page.getByRole('button', { name: '账号：key-owner' }).click();
    await page.getByRole('menuitem', { name: '退出登录' }).click();
    await page.goto(`${url}/chatbot/login`);
  };
  // The stand-in for the authenticator chooses the first suggestion for the user name.
  await signOut();
  await expect(page.getByRole('button', { name: '账号：key-owner' })).toBeVisible();
  // In a browser that suggests none.
  await page.addInitScript(() => {
    PublicKeyCredential.isConditionalMediationAvailable = async () => false;
  });
  await signOut();
  await page.getByRole('button', { name: '使用通行密钥' }).click();
  await expect(page.getByRole('button', { name: '账号：key-owner' })).toBeVisible();
  await page.goto(`${url}/chatbot/account`);
  await expect(passkey).toContainText('最近使用');
  await page.getByRole('button', { name: '删除 办公室电脑' }).click();
  await expect(passkey).toHaveCount(0);
  await signOut();
  await page.getByRole('button', { name: '使用通行密钥' }).click();
  await expectToast(page, '通行密钥没有通过验证');
});

test('a disabled primary button looks the same when it is hovered', { tag: '@long' }, async ({
  page,
  desk,
}) => {
  await page.goto(`${desk.url}/chatbot/test`);
  const button = page.getByRole('button', { name: '注册' });
  await expect(button).toBeDisabled();
  const look = () =>
    button.evaluate((element) => {
      const { backgroundColor, color, borderColor } = getComputedStyle(element);
      return [backgroundColor, color, borderColor];
    });
  await page.mouse.move(0, 0);
  const before = await look();

  await button.hover({ force: true });

  expect(await look()).toEqual(before);
});
