import { expect, type Page } from 'playwright/test';
import { createVisitor, type Visitor } from '../../api/src/testing/visitor.ts';

export const PASSWORD = 'a-long-password';

/** Where the host keeps the session and the language, see host/src/session and host/src/i18n. */
const SESSION_KEY = '__persist__user';
const LANGUAGE_KEY = 'desk:language';

interface Arrival {
  /** The name of a visitor who has signed in. */
  username?: string;
  language?: 'zh' | 'en';
}

/** An account of the desk, signed up by the API; one that is there already is signed in. */
export async function signedIn(url: string, username: string): Promise<Visitor> {
  const visitor = createVisitor(url);
  await visitor.signUp(username, PASSWORD);
  if (visitor.token) return visitor;
  const { msg } = await visitor.signIn(username, PASSWORD);
  if (!visitor.token) throw new Error(`expected ${username} to be signed in, got "${msg}"`);
  return visitor;
}

/** Makes the browser of `page` that of `visitor`, with its cookies and its session. To be called before the first visit. */
export async function become(page: Page, url: string, visitor: Visitor, arrival: Arrival = {}) {
  const { username, language } = arrival;
  const kept = [
    ...(visitor.token ? [[SESSION_KEY, JSON.stringify({ token: visitor.token, username })]] : []),
    ...(language ? [[LANGUAGE_KEY, language]] : []),
  ];
  await page.context().setStorageState({
    cookies: [...visitor.cookies].map(([name, value]) => ({
      name,
      value,
      domain: new URL(url).hostname,
      path: '/',
      expires: -1,
      httpOnly: false,
      secure: false,
      sameSite: 'Lax' as const,
    })),
    origins: kept.length
      ? [{ origin: url, localStorage: kept.map(([name = '', value = '']) => ({ name, value })) }]
      : [],
  });
}

/** Opens the desk as an account that exists for this test alone, without the forms of /register and /login. */
export async function enterAs(page: Page, url: string, username: string): Promise<Visitor> {
  const visitor = await signedIn(url, username);
  await become(page, url, visitor, { username });
  return visitor;
}

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

/** The text of the newest answer, once it is complete. */
export async function finishedAnswer(page: Page): Promise<string> {
  const log = page.getByRole('log');
  const answer = page.getByRole('article', { name: '咨询台的回答' }).last();
  await expect(answer).toBeVisible();
  await expect(answer.getByRole('button', { name: '复制回答' })).toBeVisible({ timeout: 60_000 });
  await expect(log).not.toHaveAttribute('aria-busy', 'true');
  return (await answer.textContent()) ?? '';
}
