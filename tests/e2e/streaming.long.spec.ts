import type { Page } from 'playwright/test';
import { startDesk, temporaryDataDir } from '../start-desk.ts';
import {
  answers,
  expect,
  modelEnv,
  SENTENCES_BEFORE_PAUSE,
  sendQuestion,
  sentence,
  test,
  wholeAnswer,
} from './chat-page.ts';

const newest = (page: Page) => answers(page).last();

test.use({ expectedErrors: /net::ERR_.* \(http:[^)]*\/(api|ops)\// });

test('after the server is killed and restarted, the answer has failed and its partial text is kept', async ({
  page,
  model,
  pace,
}) => {
  const data = await temporaryDataDir();
  const options = { dataDir: data.dataDir, env: modelEnv(model) };
  let desk = await startDesk(options);
  try {
    await page.goto(`${desk.url}/chatbot/index`);
    await sendQuestion(page, '等，被杀之前说 400 句');
    await expect(newest(page)).toContainText(sentence(SENTENCES_BEFORE_PAUSE));
    // The partial answer is saved with a delay.
    await expect.poll(() => savedText(page, desk.url)).toContain(sentence(10));
    await desk.kill();
    pace.continueAnswers();
    await expect(page.getByText('连接中断，正在恢复')).toBeVisible();
    desk = await startDesk({ ...options, port: Number(new URL(desk.url).port) });
    await expect(newest(page).getByRole('alert')).toContainText('回答中断', { timeout: 60_000 });
    await expect(newest(page)).toContainText(wholeAnswer(10));
    await expect(page.getByText('连接中断，正在恢复')).toBeHidden();
    await newest(page).getByRole('button', { name: '重新回答' }).click();
    await expect(newest(page)).toContainText(sentence(12));
    await expect(newest(page)).toContainText(sentence(400));
  } finally {
    await desk.kill();
    await data.remove();
  }
});

/** The stored text of the newest answer of the open conversation. */
async function savedText(page: Page, url: string): Promise<string> {
  const id = new URL(page.url()).searchParams.get('c');
  const response = await page.request.get(`${url}/api/conversations/${id}/records`);
  return (await response.json()).records?.[0]?.answer ?? '';
}
