import type { Page } from 'playwright/test';
import { answers, expect, put, question, questions, test } from './talking-desk.ts';
import { finishedAnswer } from './visit.ts';

const chip = (page: Page) => page.getByRole('button', { name: /咨询，(选择|更换)联系人/ });
const dialog = (page: Page) => page.getByRole('dialog', { name: '为谁咨询' });
const threads = (page: Page) => page.getByRole('group', { name: '会话列表' }).getByRole('link');
const results = (page: Page) => page.getByRole('group', { name: '搜索结果' }).getByRole('link');
const helpful = (page: Page) => answers(page).last().getByRole('button', { name: '有帮助', exact: true });
const unhelpful = (page: Page) => answers(page).last().getByRole('button', { name: '没有帮助' });

/** Somebody new, by typing, with the keyboard alone. */
async function chooseNew(page: Page, contact: string, name: string) {
  await chip(page).press('Enter');
  await dialog(page).getByRole('combobox').fill(contact);
  await dialog(page).getByRole('textbox', { name: '姓名（可不填）' }).fill(name);
  await dialog(page).getByRole('textbox', { name: '姓名（可不填）' }).press('Enter');
  await expect(dialog(page)).toBeHidden();
}

test('whom a question is for: typed, sent, shown as one however it is written, kept over a reload', async ({
  page,
  desk,
}) => {
  await page.goto(`${desk.url}/chatbot/index`);
  await expect(chip(page)).toHaveText('为本人咨询');
  await chooseNew(page, '+86 138-0013-8000', '张三');
  await page.reload();
  await expect(chip(page)).toContainText('张三');
  const sent = page.waitForRequest((request) => request.url().endsWith('/api/chat'));
  await put(page, '退款几天到账');
  expect((await sent).postDataJSON()).toMatchObject({ contact: '+86 138-0013-8000', contactName: '张三' });
  await finishedAnswer(page);
  await expect(chip(page)).toHaveText('张三 13800138000');
  await expect(questions(page)).toContainText('为 张三 咨询');
  await expect(threads(page)).toContainText('张三');

  await page.reload();
  await expect(chip(page)).toHaveText('张三 13800138000');
  await expect(questions(page)).toContainText('为 张三 咨询');

  await chip(page).press('Enter');
  await expect(dialog(page).getByRole('option')).toHaveText([/本人/, /张三\s*13800138000/]);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(chip(page)).toHaveText('为本人咨询');
  await put(page, '再问一句');
  await finishedAnswer(page);
  await page.reload();
  await expect(chip(page)).toHaveText('为本人咨询');
  await expect(questions(page)).toHaveText([/为 张三 咨询/, /^再问一句$/]);

  await page.getByRole('button', { name: '新咨询' }).click();
  await expect(chip(page)).toHaveText('张三 13800138000');
});

test.describe('a name of two people', () => {
  test.use({ expectedErrors: /status of 409/ });

  test('keeps the question and offers both; choosing one sends it', async ({ page, desk }) => {
    await page.goto(`${desk.url}/chatbot/index`);
    for (const [contact, name, text] of [
      ['13900139000', '李四', '头一问'],
      ['li@example.com', '李四', '第二问'],
    ] as const) {
      await chooseNew(page, contact, name);
      await put(page, text);
      await finishedAnswer(page);
    }
    await chooseNew(page, '李四', '');
    await put(page, '是哪一位');
    const which = answers(page).last().getByRole('alert');
    await expect(which).toContainText('有几位联系人都叫“李四”');
    await expect(questions(page).last()).toContainText('是哪一位');
    await which.getByRole('button', { name: /li@example\.com/ }).click();
    await finishedAnswer(page);
    await expect(questions(page)).toHaveCount(3);
    await expect(chip(page)).toHaveText('李四 li@example.com');
  });
});

test('thumbs: given, taken back, with a note, kept over a reload and seen by another tab that comes back', async ({
  page,
  desk,
  context,
}) => {
  await page.goto(`${desk.url}/chatbot/index`);
  await put(page, '说 3 句');
  await finishedAnswer(page);
  await helpful(page).click();
  await expect(helpful(page)).toHaveAttribute('aria-pressed', 'true');
  await helpful(page).click();
  await expect(helpful(page)).toHaveAttribute('aria-pressed', 'false');

  const noted = page.waitForResponse(
    (response) => response.url().endsWith('/api/feedback') && response.request().postDataJSON().note,
  );
  await unhelpful(page).click();
  const note = page.getByRole('dialog', { name: '哪里没有帮助' });
  await note.getByRole('textbox').fill('答非所问');
  await note.getByRole('button', { name: '提交' }).click();
  expect((await noted).ok()).toBe(true);
  await expect(note).toBeHidden();
  await page.reload();
  await expect(unhelpful(page)).toHaveAttribute('aria-pressed', 'true');
  await expect(helpful(page)).toHaveAttribute('aria-pressed', 'false');

  const other = await context.newPage();
  await other.goto(page.url());
  await expect(unhelpful(other)).toHaveAttribute('aria-pressed', 'true');
  const kept = other.waitForResponse((response) => response.url().endsWith('/api/feedback'));
  await helpful(other).click();
  await kept;
  await other.close();
  // Headless tabs are all visible: this is what a browser says when one comes back to a tab.
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
  await expect(helpful(page)).toHaveAttribute('aria-pressed', 'true');
  await expect(unhelpful(page)).toHaveAttribute('aria-pressed', 'false');
});

test('the side panel finds what was said in any conversation and opens it there, also on a phone', async ({
  page,
  desk,
}) => {
  await page.goto(`${desk.url}/chatbot/index`);
  for (const text of ['发票抬头写错了，说 30 句', '运费由谁承担']) {
    await page.getByRole('button', { name: '新咨询' }).click();
    await put(page, text);
    await finishedAnswer(page);
  }
  const box = page.getByRole('searchbox', { name: '搜索会话' });
  await box.fill('发票抬头');
  await expect(results(page)).toHaveCount(1);
  await expect(results(page).locator('mark')).toHaveText('发票抬头');
  await expect(page.getByText('找到 1 条')).toBeVisible();
  await results(page).press('Enter');
  await expect(page).toHaveURL(/\?c=[0-9a-f]{24}&r=[0-9a-f]{24}$/);
  const marked = page.getByRole('article', { name: '我的问题' }).and(page.locator('[aria-current=true]'));
  await expect(marked).toContainText('发票抬头写错了');
  await expect(marked).toBeInViewport();
  await box.press('Escape');
  await expect(threads(page)).toHaveCount(2);
  await expect(box).toHaveValue('');

  await box.fill('这里没有的词');
  await expect(page.getByText('没有找到', { exact: true }).first()).toBeVisible();

  await page.setViewportSize({ width: 390, height: 844 });
  await page.reload();
  await page.getByRole('button', { name: '展开会话' }).click();
  await box.fill('运费');
  await expect(results(page)).toHaveCount(1);
  await box.press('Escape');
  await expect(box).toHaveValue('');
  await expect(page.locator('#side')).toBeVisible();
  await box.fill('运费');
  await results(page).click();
  await expect(page.locator('#side')).toBeHidden();
  await expect(marked).toContainText('运费由谁承担');
  await expect(question(page)).toBeVisible();
});
