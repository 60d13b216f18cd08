import { expect, type Page } from 'playwright/test';
import type { Desk } from '../start-desk.ts';

/** A rail with enough space for the card, a rail without, and two phones. */
export const SIZES = [
  { width: 1280, height: 800 },
  { width: 768, height: 560 },
  { width: 390, height: 844 },
  { width: 320, height: 640 },
];

/** Opens a screen in an outdated page, and makes it check for a new version. */
export async function showHint(page: Page, desk: Desk, screen: string): Promise<void> {
  await page.route('**/ops/live', (route) => route.fulfill({ json: { composition: 'f'.repeat(64) } }));
  await page.goto(`${desk.url}/chatbot/${screen}`);
  // The hint's chunk is loaded later and only then listens.
  await expect(async () => {
    await page.evaluate(() => dispatchEvent(new Event('focus')));
    await expect(page.locator('.update')).toBeVisible({ timeout: 500 });
  }).toPass();
}

/** The hint overlaps neither the screen nor the rail. */
export async function expectHintBesideAll(page: Page, state: string): Promise<void> {
  await expect(page.getByRole('complementary', { name: '新版本' })).toBeVisible();
  const boxesOf = (selector: string) =>
    page.locator(selector).evaluateAll((all) => all.map((one) => one.getBoundingClientRect().toJSON()));
  // The space for the hint is measured after a resize.
  await expect(async () => {
    const [hint] = await boxesOf('.update');
    const others = await boxesOf('#main, .rail li');
    expect(others.length).toBeGreaterThan(0);
    const covered = others.filter(
      (box) =>
        box.right > hint.left && box.left < hint.right && box.bottom > hint.top && box.top < hint.bottom,
    );
    expect(covered, `${state}: covered by ${JSON.stringify(hint)}`).toEqual([]);
  }).toPass({ timeout: 30_000 });
}

/** A screen with its own scrolling area is reduced by the hint's height, so that the window does not scroll. */
export async function expectRoomForHint(page: Page, state: string): Promise<void> {
  const excess = () => page.evaluate(() => document.documentElement.scrollHeight - innerHeight);
  await expect.poll(excess, { message: `${state}: higher than the window by` }).toBeLessThanOrEqual(0);
}
