import mongoose from 'mongoose';
import type { Page } from 'playwright/test';
import { openEmbeddedStore } from '../../api/src/embedded/open-embedded-store.ts';
import { temporaryDataDir } from '../start-desk.ts';
import { answers, expect, modelEnv, put, questions, sentence, test } from './talking-desk.ts';
import { finishedAnswer } from './visit.ts';

/** Questions before the newest one; each makes two messages. */
const EARLIER = 999;

test('a conversation of 2,000 messages opens at its end, is read up to its beginning, and streams', async ({
  page,
  startAnother,
  model,
}) => {
  test.setTimeout(120_000);
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

    const log = page.getByRole('log');
    await expect(async () => {
      await log.evaluate((list) => {
        list.scrollTop = 0;
      });
      await expect(questions(page)).toHaveCount(EARLIER + 1, { timeout: 100 });
    }).toPass({ timeout: 60_000, intervals: [0] });
    await expect(questions(page).first()).toContainText('第 0 问');
    console.log(`  read up to the beginning: ${await longTasks(page)}`);

    await put(page, '说 60 句');
    await expect(answers(page).last()).toContainText(sentence(60));
    expect(await log.evaluate((list) => list.scrollHeight - list.scrollTop - list.clientHeight)).toBeLessThan(
      2,
    );
    await finishedAnswer(page);
    console.log(`  streamed: ${await longTasks(page)}`);
    await log.hover();
    for (let step = 0; step < 20; step++) await page.mouse.wheel(0, -2000);
    await page.keyboard.press('Tab');
    console.log(`  scrolled: ${await longTasks(page)}`);
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
  const earlier = Array.from({ length: EARLIER }, (_, at) => ({
    ...fields,
    question: `第 ${at} 问`,
    answer: `第 ${at} 答：\n\n- 一\n- **二**\n\n| 甲 | 乙 |\n| - | - |\n| 1 | \`${at}\` |\n`,
    createdAt: new Date(fields.createdAt.getTime() - (EARLIER - at) * 60_000),
  }));
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
