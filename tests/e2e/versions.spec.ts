import { answers, expect, sendQuestion, test } from './chat-page.ts';
import { checkScreen } from './check-screen.ts';
import { finishedAnswer } from './visit.ts';

test.use({ viewport: { width: 390, height: 844 } });

// Deleted versions, archives and files: api/src/chat/question-versions.test.ts.
test('a question is edited and switched between its versions by keyboard, also after a reload and in the records', async ({
  page,
  desk,
}) => {
  await page.goto(`${desk.url}/chatbot/index`);
  await sendQuestion(page, '知识库里的文档怎样删除');
  await finishedAnswer(page);
  await sendQuestion(page, '怎样导出记录？');
  await finishedAnswer(page);

  const first = page.getByRole('article').first();
  await first.getByRole('button', { name: '修改问题' }).press('Enter');
  const editor = page.getByRole('textbox', { name: '修改问题' });
  await expect(editor).toBeFocused();
  await checkScreen(page, 'editing a question');
  await editor.fill('怎样上传文档？');
  await editor.press('Enter');
  await expect(first).toContainText('2/2');
  await expect(first.getByRole('button', { name: '修改问题' })).toBeFocused();
  await expect(first.getByRole('button', { name: '上一版' })).toHaveAttribute('aria-disabled', 'false');
  await expect(answers(page)).toHaveCount(2);
  const edited = (await answers(page).first().textContent()) ?? '';
  await checkScreen(page, 'a question with two versions');

  await page.reload();
  await expect(first).toContainText('怎样上传文档？');
  await first.getByRole('button', { name: '上一版' }).press('Enter');
  await expect(first).toContainText('知识库里的文档怎样删除');
  await expect(answers(page).first()).not.toHaveText(edited);

  await page.goto(`${desk.url}/chatbot/history`);
  const row = page.getByRole('listitem').filter({ hasText: '怎样上传文档？' });
  await expect(row).toContainText('第 2 版');
});
