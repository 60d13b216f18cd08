import mongoose from 'mongoose';
import type { Page } from 'playwright/test';
import { openEmbeddedStore } from '../../api/src/embedded/open-embedded-store.ts';
import { recordTerms } from '../../api/src/services/record-terms.ts';
import { temporaryDataDir } from '../start-desk.ts';
import { expect, modelEnv, put, questions, sentence, test } from './talking-desk.ts';
import { finishedAnswer } from './visit.ts';

/** Questions before the newest one; each makes two messages. */
const EARLIER = 999;

test('a conversation of 2,000 messages opens at its end, is read up to its beginning, and streams', async ({
  page,
  startAnother,
  model,
}) => {
  test.setTimeout(240_000);
  const data = await temporaryDataDir();
  const store = await openEmbeddedStore({ dataDir: data.dataDir });
  const connection = await mongoose.createConnection(store.uri).asPromise();
  try {
    const desk = await startAnother({ env: { ...modelEnv(model), MONGODB_URI: store.uri } });
    await page.goto(`${desk.url}/chatbot/index`);
    await put(page, '说 3 句，第 1000 问');
    await finishedAnswer(page);
    await seed(connection);

    await watchLongTasks(page);
    const before = Date.now();
    await page.reload();
    await expect(questions(page).last()).toContainText('第 1000 问');
    console.log(`  opened in ${Date.now() - before} ms`);
    await expect(questions(page).last()).toBeInViewport();

    // Not by roles from here on: to name two thousand articles takes longer than to show them.
    const log = page.locator('[role=log]');
    const articles = log.locator('article');
    await expect(async () => {
      await log.evaluate((list) => {
        list.scrollTop = 0;
      });
      expect(await articles.count()).toBe(2 * (EARLIER + 1));
    }).toPass({ timeout: 120_000, intervals: [50] });
    await expect(articles.first()).toContainText('第 0 问');
    console.log(`  read up to the beginning: ${await longTasks(page)}`);

    await put(page, '说 60 句');
    await expect(articles.last()).toContainText(sentence(60), { timeout: 30_000 });
    expect(await log.evaluate((list) => list.scrollHeight - list.scrollTop - list.clientHeight)).toBeLessThan(
      2,
    );
    await expect(articles.last().locator('button[aria-label="复制回答"]')).toBeVisible({ timeout: 30_000 });
    console.log(`  streamed: ${await longTasks(page)}`);
    await log.hover();
    for (let step = 0; step < 20; step++) await page.mouse.wheel(0, -2000);
    await page.keyboard.press('Tab');
    console.log(`  scrolled: ${await longTasks(page)}`);

    await page.reload();
    await expect(articles.nth(-2)).toContainText('说 60 句');
    await page.getByRole('searchbox', { name: '搜索会话' }).fill('第 7 问');
    await page.locator('aside a[href*="&r="]').click();
    const sought = log.locator('article[aria-current=true]').first();
    await expect(sought).toContainText('第 7 问', { timeout: 60_000 });
    await expect(sought).toBeInViewport();
    console.log(`  found a record of the beginning: ${await longTasks(page)}`);
  } finally {
    await connection.close();
    await store.close();
    await data.remove();
  }
});

/** Puts copies of the one record there is before it, a minute apart. */
async function seed(connection: mongoose.Connection): Promise<void> {
  const records = connection.collection('records');
  const newest = await records.findOne({});
  if (!newest) throw new Error('expected one record, found none');
  const { _id, clientId, ...fields } = newest;
  const earlier = Array.from({ length: EARLIER }, (_, at) => {
    const question = `第 ${at} 问`;
    const answer = `第 ${at} 答：\n\n- 一\n- **二**\n\n| 甲 | 乙 |\n| - | - |\n| 1 | \`${at}\` |\n`;
    const words = { question, answer, contact: null, source: fields.source, feedback: null };
    const createdAt = new Date(fields.createdAt.getTime() - (EARLIER - at) * 60_000);
    return { ...fields, question, answer, createdAt, terms: recordTerms(words) };
  });
  await records.insertMany(earlier);
}

async function watchLongTasks(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const tasks: number[] = [];
    Object.assign(window, { tasks });
    new PerformanceObserver((list) => {
      tasks.push(...list.getEntries().map(({ duration }) => duration));
    }).observe({ type: 'longtask' });
  });
}

/** What there was since the last look, in words. */
async function longTasks(page: Page): Promise<string> {
  const tasks = await page.evaluate(() => (window as unknown as { tasks: number[] }).tasks.splice(0));
  return `${tasks.length} long tasks, the longest ${Math.round(Math.max(0, ...tasks))} ms`;
}
