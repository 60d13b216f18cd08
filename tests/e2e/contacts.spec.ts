import type { Page } from 'playwright/test';
import { createVisitor } from '../../api/src/testing/visitor.ts';
import { answers, expect, question, questions, sendQuestion, test } from './chat-page.ts';
import { expectNoOverflow } from './check-screen.ts';
import { askAs } from './records.ts';
import { applySession, finishedAnswer, openAs } from './visit.ts';

const chip = (page: Page) => page.getByRole('button', { name: /咨询，(选择|更换)联系人/ });
const dialog = (page: Page) => page.getByRole('dialog', { name: '为谁咨询' });
const threads = (page: Page) => page.getByRole('group', { name: '会话列表' }).getByRole('link');
const results = (page: Page) => page.getByRole('group', { name: '搜索结果' }).getByRole('link');

// Ambiguous names and other ways to choose: mfe-chat/src/people/contacts.test.tsx.
test('records a question for the typed contact, recognises its other spellings, and keeps it after a reload', async ({
  page,
  deskWithModel: desk,
}) => {
  await page.goto(`${desk.url}/chatbot/index`);
  await expect(chip(page)).toHaveText('为本人咨询');
  await chip(page).press('Enter');
  await dialog(page).getByRole('combobox').fill('+86 138-0013-8000');
  await dialog(page).getByRole('textbox', { name: '姓名（可不填）' }).fill('张三');
  await dialog(page).getByRole('textbox', { name: '姓名（可不填）' }).press('Enter');
  await expect(dialog(page)).toBeHidden();
  const sent = page.waitForRequest((request) => request.url().endsWith('/api/chat'));
  await sendQuestion(page, '退款几天到账');
  expect((await sent).postDataJSON()).toMatchObject({ contact: '+86 138-0013-8000', contactName: '张三' });
  await finishedAnswer(page);

  await page.reload();
  await expect(chip(page)).toHaveText('张三 13800138000');
  await expect(questions(page)).toContainText('为 张三 咨询');
  await expect(threads(page)).toContainText('张三');

  await chip(page).press('Enter');
  await expect(dialog(page).getByRole('option')).toHaveText([/本人/, /张三\s*13800138000/]);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(chip(page)).toHaveText('为本人咨询');
  await sendQuestion(page, '再问一句');
  await finishedAnswer(page);
  await expect(questions(page)).toHaveText([/为 张三 咨询/, /^再问一句/]);
});

test('long names of contacts and accounts cover nothing, in a wide and a narrow window', {
  tag: '@long',
}, async ({ page, deskWithModel: desk }) => {
  const username = `${'李雷的用户名'.repeat(5)}${'w'.repeat(30)}`;
  const visitor = await openAs(page, desk.url, username);
  const contact = '陈'.repeat(118);
  const [asked] = await askAs(visitor, [
    { text: '怎样删除会话？', contact },
    { text: '短的', contact: 'w'.repeat(45) },
  ]);
  await page.goto(`${desk.url}/chatbot/index?c=${asked!.conversationId}`);
  const list = page.getByRole('log');
  for (const width of [1280, 390, 320]) {
    await page.setViewportSize({ width, height: 800 });
    const bubble = (await questions(page).getByText('怎样删除会话？').boundingBox())!;
    const frame = (await list.boundingBox())!;
    expect(bubble.x).toBeGreaterThanOrEqual(frame.x);
    expect(bubble.x + bubble.width).toBeLessThanOrEqual(frame.x + frame.width);
    expect(await list.evaluate((log) => log.scrollWidth - log.clientWidth)).toBeLessThanOrEqual(0);
    await expectNoOverflow(page, `long names at ${width}`);
  }
  await page.setViewportSize({ width: 1280, height: 800 });
  const records = page.getByRole('link', { name: '查看记录' });
  const card = (await page.locator('#side').boundingBox())!;
  const link = (await records.boundingBox())!;
  expect(link.x + link.width).toBeLessThan(card.x + card.width);
});

test('rates an answer with a note, which survives a reload', async ({ page, deskWithModel: desk }) => {
  const visitor = createVisitor(desk.url);
  const [asked] = await askAs(visitor, [{ text: '说 3 句' }]);
  await applySession(page, desk.url, visitor);
  await page.goto(`${desk.url}/chatbot/index?c=${asked!.conversationId}`);
  const unhelpful = answers(page).getByRole('button', { name: '没有帮助' });
  const noted = page.waitForResponse(
    (response) => response.url().endsWith('/api/feedback') && response.request().postDataJSON().note,
  );
  await unhelpful.click();
  const note = page.getByRole('dialog', { name: '哪里没有帮助' });
  await note.getByRole('textbox').fill('答非所问');
  await note.getByRole('button', { name: '提交' }).click();
  expect((await noted).ok()).toBe(true);
  await expect(note).toBeHidden();
  await page.reload();
  await expect(unhelpful).toHaveAttribute('aria-pressed', 'true');
});

test('searches all conversations in the side panel and opens the found message, also on a phone', async ({
  page,
  deskWithModel: desk,
}) => {
  const visitor = createVisitor(desk.url);
  await askAs(visitor, [{ text: '发票抬头写错了，说 30 句' }, { text: '运费由谁承担' }]);
  await applySession(page, desk.url, visitor);
  await page.goto(`${desk.url}/chatbot/index`);
  await expect(threads(page)).toHaveCount(2);
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

  await page.setViewportSize({ width: 390, height: 844 });
  await page.reload();
  await page.getByRole('button', { name: '展开会话' }).click();
  await box.fill('运费');
  await results(page).click();
  await expect(page.locator('#side')).toBeHidden();
  await expect(marked).toContainText('运费由谁承担');
  await expect(question(page)).toBeVisible();
});
