import type { Page } from 'playwright/test';
import type { InboxDetail, InboxPage } from '../../api/src/contract/handover.ts';
import type { Visitor } from '../../api/src/testing/visitor.ts';
import { answers, expect, question, sendQuestion, test } from './chat-page.ts';
import { checkScreen } from './check-screen.ts';
import { EDITOR } from './desk-test.ts';
import { finishedAnswer, PASSWORD, signedIn, signUpAndIn } from './visit.ts';

const dialog = (page: Page) => page.getByRole('dialog', { name: '转人工' });
const thread = (page: Page) => page.getByRole('article', { name: '人工会话' });

/** Replies to the handover with this question as an editor. */
async function replyTo(editor: Visitor, asked: string, text: string): Promise<void> {
  const { body } = await editor.call<InboxPage>('GET', '/api/inbox?state=open&limit=100');
  const { id } = body.handovers.find((one) => one.question === asked)!;
  const message = { text, clientId: `e2e ${text}` };
  const { status } = await editor.call<InboxDetail>('POST', `/api/inbox/${id}/messages`, message);
  expect(status).toBe(200);
}

// Failures, drafts and several handovers: mfe-chat/src/people/handover.test.tsx.
test('a guest asks a person about an unanswered question, and the reply appears without a reload and after one', async ({
  page,
  desk,
}) => {
  const editor = await signedIn(desk.url, EDITOR);
  const asked = '青花瓷碗摔碎了能换吗？';
  await page.goto(`${desk.url}/chatbot/index`);
  await sendQuestion(page, asked);
  expect(await finishedAnswer(page)).toMatch(/没有找到|没有直接的答案/);
  await answers(page).getByRole('button', { name: '转人工' }).click();
  await expect(dialog(page).getByLabel('您的问题')).toHaveValue(asked);
  await dialog(page).getByLabel('联系方式').fill('13800138000');
  await checkScreen(page, 'the form to ask a person');
  await dialog(page).getByRole('button', { name: '提交给人工' }).click();
  await expect(thread(page)).toContainText('等待同事接手');

  await replyTo(editor, asked, '可以换。\n请先拍照。');
  await expect(thread(page)).toContainText('请先拍照。');
  await expect(thread(page)).toContainText(`${EDITOR} 已回复`);
  await checkScreen(page, 'a reply of a person');

  // The one text field now writes to the person.
  await expect(page.getByRole('radio', { name: EDITOR })).toBeChecked();
  await page.getByLabel(`写给${EDITOR}的话`).fill('好的，谢谢');
  await page.getByLabel(`写给${EDITOR}的话`).press('Enter');
  await expect(thread(page)).toContainText('正在处理');
  await page.reload();
  await expect(thread(page)).toContainText('请先拍照。');
  await expect(thread(page)).toContainText('好的，谢谢');

  // In another conversation the reply shows as a sign in the list.
  await page.getByRole('button', { name: '新咨询' }).click();
  await expect(thread(page)).toBeHidden();
  await replyTo(editor, asked, '不客气。');
  const row = page.getByRole('group', { name: '会话列表' }).getByRole('link', { name: /新回复/ });
  await expect(row).toBeVisible();
  await checkScreen(page, 'a conversation with a new reply');
  await row.click();
  await expect(thread(page)).toContainText('不客气。');
  await expect(row).toBeHidden();
  await page.reload();
  await expect(thread(page)).toContainText('不客气。');
  await expect(row).toBeHidden();
});

test('on a phone by keyboard only, a new conversation starts with a person and is closed', async ({
  page,
  desk,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`${desk.url}/chatbot/index`);
  await question(page).fill('请让人看看我的合同');
  const ask = page.getByRole('button', { name: '转人工' });
  await ask.press('Enter');
  await expect(dialog(page).getByLabel('您的问题')).toBeFocused();
  await expect(dialog(page).getByLabel('您的问题')).toHaveValue('请让人看看我的合同');
  await checkScreen(page, 'the form on a phone');
  await page.keyboard.press('Escape');
  await expect(ask).toBeFocused();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  await page.keyboard.type('dev@northwind.cn');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\?c=[0-9a-f]{24}$/);
  await expect(thread(page)).toContainText('请让人看看我的合同');
  await expect(question(page)).toHaveValue('');
  await checkScreen(page, 'a thread on a phone');

  await page.getByRole('button', { name: '查看人工会话' }).first().press('Enter');
  const field = page.getByLabel('写给同事的话');
  await expect(field).toBeFocused();
  await page.keyboard.type('第 3 页');
  await page.keyboard.press('Enter');
  await expect(thread(page).getByRole('listitem')).toHaveCount(2);
  await page.keyboard.press('Shift+Tab');
  await expect(page.getByRole('radio', { name: '同事' })).toBeFocused();
  await page.keyboard.press('ArrowLeft');
  await expect(page.getByRole('radio', { name: '咨询台' })).toBeChecked();
  await expect(question(page)).toBeVisible();
  await checkScreen(page, 'the recipients on a phone');
  await thread(page).getByRole('button', { name: '结束人工会话' }).press('Enter');
  await expect(thread(page)).toBeFocused();
  await expect(thread(page)).toContainText('已结束');
  await expect(ask.first()).toBeVisible();
});

test('a thread moves to the account at sign-in, and is deleted and restored with its conversation', async ({
  page,
  desk,
}) => {
  const editor = await signedIn(desk.url, EDITOR);
  const asked = '请帮我核对一份旧合同';
  await page.goto(`${desk.url}/chatbot/index`);
  await question(page).fill(asked);
  await page.getByRole('button', { name: '转人工' }).press('Enter');
  await dialog(page).getByRole('button', { name: '提交给人工' }).click();
  await expect(thread(page)).toContainText(asked);

  await signUpAndIn(page, desk.url, 'handover-reader', PASSWORD);
  // The stored request is followed although its conversation is not open.
  const list = page.getByRole('group', { name: '会话列表' });
  await expect(list.getByRole('link', { name: asked })).toBeVisible();
  await replyTo(editor, asked, '请发来扫描件');
  await expect(list.getByRole('link', { name: /新回复/ })).toBeVisible();
  await list.getByRole('link', { name: asked }).click();
  await expect(thread(page)).toContainText('请发来扫描件');

  await list.getByRole('button', { name: `更多：${asked}` }).click();
  await page.getByRole('menuitem', { name: '删除会话' }).click();
  await expect(thread(page)).toBeHidden();
  await expect(page).toHaveURL(/\/index$/);
  await page.getByRole('button', { name: '撤销' }).click();
  await list.getByRole('link', { name: asked }).click();
  await expect(thread(page)).toContainText('请发来扫描件');
});
