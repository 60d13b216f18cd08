import { startDesk, temporaryDataDir } from '../start-desk.ts';
import { expect, test } from './desk-test.ts';
import { ask, finishedAnswer, signIn, signUpAndIn } from './visit.ts';

test('ask as a guest, sign up, sign in, ask again, reload, restart: everything is still there', async ({
  page,
}) => {
  const data = await temporaryDataDir();
  let desk = await startDesk({ dataDir: data.dataDir });
  try {
    await page.goto(`${desk.url}/chatbot/index`);
    await ask(page, '怎样重命名会话？');
    await signUpAndIn(page, desk.url, 'linxiao', 'a-long-password');
    await page.getByRole('button', { name: '新咨询' }).click();
    await ask(page, '怎样修改密码？');

    const port = Number(new URL(desk.url).port);
    expect(await desk.stop()).toBe(0);
    desk = await startDesk({ dataDir: data.dataDir, port });
    await page.goto(`${desk.url}/chatbot/index`);
    const side = page.getByRole('complementary');
    await expect(side.getByText('怎样修改密码？')).toBeVisible();
    await side.getByText('怎样重命名会话？').click();
    await expect(page.getByRole('article', { name: '我的问题' })).toContainText('怎样重命名会话？');
    expect(await finishedAnswer(page)).toContain('重命名');
  } finally {
    await desk.kill();
    await data.remove();
  }
});

test('the token is kept under the key the source names, and a sign-out in one tab is one in all', async ({
  page,
  desk,
  context,
}) => {
  await signUpAndIn(page, desk.url, 'two-tabs', 'a-long-password');
  const keys = await page.evaluate(() => Object.keys(localStorage));
  expect(keys.some((key) => key.startsWith('__persist__user'))).toBe(true);

  const other = await context.newPage();
  await other.goto(`${desk.url}/chatbot/index`);
  await expect(other.getByRole('button', { name: /账号/ })).toBeVisible();
  await page.getByRole('button', { name: /账号/ }).click();
  await page.getByRole('menuitem', { name: /退出/ }).click();
  await expect(other.getByRole('link', { name: '登录' }).first()).toBeVisible();
});

test('a wrong password is told as a toast and loses nothing', async ({ page, desk }) => {
  await page.goto(`${desk.url}/chatbot/login`);
  const form = page.getByRole('form', { name: '登录' });
  await form.getByLabel('用户名').fill('nobody-here');
  await form.getByLabel('密码').fill('wrong-password');
  await form.getByRole('button', { name: '登录' }).click();
  await expect(page.getByRole('alert')).toContainText('用户名或密码');
  await expect(form.getByLabel('用户名')).toHaveValue('nobody-here');
});

test('the password is changed, devices are seen and ended, the account is deleted with everything in it', async ({
  page,
  desk,
  browser,
}) => {
  await signUpAndIn(page, desk.url, 'account-user', 'a-long-password');
  await ask(page, '谁能看到我的记录？');
  const elsewhere = await (await browser.newContext()).newPage();
  await elsewhere.goto(`${desk.url}/chatbot/login`);
  await signIn(elsewhere, 'account-user', 'a-long-password');

  await page.goto(`${desk.url}/chatbot/account`);
  const main = page.getByRole('main');
  await expect(main.getByText('2 台')).toBeVisible();
  await main.getByLabel('当前密码').fill('a-long-password');
  await main.getByLabel('新密码').fill('another-password');
  await main.getByRole('button', { name: '修改密码' }).click();
  await expect(page.getByText('密码已修改')).toBeVisible();

  await page.reload();
  const devices = main.getByRole('button', { name: /^退出 / });
  if (await devices.count()) await devices.first().click();

  await main.getByRole('button', { name: '删除账号…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('密码').fill('another-password');
  await dialog.getByLabel(/输入用户名/).fill('account-user');
  await dialog.getByRole('button', { name: '删除账号' }).click();
  await expect(page.getByText('账号已删除')).toBeVisible();
  await expect(page).toHaveURL(/\/chatbot\/index/);
  await expect(page.getByRole('complementary').getByText('谁能看到我的记录？')).toHaveCount(0);

  await page.goto(`${desk.url}/chatbot/login`);
  const form = page.getByRole('form', { name: '登录' });
  await form.getByLabel('用户名').fill('account-user');
  await form.getByLabel('密码').fill('another-password');
  await form.getByRole('button', { name: '登录' }).click();
  await expect(page.getByRole('alert')).toBeVisible();
});
