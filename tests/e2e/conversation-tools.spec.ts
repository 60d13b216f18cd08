import type { Page } from 'playwright/test';
import { createVisitor } from '../../api/src/testing/visitor.ts';
import { answers, expect, questions, test } from './chat-page.ts';
import { checkScreen } from './check-screen.ts';
import { askAs } from './records.ts';
import { applySession } from './visit.ts';

// The revoked link.
test.use({ expectedErrors: /status of 404 .*\/api\/shared/ });

const threads = (page: Page) =>
  page.getByRole('group', { name: /^(会话列表|已归档的会话)$/ }).getByRole('link');

/** Chooses an action on a conversation by keyboard. */
async function choose(page: Page, title: string, item: string): Promise<void> {
  await page.getByRole('button', { name: `更多：${title}` }).press('Enter');
  await page.getByRole('menuitem', { name: item }).press('Enter');
}

// Failures, undo and printing: mfe-chat/src/sidebar/conversation-tools.test.tsx; the API: api/src/chat/share-routes.test.ts.
test('a conversation is pinned, archived, exported, and shared until its owner revokes the link, by keyboard on a phone', async ({
  page,
  deskWithModel: desk,
  newVisitor,
}) => {
  const visitor = createVisitor(desk.url);
  await askAs(visitor, [{ text: '第一个问题' }, { text: '第二个问题' }, { text: '第三个问题' }]);
  await applySession(page, desk.url, visitor);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`${desk.url}/chatbot/index`);
  await page.getByRole('button', { name: '展开会话' }).press('Enter');
  await expect(threads(page)).toHaveText([/第三/, /第二/, /第一/]);

  await choose(page, '第一个问题', '置顶');
  await expect(threads(page)).toHaveText([/第一/, /第三/, /第二/]);
  await choose(page, '第三个问题', '归档');
  await expect(threads(page)).toHaveText([/第一/, /第二/]);
  await expect(threads(page).last()).toBeFocused();
  await page.reload();
  await page.getByRole('button', { name: '展开会话' }).press('Enter');
  await expect(threads(page)).toHaveText([/第一/, /第二/]);
  await checkScreen(page, 'pinned and archived conversations');
  await page.getByRole('button', { name: '已归档' }).press('Enter');
  await expect(threads(page)).toHaveText([/第三/]);
  await checkScreen(page, 'the archived conversations');
  await page.getByRole('button', { name: '全部会话' }).press('Enter');

  for (const [item, name] of [
    ['导出 Markdown', '第一个问题.md'],
    ['导出 PDF', '第一个问题.pdf'],
  ] as const) {
    const download = page.waitForEvent('download');
    await choose(page, '第一个问题', item);
    expect((await download).suggestedFilename()).toBe(name);
  }

  await choose(page, '第一个问题', '分享…');
  const dialog = page.getByRole('dialog', { name: '分享会话' });
  await dialog.getByRole('button', { name: '创建链接' }).press('Enter');
  const link = await dialog.getByRole('textbox', { name: '链接' }).inputValue();
  await checkScreen(page, 'a link');

  const reader = await newVisitor({ viewport: { width: 390, height: 844 }, locale: 'zh-CN' });
  const requests: string[] = [];
  reader.on('request', (request) => requests.push(request.url()));
  const response = await reader.goto(link);
  expect(response?.headers()['x-robots-tag']).toBe('noindex, nofollow');
  await expect(reader.getByRole('heading', { level: 1 })).toHaveText('第一个问题');
  await expect(reader.getByRole('heading', { name: '回答' })).toBeVisible();
  await expect(questions(reader).or(answers(reader)).or(reader.getByRole('textbox'))).toHaveCount(0);
  await checkScreen(reader, 'a shared conversation');
  const token = new URL(link).hash.slice(1);
  expect(requests.filter((url) => url.includes(token) && !url.endsWith(`#${token}`))).toEqual([]);

  await dialog.getByRole('button', { name: '撤销链接' }).press('Enter');
  await expect(dialog.getByText('链接已失效')).toBeVisible();
  await reader.reload();
  await expect(reader.getByRole('alert')).toContainText('这个链接不再可用');
  await expect(reader.getByText('第一个问题')).toHaveCount(0);
  await checkScreen(reader, 'a revoked link');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: '更多：第一个问题' })).toBeFocused();
});
