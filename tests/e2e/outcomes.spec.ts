import { addDocument, whenIndexed } from '../../api/src/testing/knowledge-calls.ts';
import { answers, expect, sendQuestion, test } from './chat-page.ts';
import { checkScreen } from './check-screen.ts';
import { EDITOR } from './desk-test.ts';
import { finishedAnswer, signedIn } from './visit.ts';

const RULES = `# 琴房使用办法

## 预约

琴房由教务处统一管理，钥匙放在一楼值班室，各班轮流打扫，乐器的检查每学期一次。${'值日表贴在门后，请按时打扫并关好门窗。'.repeat(14)}

三角钢琴每次最多可以预约两小时，取消须提前半天。
`;

test('the sentence that answers is marked and its section folded; what is not found offers a person first', async ({
  page,
  desk,
}) => {
  const editor = await signedIn(desk.url, EDITOR);
  const { body } = await addDocument(editor, '琴房使用办法.md', new TextEncoder().encode(RULES));
  expect(await whenIndexed(editor, body.document.id)).toMatchObject({ status: 'ready' });
  await page.goto(`${desk.url}/chatbot/index`);

  await sendQuestion(page, '三角钢琴每次最多可以预约多久？');
  await finishedAnswer(page);
  const answer = answers(page).last();
  await expect(answer.locator('strong').first()).toContainText('最多可以预约两小时');
  const folded = answer.getByText('琴房由教务处统一管理', { exact: false });
  await expect(folded).toBeHidden();
  await answer.getByText('本节其余内容').focus();
  await page.keyboard.press('Enter');
  await expect(folded).toBeVisible();
  await expect(answer.getByRole('group', { name: '引用' })).toContainText('琴房使用办法');

  await sendQuestion(page, '火星基地的氧气面罩由谁更换？');
  await finishedAnswer(page);
  await expect(answers(page).last()).toContainText('没有找到');
  await expect(answers(page).last().getByRole('button').first()).toHaveAccessibleName('转人工');
  await checkScreen(page, 'an answer that is found and one that is not');
  await page.setViewportSize({ width: 390, height: 844 });
  await checkScreen(page, 'the same on a phone');
});
