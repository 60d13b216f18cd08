import { collectReports } from './broken-release.ts';
import {
  answers,
  expect,
  SENTENCES_BEFORE_PAUSE,
  sendQuestion,
  sentence,
  test,
  wholeAnswer,
} from './chat-page.ts';
import { translatePage } from './translate-page.ts';
import { finishedAnswer } from './visit.ts';

test('on a translated page an answer streams completely, and lists change, without a failure of a release', async ({
  page,
  deskWithModel: desk,
  pace,
}) => {
  const events = await collectReports(page);
  await translatePage(page);
  await page.goto(`${desk.url}/chatbot/index`);
  await sendQuestion(page, '等，说 40 句');
  const answer = answers(page).last();
  await expect(answer).toContainText(sentence(SENTENCES_BEFORE_PAUSE));
  await expect(answer.locator('font').first()).toBeAttached();
  pace.continueAnswers();
  await finishedAnswer(page);
  await expect(answer).toContainText(wholeAnswer(40));

  await page.getByRole('navigation').getByRole('link', { name: '记录' }).click();
  const found = page.getByText('等，说 40 句').first();
  await expect(found).toBeVisible();
  const search = page.getByRole('searchbox');
  for (const words of ['没有这样的记录', '', '40 句', '']) {
    await search.fill(words);
    await search.press('Enter');
    if (words.startsWith('没有')) await expect(found).toBeHidden();
    else await expect(found).toBeVisible();
  }
  expect((await events()).filter(({ kind }) => kind === 'failure' || kind === 'error')).toEqual([]);
});
