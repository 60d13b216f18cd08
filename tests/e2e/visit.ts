import { expect, type Page } from 'playwright/test';

/** Signs up on /register and signs in on the panel that follows, as a person would. */
export async function signUpAndIn(
  page: Page,
  url: string,
  username: string,
  password: string,
): Promise<void> {
  await page.goto(`${url}/chatbot/register`);
  const signUp = page.getByRole('form', { name: '注册' });
  await signUp.getByLabel('用户名').fill(username);
  await signUp.getByLabel('密码').fill(password);
  await signUp.getByRole('button', { name: '注册' }).click();
  await signIn(page, username, password);
}

/** Fills in the sign-in panel that is open. */
export async function signIn(page: Page, username: string, password: string): Promise<void> {
  const form = page.getByRole('form', { name: '登录' });
  await form.getByLabel('用户名').fill(username);
  await form.getByLabel('密码').fill(password);
  await form.getByRole('button', { name: '登录' }).click();
  await expect(page).toHaveURL(/\/chatbot\/index/);
}

/** Sends a question and waits until its answer is finished; resolves with the answer's text. */
export async function ask(page: Page, question: string): Promise<string> {
  await page.getByPlaceholder('请输入问题').fill(question);
  await page.getByRole('button', { name: '发送' }).click();
  await expect(page.getByPlaceholder('请输入问题')).toHaveValue('');
  return finishedAnswer(page);
}

/** The text of the newest answer, once nothing is being said any more. */
export async function finishedAnswer(page: Page): Promise<string> {
  const log = page.getByRole('log');
  const answer = page.getByRole('article', { name: '咨询台的回答' }).last();
  await expect(answer).toBeVisible();
  await expect(answer.getByRole('button', { name: '复制回答' })).toBeVisible({ timeout: 60_000 });
  await expect(log).not.toHaveAttribute('aria-busy', 'true');
  return (await answer.textContent()) ?? '';
}
