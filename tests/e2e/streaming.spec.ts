import type { Page } from 'playwright/test';
import { startDesk, temporaryDataDir } from '../start-desk.ts';
import { startLine } from './start-line.ts';
import {
  answers,
  BEFORE_WAITING,
  expect,
  modelEnv,
  put,
  question,
  sentence,
  test,
  wholeAnswer,
} from './talking-desk.ts';
import { finishedAnswer } from './visit.ts';

/** The call that goes on listening to an answer. */
const RESUMED = /\/api\/chat\/[0-9a-f]{24}$/;
const newest = (page: Page) => answers(page).last();

test('stopping keeps what was said, by the button and by Esc, and the answer can be had anew', async ({
  page,
  desk,
  pace,
}) => {
  await page.goto(`${desk.url}/chatbot/index`);
  await put(page, '等，说 200 句');
  await expect(newest(page)).toContainText(sentence(5));
  await expect(page.getByRole('button', { name: '发送' })).toHaveAttribute('aria-disabled', 'true');
  await question(page).fill('下一个问题');
  await question(page).press('Enter');
  await expect(question(page)).toHaveValue('下一个问题');
  await page.getByRole('button', { name: '停止', exact: true }).click();
  await expect(newest(page)).toContainText('已停止，以上内容已保留');
  await expect(newest(page)).toContainText(sentence(5));
  await expect(newest(page)).not.toContainText(sentence(200));

  await question(page).fill('');
  await put(page, '等，再说 200 句');
  await expect(newest(page)).toContainText(sentence(3));
  await page.keyboard.press('Escape');
  await expect(newest(page)).toContainText('已停止，以上内容已保留');
  pace.goOn();
  await page.reload();
  await expect(newest(page)).toContainText('已停止，以上内容已保留');
  await expect(newest(page)).toContainText(sentence(3));

  await put(page, '说 4 句');
  await finishedAnswer(page);
  await newest(page).getByRole('button', { name: '重新回答' }).click();
  await finishedAnswer(page);
  await expect(newest(page)).toContainText(wholeAnswer(4));
  await expect(answers(page)).toHaveCount(3);
});

test('a model that breaks off midway: what it said is kept, the failure is told, the next try is whole', async ({
  page,
  desk,
}) => {
  await page.goto(`${desk.url}/chatbot/index`);
  await put(page, '说 20 句，断');
  await expect(newest(page).getByRole('alert')).toContainText('回答中断：模型没有响应');
  await expect(newest(page)).toContainText(wholeAnswer(10));
  await page.reload();
  await expect(newest(page).getByRole('alert')).toContainText('回答中断：模型没有响应');
  await expect(newest(page)).toContainText(wholeAnswer(10));
  await newest(page).getByRole('button', { name: '重新回答' }).click();
  await expect(newest(page)).toContainText(wholeAnswer(20));
  await expect(newest(page).getByRole('alert')).toBeHidden();
});

test('a reload in the middle of an answer goes on to its end, not a character lost or said twice', async ({
  page,
  desk,
  pace,
}) => {
  await page.goto(`${desk.url}/chatbot/index`);
  await put(page, '等，说 120 句');
  await expect(newest(page)).toContainText(sentence(8));
  const resumed = page.waitForRequest(RESUMED);
  await page.reload();
  await resumed;
  pace.goOn();
  await finishedAnswer(page);
  await expect(newest(page)).toContainText(wholeAnswer(120));
});

test('closing the tab is no stop', async ({ page, desk, context, pace }) => {
  const tab = await context.newPage();
  await tab.goto(`${desk.url}/chatbot/index`);
  await put(tab, '等，关掉标签页也说 40 句');
  await expect(newest(tab)).toContainText(sentence(3));
  await expect(tab).toHaveURL(/\?c=/);
  const address = tab.url();
  await tab.close();
  pace.goOn();
  await page.goto(address);
  await finishedAnswer(page);
  await expect(newest(page)).toContainText(wholeAnswer(40));
  await expect(newest(page)).not.toContainText('已停止');
});

test.describe('without a connection', () => {
  test.use({ expectedErrors: /Failed to load resource|ERR_/ });

  test('the answer goes on where it broke off, the draft is safe, and the page says that it is offline', async ({
    page,
    desk,
    context,
    pace,
  }) => {
    const line = await startLine(desk.url);
    await page.goto(`${line.url}/chatbot/index`);
    await put(page, '等，离线前后说 120 句');
    await expect(newest(page)).toContainText(sentence(3));
    const resumed = page.waitForRequest(RESUMED);
    await context.setOffline(true);
    line.cut();
    await expect(page.getByText('网络已断开。草稿留在本机')).toBeVisible();
    await expect(page.getByText('连接中断，正在恢复')).toBeVisible();
    await question(page).fill('断线时写的草稿');
    line.mend();
    await context.setOffline(false);
    await resumed;
    pace.goOn();
    await expect(page.getByText('网络已断开。草稿留在本机')).toBeHidden();
    await finishedAnswer(page);
    await expect(newest(page)).toContainText(wholeAnswer(120));
    await page.reload();
    await expect(question(page)).toHaveValue('断线时写的草稿');
    await line.close();
  });

  test('a server that is killed and started again: the answer has failed and what was said is kept', async ({
    page,
    model,
    pace,
  }) => {
    const data = await temporaryDataDir();
    const options = { dataDir: data.dataDir, env: modelEnv(model) };
    let desk = await startDesk(options);
    try {
      await page.goto(`${desk.url}/chatbot/index`);
      await put(page, '等，被杀之前说 400 句');
      await expect(newest(page)).toContainText(sentence(BEFORE_WAITING));
      // What was said is saved a moment later.
      await expect.poll(() => savedText(page, desk.url)).toContain(sentence(10));
      await desk.kill();
      pace.goOn();
      await expect(page.getByText('连接中断，正在恢复')).toBeVisible();
      desk = await startDesk({ ...options, port: Number(new URL(desk.url).port) });
      await expect(newest(page).getByRole('alert')).toContainText('回答中断', { timeout: 20_000 });
      await expect(newest(page)).toContainText(wholeAnswer(10));
      await expect(page.getByText('连接中断，正在恢复')).toBeHidden();
      await newest(page).getByRole('button', { name: '重新回答' }).click();
      await expect(newest(page)).toContainText(sentence(12));
      await page.getByRole('button', { name: '停止', exact: true }).click();
      await expect(newest(page)).toContainText('已停止');
    } finally {
      await desk.kill();
      await data.remove();
    }
  });
});

/** What the store has of the newest answer of the conversation that is open. */
async function savedText(page: Page, url: string): Promise<string> {
  const id = new URL(page.url()).searchParams.get('c');
  const response = await page.request.get(`${url}/api/conversations/${id}/records`);
  return (await response.json()).records?.[0]?.answer ?? '';
}

test('the list follows the answer, lets a reader go up, and comes back to the latest', async ({
  page,
  desk,
  pace,
}) => {
  await page.goto(`${desk.url}/chatbot/index`);
  const log = page.getByRole('log');
  const rest = () => log.evaluate((list) => list.scrollHeight - list.scrollTop - list.clientHeight);
  await put(page, '说 60 句');
  await finishedAnswer(page);
  expect(await rest()).toBeLessThanOrEqual(1);

  await put(page, '等，再说 150 句');
  await expect(newest(page)).toContainText(sentence(BEFORE_WAITING));
  expect(await rest()).toBeLessThanOrEqual(40);
  await log.hover();
  await page.mouse.wheel(0, -300);
  await expect(page.getByRole('button', { name: '回到最新' })).toBeVisible();
  const top = await log.evaluate((list) => list.scrollTop);
  const said = (await newest(page).textContent())!.length;
  pace.goOn();
  await expect.poll(async () => (await newest(page).textContent())!.length).toBeGreaterThan(said + 40);
  expect(await log.evaluate((list) => list.scrollTop)).toBe(top);
  await page.getByRole('button', { name: '回到最新' }).click();
  await expect(page.getByRole('button', { name: '回到最新' })).toBeHidden();
  await finishedAnswer(page);
  expect(await rest()).toBeLessThanOrEqual(1);
});

test('a token touches the last message alone, and a finished answer is announced once', async ({
  page,
  desk,
  pace,
}) => {
  await page.goto(`${desk.url}/chatbot/index`);
  for (const text of ['说 3 句', '再说 4 句']) {
    await put(page, text);
    await finishedAnswer(page);
  }
  await put(page, '等，说 50 句');
  await expect(newest(page)).toContainText(sentence(BEFORE_WAITING));
  await page.evaluate(() => {
    const seen = { earlier: 0, last: 0, said: [] as string[] };
    const articles = [...document.querySelectorAll('article')];
    const watch = (element: Element, count: (records: MutationRecord[]) => void) =>
      new MutationObserver(count).observe(element, {
        subtree: true,
        childList: true,
        characterData: true,
        attributes: true,
      });
    for (const article of articles.slice(0, -1))
      watch(article, (records) => {
        seen.earlier += records.length;
      });
    watch(articles.at(-1)!, (records) => {
      seen.last += records.length;
    });
    for (const status of document.querySelectorAll('main [role=status]'))
      watch(status, () => {
        if (status.textContent) seen.said.push(status.textContent);
      });
    Object.assign(window, { seen });
  });
  pace.goOn();
  await finishedAnswer(page);
  const seen = () =>
    page.evaluate(
      () => (window as unknown as { seen: { earlier: number; last: number; said: string[] } }).seen,
    );
  await expect.poll(async () => (await seen()).said.length).toBe(1);
  const { earlier, last, said } = await seen();
  expect(earlier).toBe(0);
  expect(last).toBeGreaterThan(10);
  expect(said[0]).toContain(sentence(50));
});

test('what a model says is text: nothing in it runs, is fetched, or sticks out of the page', async ({
  page,
  desk,
  says,
}) => {
  says.set('坏', HOSTILE);
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  await page.goto(`${desk.url}/chatbot/index`);
  await put(page, '坏');
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
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(
      0,
    );
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
