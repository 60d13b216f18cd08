import { mkdtemp } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import mongoose from 'mongoose';
import type { CDPSession, Locator, Page } from 'playwright/test';
import { recordTerms } from '../../api/src/records/search/record-terms.ts';
import { openTestDatabase, removeTestData } from '../../api/src/testing/test-database.ts';
import { expect, modelEnv, questions, sendQuestion, sentence, test } from './chat-page.ts';
import { finishedAnswer } from './visit.ts';

/** Questions before the newest one; each makes two messages. */
const EARLIER = 999;
/** Messages shown before older pages are loaded: less than a tenth of all. */
const FIRST_MESSAGES = 200;

test('opens a conversation of 2,000 messages at its end, loads it to its beginning, and streams as fast as in a short one', async ({
  page,
  startAnother,
  model,
}) => {
  test.setTimeout(600_000);
  // Not a copy of the first start: its store would name builds that this server's folder lacks.
  const dataDir = await mkdtemp(path.join(os.tmpdir(), 'desk-'));
  const store = await openTestDatabase(dataDir);
  const connection = await mongoose.createConnection(store.uri).asPromise();
  try {
    const desk = await startAnother({ env: { ...modelEnv(model), MONGODB_URI: store.uri } });
    const client = await page.context().newCDPSession(page);
    await client.send('Performance.enable');
    await page.goto(`${desk.url}/chatbot/index`);
    await sendQuestion(page, '说 3 句，第 1000 问');
    await finishedAnswer(page);
    // Without role queries from here on: computing the names of 2,000 articles takes longer than rendering them.
    const log = page.locator('[role=log]');
    const articles = log.locator('article');
    const inShort = await streamOneAnswer(page, client, articles);
    await seed(connection);

    await page.reload();
    await expect(questions(page).last()).toContainText('说 60 句');
    await expect(questions(page).last()).toBeInViewport();
    expect(await articles.count()).toBeLessThanOrEqual(FIRST_MESSAGES);

    await expect(async () => {
      await log.evaluate((list) => {
        list.scrollTop = 0;
      });
      expect(await articles.count()).toBe(2 * (EARLIER + 2));
    }).toPass({ timeout: 240_000, intervals: [50] });
    const asked = await log.locator('article[aria-label="我的问题"]').allTextContents();
    expect(asked.map((text) => /第 \d+ 问|说 60 句/.exec(text)?.[0])).toEqual([
      ...Array.from({ length: EARLIER }, (_, at) => `第 ${at} 问`),
      '第 1000 问',
      '说 60 句',
    ]);
    const answered = await log.locator('article[aria-label="咨询台的回答"]').allTextContents();
    expect(answered.slice(0, EARLIER).map((text) => /第 \d+ 答/.exec(text)?.[0])).toEqual(
      Array.from({ length: EARLIER }, (_, at) => `第 ${at} 答`),
    );

    const inLong = await streamOneAnswer(page, client, articles);
    expect(inLong.earlier).toBe(0);
    expect(inLong.nodes).toBeLessThanOrEqual(inShort.nodes + 50);
    const rest = () => log.evaluate((list) => list.scrollHeight - list.scrollTop - list.clientHeight);
    await expect.poll(rest).toBeLessThan(2);

    await page.reload();
    await expect(articles.nth(-2)).toContainText('说 60 句');
    await page.getByRole('searchbox', { name: '搜索会话' }).fill('第 7 问');
    await page.locator('aside a[href*="&r="]').click();
    const sought = log.locator('article[aria-current=true]').first();
    await expect(sought).toContainText('第 7 问', { timeout: 240_000 });
    await expect(sought).toBeInViewport();
  } finally {
    await connection.close();
    await store.close();
    await removeTestData(dataDir);
  }
});

/** Number of DOM nodes that another answer adds, and of changes to earlier messages. */
async function streamOneAnswer(page: Page, client: CDPSession, articles: Locator) {
  const before = await countNodes(client);
  const count = await articles.count();
  await page.evaluate(() => {
    const seen = { earlier: 0 };
    const observer = new MutationObserver((records) => {
      seen.earlier += records.length;
    });
    const options = { subtree: true, childList: true, characterData: true, attributes: true };
    for (const article of document.querySelectorAll('article')) observer.observe(article, options);
    Object.assign(window, { seen });
  });
  await sendQuestion(page, '说 60 句');
  await expect(articles).toHaveCount(count + 2);
  await expect(articles.last()).toContainText(sentence(60), { timeout: 60_000 });
  await expect(articles.last().locator('button[aria-label="复制回答"]')).toBeVisible({ timeout: 60_000 });
  const { earlier } = await page.evaluate(() => (window as unknown as { seen: { earlier: number } }).seen);
  return { nodes: (await countNodes(client)) - before, earlier };
}

async function countNodes(client: CDPSession): Promise<number> {
  await client.send('HeapProfiler.collectGarbage');
  const { metrics } = await client.send('Performance.getMetrics');
  return metrics.find(({ name }) => name === 'Nodes')!.value;
}

/** Inserts older copies of the oldest record, a minute apart. */
async function seed(connection: mongoose.Connection): Promise<void> {
  const records = connection.collection('records');
  const oldest = await records.findOne({}, { sort: { createdAt: 1 } });
  if (!oldest) throw new Error('expected a record, found none');
  const { _id, clientId, ...fields } = oldest;
  const earlier = Array.from({ length: EARLIER }, (_, at) => {
    const question = `第 ${at} 问`;
    const answer = `第 ${at} 答：\n\n- 一\n- **二**\n\n| 甲 | 乙 |\n| - | - |\n| 1 | \`${at}\` |\n`;
    const words = { question, answer, contact: null, source: fields.source, feedback: null };
    const createdAt = new Date(fields.createdAt.getTime() - (EARLIER - at) * 60_000);
    return { ...fields, question, answer, createdAt, terms: recordTerms(words) };
  });
  await records.insertMany(earlier);
}
