import type { CDPSession, Page } from 'playwright/test';
import { expect, test } from './desk-test.ts';
import { ask } from './visit.ts';

/** Visits three screens and a conversation. */
async function visitScreens(page: Page): Promise<void> {
  const rail = page.getByRole('navigation');
  for (const name of ['记录', '报告', '咨询']) {
    await rail.getByRole('link', { name, exact: true }).click();
    // The screen moves the focus to its text field.
    await expect(page.locator('main:focus, main :focus')).toHaveCount(1);
  }
  await page.getByRole('group', { name: '会话列表' }).getByRole('link').first().click();
  await expect(page.getByRole('article').first()).toBeVisible();
}

/** Counts listeners, elements and style sheets after garbage collection. */
async function countRetained(page: Page, client: CDPSession) {
  await client.send('HeapProfiler.collectGarbage');
  const { metrics } = await client.send('Performance.getMetrics');
  const metric = (wanted: string) => metrics.find(({ name }) => name === wanted)!.value;
  const styles = await page.evaluate(() => document.styleSheets.length + document.adoptedStyleSheets.length);
  return { listeners: metric('JSEventListeners'), nodes: metric('Nodes'), styles };
}

test('navigating between screens leaves no listeners, elements or style sheets behind', async ({
  page,
  desk,
}) => {
  const client = await page.context().newCDPSession(page);
  await client.send('Performance.enable');
  await page.goto(`${desk.url}/chatbot/index`);
  await ask(page, '怎样删除会话？');
  for (let time = 0; time < 3; time++) await visitScreens(page);
  const before = await countRetained(page, client);
  for (let time = 0; time < 10; time++) await visitScreens(page);
  await expect(async () => {
    const after = await countRetained(page, client);
    expect(after.listeners).toBeLessThanOrEqual(before.listeners + 5);
    expect(after.nodes).toBeLessThanOrEqual(before.nodes + 30);
    expect(after.styles).toBe(before.styles);
  }).toPass({ timeout: 30_000 });
});
