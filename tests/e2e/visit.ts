import { expect, type Page } from 'playwright/test';
import { createVisitor, type Visitor } from '../../api/src/testing/visitor.ts';

export const PASSWORD = 'a-long-password';

/** Storage keys of the host, see host/src/session and host/src/i18n. */
const SESSION_KEY = '__persist__user';
const LANGUAGE_KEY = 'desk:language';

interface SessionOptions {
  /** Name of the signed-in user. */
  username?: string;
  language?: 'zh' | 'en';
}

/** Signs up an account by the API, or signs in if it exists. */
export async function signedIn(url: string, username: string): Promise<Visitor> {
  const visitor = createVisitor(url);
  await visitor.signUp(username, PASSWORD);
  if (visitor.token) return visitor;
  const { msg } = await visitor.signIn(username, PASSWORD);
  if (!visitor.token) throw new Error(`expected ${username} to be signed in, got "${msg}"`);
  return visitor;
}

/** Gives the browser of `page` the cookies and session of `visitor`. Call it before the first visit. */
export async function applySession(page: Page, url: string, visitor: Visitor, options: SessionOptions = {}) {
  const { username, language } = options;
  const stored = [
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
    origins: stored.length
      ? [{ origin: url, localStorage: stored.map(([name = '', value = '']) => ({ name, value })) }]
      : [],
  });
}

/** Signs in an account for this test without using the forms of /register and /login. */
export async function openAs(page: Page, url: string, username: string): Promise<Visitor> {
  const visitor = await signedIn(url, username);
  await applySession(page, url, visitor, { username });
  return visitor;
}

/** Signs up on /register, then signs in on the panel that opens. */
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

/** Fills in the open sign-in panel. */
export async function signIn(page: Page, username: string, password: string): Promise<void> {
  const form = page.getByRole('form', { name: '登录' });
  await form.getByLabel('用户名').fill(username);
  await form.getByLabel('密码').fill(password);
  await form.getByRole('button', { name: '登录' }).click();
  await expect(page).toHaveURL(/\/chatbot\/index/);
}

/** Sends a question; resolves with the text of its finished answer. */
export async function ask(page: Page, question: string): Promise<string> {
  await page.getByPlaceholder('请输入问题').fill(question);
  await page.getByRole('button', { name: '发送' }).click();
  await expect(page.getByPlaceholder('请输入问题')).toHaveValue('');
  return finishedAnswer(page);
}

/** Waits for the newest answer and returns its text. */
export async function finishedAnswer(page: Page): Promise<string> {
  const log = page.getByRole('log');
  const answer = page.getByRole('article', { name: '咨询台的回答' }).last();
  await expect(answer).toBeVisible();
  await expect(answer.getByRole('button', { name: '复制回答' })).toBeVisible({ timeout: 60_000 });
  await expect(log).not.toHaveAttribute('aria-busy', 'true');
  return (await answer.textContent()) ?? '';
}
