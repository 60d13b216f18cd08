import { expect, test } from './desk-test.ts';
import { ask, finishedAnswer } from './visit.ts';

test.use({ locale: 'en-US' });

test('is Chinese at the first visit whatever the browser requests, has the specified layout, and can be switched to English', async ({
  page,
  desk,
}) => {
  await page.goto(`${desk.url}/chatbot/`);
  await expect(page).toHaveURL(`${desk.url}/chatbot/index`);
  await expect(page.locator('html')).toHaveAttribute('lang', 'zh-CN');

  await expect(page.getByPlaceholder('请输入问题')).toHaveAttribute('rows', '2');
  await expect(page.getByRole('button', { name: '发送' })).toBeVisible();
  await expect(page.getByText('请输入以咨询问题')).toBeVisible();
  await expect(page.getByRole('complementary')).toHaveCSS('width', '333px');
  await expect(page.getByRole('log')).toHaveCSS('max-height', '500px');

  await page.getByRole('button', { name: /switch to English/ }).click();
  await expect(page.locator('html')).toHaveAttribute('lang', 'en');
  await expect(page.getByPlaceholder('Your question')).toBeVisible();
  await page.reload();
  await expect(page.getByRole('button', { name: 'Send' })).toBeVisible();
});

test('a guest gets an answer whose quote is in the cited source; a reload keeps the answer and the draft', async ({
  page,
  desk,
}) => {
  await page.goto(`${desk.url}/chatbot/index`);
  const answer = await ask(page, '删掉的对话还能找回来吗？');
  expect(answer).toContain('撤销');

  const newest = page.getByRole('article', { name: '咨询台的回答' }).last();
  await newest.getByRole('button', { name: '引用 1' }).first().click();
  const source = page.getByRole('complementary').filter({ has: page.locator('mark') });
  const mark = source.locator('mark').first();
  await expect(mark).toHaveText(/\S{5,}/);
  await expect(mark).toBeInViewport();
  // The source is beside the answer and does not cover it.
  await expect(newest.getByRole('button', { name: '引用 1' }).first()).toBeInViewport();
  await page.keyboard.press('Escape');
  await expect(source).toBeHidden();

  await page.getByPlaceholder('请输入问题').fill('写到一半的问题');
  await page.reload();
  await expect(page.getByRole('article', { name: '我的问题' })).toContainText('删掉的对话还能找回来吗？');
  expect(await finishedAnswer(page)).toContain(answer.slice(10, 40));
  await expect(page.getByPlaceholder('请输入问题')).toHaveValue('写到一半的问题');
});

test('says that it has no answer and suggests questions it can answer; answers English questions in English', async ({
  page,
  desk,
}) => {
  await page.goto(`${desk.url}/chatbot/index`);
  await ask(page, '火星上的红烧肉会话');
  const newest = page.getByRole('article', { name: '咨询台的回答' }).last();
  await expect(newest).toContainText('没有足够的依据');
  await newest.getByRole('button', { name: /[？?]/ }).first().click();
  await expect(page.getByRole('article', { name: '我的问题' })).toHaveCount(2);
  expect(await finishedAnswer(page)).not.toContain('没有足够的依据');

  const answer = await ask(page, 'How do I delete a conversation?');
  expect(answer).toContain('conversation');
  expect(answer).toMatch(/[a-z]{4,} [a-z]{2,}/);
});
