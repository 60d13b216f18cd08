import { expect, test } from './desk-test.ts';
import { ask, finishedAnswer } from './visit.ts';

test.use({ locale: 'en-US' });

test('the first visit is Chinese whatever the browser asks, and laid out as the source says', async ({
  page,
  desk,
}) => {
  await page.goto(`${desk.url}/chatbot/`);
  await expect(page).toHaveURL(`${desk.url}/chatbot/index`);
  await expect(page.locator('html')).toHaveAttribute('lang', 'zh-CN');

  const textarea = page.getByPlaceholder('请输入问题');
  await expect(textarea).toHaveAttribute('rows', '2');
  await expect(page.getByRole('button', { name: '发送' })).toBeVisible();
  await expect(page.getByText('请输入以咨询问题')).toBeVisible();
  await expect(page.getByRole('complementary')).toHaveCSS('width', '333px');
  await expect(page.getByRole('log')).toHaveCSS('max-height', '500px');
  expect((await page.getByRole('log').boundingBox())!.height).toBeLessThanOrEqual(500);
});

test('white space alone is not sent', async ({ page, desk }) => {
  await page.goto(`${desk.url}/chatbot/index`);
  await page.getByPlaceholder('请输入问题').fill('  \n ');
  await page.getByRole('button', { name: '发送' }).click();
  await expect(page.getByText('请输入以咨询问题')).toBeVisible();
  await expect(page.getByRole('article')).toHaveCount(0);
});

test('a guest asks in Chinese and reads a cited answer whose quote stands in the source', async ({
  page,
  desk,
}) => {
  await page.goto(`${desk.url}/chatbot/index`);
  const answer = await ask(page, '删掉的对话还能找回来吗？');
  expect(answer).toContain('撤销');

  const newest = page.getByRole('article', { name: '咨询台的回答' }).last();
  await newest.getByRole('button', { name: '引用 1' }).first().click();
  const card = page.getByRole('dialog', { name: /引用 1/ });
  await expect(card).toBeVisible();
  const quote = (await card.locator('blockquote').textContent())!.trim();
  expect(quote.length).toBeGreaterThan(4);
  await card.getByText('打开原文').click();
  const source = page.getByRole('dialog').filter({ has: page.locator('mark') });
  await expect(source).toContainText(quote.slice(0, 20));
  await page.keyboard.press('Escape');
  await expect(source).toBeHidden();
});

test('an English question gets an English answer', async ({ page, desk }) => {
  await page.goto(`${desk.url}/chatbot/index`);
  const answer = await ask(page, 'How do I run it on a different port?');
  expect(answer).toContain('PORT');
  expect(answer).toMatch(/[a-z]{4,} [a-z]{2,}/);
});

test('what the desk does not know it says, and offers questions that it can answer', async ({
  page,
  desk,
}) => {
  await page.goto(`${desk.url}/chatbot/index`);
  await ask(page, '火星上的氧气浓度是多少？');
  const newest = page.getByRole('article', { name: '咨询台的回答' }).last();
  await expect(newest).toContainText('没有足够的依据');
  await newest.getByRole('button', { name: /[？?]/ }).first().click();
  await finishedAnswer(page);
  await expect(page.getByRole('article', { name: '我的问题' })).toHaveCount(2);
});

test('a reload keeps the conversation, its answer and the draft', async ({ page, desk }) => {
  await page.goto(`${desk.url}/chatbot/index`);
  const answer = await ask(page, '怎样切换成英文界面？');
  await page.getByPlaceholder('请输入问题').fill('写到一半的问题');
  await page.reload();
  await expect(page.getByRole('article', { name: '我的问题' })).toContainText('怎样切换成英文界面？');
  expect(await finishedAnswer(page)).toContain(answer.slice(10, 40));
  await expect(page.getByPlaceholder('请输入问题')).toHaveValue('写到一半的问题');
});

test('the language switch speaks English everywhere and is kept', async ({ page, desk }) => {
  await page.goto(`${desk.url}/chatbot/index`);
  await page.getByRole('button', { name: /switch to English/ }).click();
  await expect(page.locator('html')).toHaveAttribute('lang', 'en');
  await expect(page.getByPlaceholder('Your question')).toBeVisible();
  await page.reload();
  await expect(page.getByRole('button', { name: 'Send' })).toBeVisible();
});
