import type { Page } from 'playwright/test';
import type { ChatAnswer } from '../../api/src/contract/chat.ts';
import type { RecordPage } from '../../api/src/contract/records.ts';
import { createVisitor } from '../../api/src/testing/visitor.ts';
import { startProxy } from '../start-proxy.ts';
import {
  answers,
  expect,
  question,
  questions,
  SENTENCES_BEFORE_PAUSE,
  sendQuestion,
  sentence,
  test,
  wholeAnswer,
} from './chat-page.ts';
import { expectNoOverflow } from './check-screen.ts';
import { askAs } from './records.ts';
import { applySession, finishedAnswer } from './visit.ts';
import { whenAllLoaded } from './when-live.ts';

/** The request that resumes an answer. */
const RESUMED = /\/api\/chat\/[0-9a-f]{24}$/;
const newest = (page: Page) => answers(page).last();

test('stopping by button or Esc keeps the partial answer, and the question can be answered again', async ({
  page,
  deskWithModel: desk,
  pace,
}) => {
  await page.goto(`${desk.url}/chatbot/index`);
  await sendQuestion(page, '等，说 200 句');
  await expect(newest(page)).toContainText(sentence(5));
  await expect(page.getByRole('button', { name: '发送' })).toHaveAttribute('aria-disabled', 'true');
  await page.getByRole('button', { name: '停止', exact: true }).click();
  await expect(newest(page)).toContainText('已停止，以上内容已保留');
  await expect(newest(page)).toContainText(sentence(5));
  await expect(newest(page)).not.toContainText(sentence(200));

  await sendQuestion(page, '等，再说 30 句');
  await expect(newest(page)).toContainText(sentence(3));
  await page.keyboard.press('Escape');
  await expect(newest(page)).toContainText('已停止，以上内容已保留');
  pace.continueAnswers();
  await page.reload();
  await expect(newest(page)).toContainText('已停止，以上内容已保留');
  await expect(newest(page)).toContainText(sentence(3));

  await newest(page).getByRole('button', { name: '重新回答' }).click();
  await finishedAnswer(page);
  await expect(newest(page)).toContainText(wholeAnswer(30));
  await expect(answers(page)).toHaveCount(2);
});

test('keeps the partial answer of a failing model, reports the failure, and completes the next attempt', async ({
  page,
  deskWithModel: desk,
}) => {
  await page.goto(`${desk.url}/chatbot/index`);
  await sendQuestion(page, '说 20 句，断');
  await expect(newest(page).getByRole('alert')).toContainText('回答中断：与模型的连接断开');
  await page.reload();
  await expect(newest(page).getByRole('alert')).toContainText('回答中断：与模型的连接断开');
  await expect(newest(page)).toContainText(wholeAnswer(10));
  await newest(page).getByRole('button', { name: '重新回答' }).click();
  await expect(newest(page)).toContainText(wholeAnswer(20));
  await expect(newest(page).getByRole('alert')).toBeHidden();
});

test('an answer continues after its tab is closed: another tab resumes it, also after a reload, without losing or repeating text', async ({
  page,
  deskWithModel: desk,
  context,
  pace,
}) => {
  const tab = await context.newPage();
  await tab.goto(`${desk.url}/chatbot/index`);
  await sendQuestion(tab, '等，说 120 句');
  await expect(newest(tab)).toContainText(sentence(8));
  await expect(tab).toHaveURL(/\?c=/);
  const address = tab.url();
  await tab.close();

  await page.goto(address);
  await expect(newest(page)).toContainText(sentence(SENTENCES_BEFORE_PAUSE));
  const resumed = page.waitForRequest(RESUMED);
  await page.reload();
  await resumed;
  pace.continueAnswers();
  await finishedAnswer(page);
  await expect(newest(page)).toContainText(wholeAnswer(120));
  await expect(newest(page)).not.toContainText('已停止');
});

test.describe('without a connection', () => {
  test.use({ expectedErrors: /net::ERR_.* \(http:[^)]*\/(api|ops)\// });

  test('the answer resumes where it stopped, the draft is kept, and the page shows that it is offline', async ({
    page,
    deskWithModel: desk,
    context,
    pace,
  }) => {
    const proxy = await startProxy(desk.url);
    await page.goto(`${proxy.url}/chatbot/index`);
    await sendQuestion(page, '等，离线前后说 120 句');
    await expect(newest(page)).toContainText(sentence(SENTENCES_BEFORE_PAUSE));
    const resumed = page.waitForRequest(RESUMED);
    await whenAllLoaded(page);
    await context.setOffline(true);
    proxy.cut();
    await expect(page.getByText('网络已断开。草稿留在本机')).toBeVisible();
    await expect(page.getByText('连接中断，正在恢复')).toBeVisible();
    await question(page).fill('断线时写的草稿');
    proxy.restore();
    await context.setOffline(false);
    await resumed;
    pace.continueAnswers();
    await expect(page.getByText('网络已断开。草稿留在本机')).toBeHidden();
    await finishedAnswer(page);
    await expect(newest(page)).toContainText(wholeAnswer(120));
    await page.reload();
    await expect(question(page)).toHaveValue('断线时写的草稿');
    await proxy.close();
  });

  test('a question asked offline is shown as unsent and reaches the server once, despite two tabs and lost responses', async ({
    page,
    deskWithModel: desk,
    context,
  }) => {
    const visitor = createVisitor(desk.url);
    const [{ conversationId }] = (await askAs(visitor, [{ text: '说 2 句' }])) as [ChatAnswer];
    await applySession(page, desk.url, visitor);
    const address = `${desk.url}/chatbot/index?c=${conversationId}`;
    const text = '离线时问的，说 3 句';
    await page.goto(address);
    await expect(answers(page)).toHaveCount(1);
    await whenAllLoaded(page);
    await context.setOffline(true);
    await sendQuestion(page, text);
    const unsent = questions(page).filter({ hasText: text });
    await expect(unsent).toContainText('没有发出');
    await expect(page.getByRole('main').getByText(/\d+ 秒后重试/)).toBeVisible();
    await expect(answers(page)).toHaveCount(1);

    // The request arrives, but the response is lost: another tab and a reload find the question stored as unconfirmed.
    let arrived = 0;
    await context.route('**/api/chat', async (route) => {
      await route.fetch();
      arrived += 1;
      // The page may have been reloaded, or this route removed, by now.
      await route.abort().catch(() => undefined);
    });
    await context.setOffline(false);
    await expect.poll(() => arrived).toBeGreaterThan(0);
    const tab = await context.newPage();
    await tab.goto(address);
    await page.reload();
    const before = arrived;
    await expect.poll(() => arrived).toBeGreaterThan(before);
    await context.unroute('**/api/chat');
    for (const each of [page, tab]) {
      await each.evaluate(() => window.dispatchEvent(new Event('online')));
      await expect(questions(each).filter({ hasText: text })).toHaveCount(1);
      await expect(questions(each).filter({ hasText: text })).not.toContainText('没有发出');
      await expect(newest(each)).toContainText(wholeAnswer(3));
    }
    const { body } = await visitor.call<RecordPage>('GET', `/api/conversations/${conversationId}/records`);
    expect(body.records.map(({ question }) => question)).toEqual([text, '说 2 句']);
  });

  // Also in mfe-chat/src/chat.test.tsx.
  test('a repeated question whose response was lost is answered once, and the old answer is not shown as the new one', {
    tag: '@long',
  }, async ({ page, deskWithModel: desk, model }) => {
    const visitor = createVisitor(desk.url);
    const text = '再答一次，说 4 句';
    const [{ conversationId }] = (await askAs(visitor, [{ text }])) as [ChatAnswer];
    await applySession(page, desk.url, visitor);
    await page.goto(`${desk.url}/chatbot/index?c=${conversationId}`);
    await expect(newest(page)).toContainText(wholeAnswer(4));
    model.says.set(text, '新的回答');
    let tries = 0;
    await page.route('**/api/chat', async (route) => {
      tries += 1;
      if (tries === 1) return route.abort();
      if (tries > 2) return route.continue();
      await route.fetch();
      model.says.set(text, '第三个回答');
      await route.abort();
    });
    await newest(page).getByRole('button', { name: '重新回答' }).click();
    await expect(newest(page)).toContainText('新的回答');
    await finishedAnswer(page);
    await expect(newest(page)).toContainText('新的回答');
    expect(tries).toBe(3);
  });
});

test('the list follows the answer, can be scrolled up, and returns to the latest message', async ({
  page,
  deskWithModel: desk,
  pace,
}) => {
  await page.goto(`${desk.url}/chatbot/index`);
  const log = page.getByRole('log');
  const rest = () => log.evaluate((list) => list.scrollHeight - list.scrollTop - list.clientHeight);
  await sendQuestion(page, '说 60 句');
  await finishedAnswer(page);
  await expect.poll(rest).toBeLessThanOrEqual(1);

  await sendQuestion(page, '等，再说 150 句');
  await expect(newest(page)).toContainText(sentence(SENTENCES_BEFORE_PAUSE));
  await expect.poll(rest).toBeLessThanOrEqual(40);
  await log.hover();
  await page.mouse.wheel(0, -300);
  await expect(page.getByRole('button', { name: '回到最新' })).toBeVisible();
  const top = await log.evaluate((list) => list.scrollTop);
  pace.continueAnswers();
  await expect(newest(page)).toContainText(sentence(100));
  expect(await log.evaluate((list) => list.scrollTop)).toBe(top);
  await page.getByRole('button', { name: '回到最新' }).click();
  await expect(page.getByRole('button', { name: '回到最新' })).toBeHidden();
  await finishedAnswer(page);
  await expect.poll(rest).toBeLessThanOrEqual(1);
});

test('treats model output as text: it runs no scripts, loads nothing and does not overflow the page', async ({
  page,
  deskWithModel: desk,
  model,
}) => {
  model.says.set('坏', HOSTILE);
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  await page.goto(`${desk.url}/chatbot/index`);
  await sendQuestion(page, '坏');
  await finishedAnswer(page);
  const answer = newest(page);
  await expect(answer).toContainText('<script>window.hit = 1</script>');
  await expect(
    answer.locator('script, iframe, object, form, style, img[src*="evil"], svg[onload]'),
  ).toHaveCount(0);
  for (const href of await answer
    .locator('a')
    .evaluateAll((links) => links.map((link) => link.getAttribute('href'))))
    expect(href).toMatch(/^(https?:|mailto:|tel:|\/)/);
  expect(await page.evaluate(() => (window as { hit?: number }).hit)).toBeUndefined();
  expect(asked.filter((url) => url.includes('evil'))).toEqual([]);
  for (const size of [
    { width: 1280, height: 800 },
    { width: 320, height: 640 },
  ]) {
    await page.setViewportSize(size);
    const log = page.getByRole('log');
    expect(await log.evaluate((list) => list.scrollWidth - list.clientWidth)).toBeLessThanOrEqual(0);
    await expectNoOverflow(page, `the answer at ${size.width}`);
  }
});

const HOSTILE = `<script>window.hit = 1</script>

<img src="http://evil.test/a.png" onerror="window.hit = 2"> <svg onload="window.hit = 3"></svg>

<iframe src="http://evil.test/"></iframe><form action="http://evil.test/"><input name="a"></form>

[一](javascript:window.hit=4) [二](JaVaScRiPt:window.hit=5) [三](data:text/html,<script>window.hit=6</script>) [四](vbscript:x)
[五](java&#115;cript:window.hit=7) [六](&#1;javascript:window.hit=8) [七](//evil.test/x) ![图](http://evil.test/b.png "t") ![图](javascript:window.hit=9)

<javascript:window.hit=10> <http://evil.test/auto> http://evil.test/bare

| ${Array.from({ length: 40 }, (_, at) => `列${at}`).join(' | ')} |
| ${'--- | '.repeat(40)}
| ${'内容'.repeat(200)} | ${'x '.repeat(39).trim().split(' ').join(' | ')} |

\u202E反着写的字\u202C \u200B零\u200B宽\u200B字 ‮אבג دهر

${'很长的字'.repeat(100)}${'w'.repeat(10_000)}

\`${'c'.repeat(3000)}\`

\`\`\`html
<script>window.hit = 11</script>${'p'.repeat(3000)}
\`\`\`

${'> '.repeat(200)}深

${'- '.repeat(150)}深

# ${'题'.repeat(800)}
`;
