import { expect, test } from './desk-test.ts';

const MESSAGES = {
  用户名: '用户名不能为空且长度需大于3',
  电子邮箱: '请输入有效的电子邮件地址',
  密码: '密码不能为空且长度需大于6',
};

test('the form of the source: three rules on each input, a button that waits for them, and no call', async ({
  page,
  desk,
}) => {
  const calls: string[] = [];
  page.on('request', (request) => /\/(api|admin)\//.test(request.url()) && calls.push(request.url()));
  const logged: string[] = [];
  page.on('console', (message) => logged.push(message.text()));
  await page.goto(`${desk.url}/chatbot/test`);

  const form = page.getByRole('main');
  const submit = form.getByRole('button', { name: '注册' });
  await expect(submit).toBeDisabled();
  await form.getByLabel('用户名').fill('li');
  await form.getByLabel('电子邮箱').fill('not-an-address');
  await form.getByLabel('密码').fill('12345');
  for (const message of Object.values(MESSAGES)) await expect(form.getByText(message)).toBeVisible();
  await expect(submit).toBeDisabled();

  await form.getByLabel('用户名').fill('lin');
  await form.getByLabel('电子邮箱').fill('lin@example.com');
  await form.getByLabel('密码').fill('123456');
  for (const message of Object.values(MESSAGES)) await expect(form.getByText(message)).toHaveCount(0);
  await submit.click();
  await expect.poll(() => logged.join('\n')).toContain('lin@example.com');
  expect(calls).toEqual([]);
});
