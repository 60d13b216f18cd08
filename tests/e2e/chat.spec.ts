import type { Page } from 'playwright/test';
import { answers, expect, put, question, questions, test } from './talking-desk.ts';
import { finishedAnswer, signIn, signUpAndIn } from './visit.ts';

const threads = (page: Page) => page.getByRole('group', { name: '会话列表' }).getByRole('link');

test('an Enter that confirms what an input method composes does not send, the next one does', async ({
  page,
  desk,
}) => {
  await page.goto(`${desk.url}/chatbot/index`);
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

test('Enter sends, Shift and Enter break the line, and the question keeps its lines', async ({
  page,
  desk,
}) => {
  await page.goto(`${desk.url}/chatbot/index`);
  await question(page).pressSequentially('第一行');
  await question(page).press('Shift+Enter');
  await question(page).pressSequentially('第二行');
  await expect(question(page)).toHaveValue('第一行\n第二行');
  await question(page).press('Enter');
  await expect(questions(page)).toHaveText(/第一行\n第二行/, { useInnerText: true });
});

test('8,001 characters are told and kept, 8,000 are sent', async ({ page, desk }) => {
  await page.goto(`${desk.url}/chatbot/index`);
  await question(page).fill('长'.repeat(8001));
  await expect(page.getByRole('alert')).toContainText('8,001');
  await question(page).press('Enter');
  await expect(question(page)).toHaveValue('长'.repeat(8001));
  await expect(page.getByRole('article')).toHaveCount(0);
  await put(page, '长'.repeat(8000));
  await expect(questions(page)).toHaveCount(1);
  await finishedAnswer(page);
});

test.describe('a question that cannot be sent', () => {
  test.use({ expectedErrors: /Failed to load resource/ });

  test('keeps its words, says so, and goes out at the next try', async ({ page, desk }) => {
    await page.goto(`${desk.url}/chatbot/index`);
    await expect(page.getByRole('complementary').getByText('还没有会话', { exact: true })).toBeVisible();
    await page.route('**/api/chat', (route) => route.abort());
    await put(page, '没有发出的问题');
    await expect(page.getByText('没有发出，内容已保留')).toBeVisible();
    await expect(questions(page)).toContainText('没有发出的问题');
    await page.unroute('**/api/chat');
    await answers(page).getByRole('button', { name: '重新回答' }).click();
    expect(await finishedAnswer(page)).toContain('这是第 3 句');
    await expect(page.getByText('没有发出，内容已保留')).toBeHidden();
    await expect(questions(page)).toHaveCount(1);
  });
});

test.describe('drafts', () => {
  test.use({ expectedErrors: /status of 401/ });

  test('a draft belongs to its conversation, survives a reload and the end of a session, and goes with a sign-out', async ({
    page,
    desk,
  }) => {
    await signUpAndIn(page, desk.url, 'drafts', 'a-long-password');
    await put(page, '会话甲');
    await finishedAnswer(page);
    await question(page).fill('甲的草稿');
    await page.getByRole('button', { name: '新咨询' }).click();
    await expect(question(page)).toHaveValue('');
    await put(page, '会话乙');
    await finishedAnswer(page);
    await question(page).fill('乙的草稿');
    await threads(page).filter({ hasText: '会话甲' }).click();
    await expect(question(page)).toHaveValue('甲的草稿');

    // Its session ends elsewhere: the next call is refused.
    const token = await page.evaluate(() =>
      Object.entries(localStorage).find(([key]) => key.startsWith('__persist__user')),
    );
    const bearer = /"([\w-]{20,})"/.exec(token![1])![1]!;
    await page.request.post(`${desk.url}/admin/logout`, {
      headers: { Authorization: `Bearer ${bearer}` },
      data: {},
    });
    await page.reload();
    await expect(page).toHaveURL(/\/login/);
    await signIn(page, 'drafts', 'a-long-password');
    await threads(page).filter({ hasText: '会话甲' }).click();
    await expect(question(page)).toHaveValue('甲的草稿');
    await threads(page).filter({ hasText: '会话乙' }).click();
    await expect(question(page)).toHaveValue('乙的草稿');

    await page.getByRole('button', { name: /账号/ }).click();
    await page.getByRole('menuitem', { name: /退出/ }).click();
    await expect(page.getByRole('link', { name: '登录' }).first()).toBeVisible();
    const kept = await page.evaluate(() => JSON.stringify({ ...localStorage }));
    expect(kept).not.toContain('的草稿');
  });
});

test('a conversation is renamed, deleted and brought back', async ({ page, desk }) => {
  await page.goto(`${desk.url}/chatbot/index`);
  await put(page, '旧的名称');
  await finishedAnswer(page);
  await page.getByRole('button', { name: '更多：旧的名称' }).click();
  await page.getByRole('menuitem', { name: '重命名' }).click();
  await page.getByLabel('会话名称').fill('新的名称');
  await page.getByLabel('会话名称').press('Enter');
  await expect(threads(page)).toContainText('新的名称');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('新的名称');
  await page.reload();
  await expect(threads(page)).toContainText('新的名称');

  await page.getByRole('button', { name: '更多：新的名称' }).click();
  await page.getByRole('menuitem', { name: '删除会话' }).click();
  await expect(threads(page)).toHaveCount(0);
  await expect(questions(page)).toHaveCount(0);
  await page.getByText('已删除 1 条，7 天内可撤销').waitFor();
  await page.getByRole('button', { name: '撤销' }).press('Enter');
  await expect(page.getByRole('button', { name: '撤销' })).toBeHidden();
  await expect(page.locator(':focus')).toBeVisible();
  await threads(page).filter({ hasText: '新的名称' }).click();
  await expect(questions(page)).toContainText('旧的名称');
});

test('back and forward go from conversation to conversation, and a switch of language loses nothing', async ({
  page,
  desk,
}) => {
  await page.goto(`${desk.url}/chatbot/index`);
  await put(page, '会话一');
  await finishedAnswer(page);
  await page.getByRole('button', { name: '新咨询' }).click();
  await put(page, '会话二');
  await finishedAnswer(page);
  await threads(page).filter({ hasText: '会话一' }).click();
  await expect(questions(page)).toContainText('会话一');
  await page.goBack();
  await expect(questions(page)).toContainText('会话二');
  await page.goForward();
  await expect(questions(page)).toContainText('会话一');

  await put(page, '说 40 句');
  await question(page).fill('还没写完');
  await page.getByRole('button', { name: /switch to English/ }).click();
  await expect(page.getByPlaceholder('Your question')).toHaveValue('还没写完');
  const english = page.getByRole('article', { name: 'Answer of the desk' });
  await expect(english).toHaveCount(2);
  await expect(english.last()).toContainText('这是第 40 句');
  await expect(english.last().getByRole('button', { name: 'Copy answer' })).toBeVisible();
});

test('two tabs: what one asks the other lists, and each keeps what it shows', async ({
  page,
  desk,
  context,
}) => {
  await page.goto(`${desk.url}/chatbot/index`);
  await put(page, '第一个标签页');
  await finishedAnswer(page);
  const other = await context.newPage();
  await other.goto(page.url());
  await expect(answers(other)).toContainText('这是第 3 句');
  await other.getByRole('button', { name: '新咨询' }).click();
  await put(other, '第二个标签页');
  await finishedAnswer(other);
  await expect(questions(page)).toHaveText(/第一个标签页/);
  await page.bringToFront();
  await page.getByRole('button', { name: '新咨询' }).click();
  await put(page, '又是第一个');
  await finishedAnswer(page);
  await expect(threads(page)).toHaveCount(3);
  await other.close();
});

test('the side panel stays 333 px and the list at most 500 px, however high the window is', async ({
  page,
  desk,
}) => {
  await page.goto(`${desk.url}/chatbot/index`);
  await put(page, '说 60 句');
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
