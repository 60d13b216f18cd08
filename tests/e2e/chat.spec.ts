import type { Page } from 'playwright/test';
import { createVisitor } from '../../api/src/testing/visitor.ts';
import { answers, expect, question, questions, sendQuestion, sentence, test } from './chat-page.ts';
import { askAs } from './records.ts';
import { expectToast } from './toasts.ts';
import { applySession, finishedAnswer } from './visit.ts';

const threads = (page: Page) => page.getByRole('group', { name: '会话列表' }).getByRole('link');

// Needs a browser: the events of a real input method. Other tests of the keys: mfe-chat/src/chat.test.tsx.
test('Enter confirms a composition without sending; the next Enter sends', async ({
  page,
  deskWithModel,
}) => {
  await page.goto(`${deskWithModel.url}/chatbot/index`);
  await question(page).focus();
  const client = await page.context().newCDPSession(page);
  const press = async (windowsVirtualKeyCode: number) => {
    const key = { key: 'Enter', code: 'Enter', windowsVirtualKeyCode };
    await client.send('Input.dispatchKeyEvent', { type: 'rawKeyDown', ...key });
  };
  const compose = (text: string) =>
    client.send('Input.imeSetComposition', { text, selectionStart: text.length, selectionEnd: text.length });
  await compose('ni hao');
  await press(229);
  await client.send('Input.insertText', { text: '你好' });
  await client.send('Input.dispatchKeyEvent', { type: 'keyUp', key: 'Enter', code: 'Enter' });
  await expect(question(page)).toHaveValue('你好');
  await compose('ma');
  await press(13);
  await client.send('Input.insertText', { text: '吗' });
  await client.send('Input.dispatchKeyEvent', { type: 'keyUp', key: 'Enter', code: 'Enter' });
  await expect(question(page)).toHaveValue('你好吗');
  await expect(page.getByRole('article')).toHaveCount(0);

  await question(page).press('Enter');
  await expect(questions(page)).toContainText('你好吗');
  await expect(question(page)).toHaveValue('');
});

test('opens conversations by back and forward, renames, deletes and restores them', async ({
  page,
  deskWithModel: desk,
}) => {
  const visitor = createVisitor(desk.url);
  await askAs(visitor, [{ text: '会话一' }, { text: '会话二' }]);
  await applySession(page, desk.url, visitor);
  await page.goto(`${desk.url}/chatbot/index`);
  for (const title of ['会话二', '会话一']) {
    await threads(page).filter({ hasText: title }).click();
    await expect(questions(page)).toContainText(title);
  }
  await page.goBack();
  await expect(questions(page)).toContainText('会话二');
  await page.goForward();
  await expect(questions(page)).toContainText('会话一');

  await page.getByRole('button', { name: '更多：会话一' }).click();
  await page.getByRole('menuitem', { name: '重命名' }).click();
  await page.getByLabel('会话名称').fill('新的名称');
  await page.getByLabel('会话名称').press('Enter');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('新的名称');
  await page.reload();
  await expect(threads(page).filter({ hasText: '新的名称' })).toBeVisible();

  await page.getByRole('button', { name: '更多：新的名称' }).click();
  await page.getByRole('menuitem', { name: '删除会话' }).click();
  await expect(threads(page)).toHaveCount(1);
  await expect(questions(page)).toHaveCount(0);
  await expectToast(page, '已删除 1 条，7 天内可撤销');
  await page.getByRole('button', { name: '撤销' }).press('Enter');
  await expect(page.getByRole('button', { name: '撤销' })).toBeHidden();
  await expect(page.locator(':focus')).toBeVisible();
  await threads(page).filter({ hasText: '新的名称' }).click();
  await expect(questions(page)).toContainText('会话一');
});

test('switching the language during an answer loses nothing; another tab has its own conversation', async ({
  page,
  deskWithModel: desk,
  context,
  pace,
}) => {
  await page.goto(`${desk.url}/chatbot/index`);
  await sendQuestion(page, '等，说 40 句');
  await expect(page.getByRole('article', { name: '咨询台的回答' })).toContainText(sentence(5));
  await question(page).fill('还没写完');
  await page.getByRole('button', { name: /switch to English/ }).click();
  await expect(page.getByPlaceholder('Your question')).toHaveValue('还没写完');
  pace.continueAnswers();
  const english = page.getByRole('article', { name: 'Answer from the desk' });
  await expect(english).toContainText(sentence(40));
  await expect(english.getByRole('button', { name: 'Copy answer' })).toBeVisible();

  await page.getByRole('button', { name: /切换到中文/ }).click();
  await expect(question(page)).toHaveValue('还没写完');
  const other = await context.newPage();
  await other.goto(`${desk.url}/chatbot/index`);
  await sendQuestion(other, '第二个标签页');
  await finishedAnswer(other);
  await expect(threads(other)).toHaveCount(2);
  await expect(questions(page)).toHaveText(/等，说 40 句/);
  await sendQuestion(page, '又是第一个标签页');
  await finishedAnswer(page);
  await expect(threads(page)).toHaveCount(2);
  await expect(questions(page)).toHaveCount(2);
});

test('prints the whole conversation without buttons', {
  tag: '@long',
}, async ({ page, deskWithModel: desk }) => {
  const visitor = createVisitor(desk.url);
  const [first] = await askAs(visitor, [{ text: '第一个问题，说 60 句' }]);
  await askAs(visitor, [{ text: '第二个问题', conversationId: first!.conversationId }]);
  await applySession(page, desk.url, visitor);
  await page.goto(`${desk.url}/chatbot/index?c=${first!.conversationId}`);
  await expect(answers(page)).toHaveCount(2);
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
  const log = page.getByRole('log');
  await expect(log).toHaveCSS('overflow', 'visible');
  const paper = (await log.boundingBox())!;
  for (const article of await page.getByRole('article').all()) {
    const box = (await article.boundingBox())!;
    expect(box.y).toBeGreaterThanOrEqual(paper.y);
    expect(box.y + box.height).toBeLessThanOrEqual(paper.y + paper.height);
  }
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(page.getByRole('main').getByRole('button').filter({ visible: true })).toHaveCount(0);
  await expect(page.getByRole('textbox').filter({ visible: true })).toHaveCount(0);
  await expect(page.locator('#side')).toBeHidden();
});

test('the side panel is 333 px wide and the list at most 500 px, whatever the window height', async ({
  page,
  deskWithModel: desk,
}) => {
  await page.goto(`${desk.url}/chatbot/index`);
  await sendQuestion(page, '说 60 句');
  await expect(page.getByRole('log')).toContainText(sentence(60));
  for (const size of [
    { width: 1920, height: 1080 },
    { width: 1440, height: 900 },
    { width: 1280, height: 800 },
    { width: 1024, height: 560 },
    { width: 844, height: 390 },
    { width: 640, height: 400 },
  ]) {
    await page.setViewportSize(size);
    await expect(page.locator('#side')).toHaveCSS('width', '333px');
    const list = (await page.getByRole('log').boundingBox())!;
    expect(list.height).toBeLessThanOrEqual(500);
    expect(list.height).toBeGreaterThan(180);
    const field = (await question(page).boundingBox())!;
    expect(field.y + field.height).toBeLessThanOrEqual(size.height);
  }
});
