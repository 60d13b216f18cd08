import AxeBuilder from '@axe-core/playwright';
import type { Page } from 'playwright/test';
import { expect, test } from './desk-test.ts';
import { ask, signUpAndIn } from './visit.ts';

const SIZES = [
  { width: 1280, height: 800 },
  { width: 390, height: 844 },
];

/** Another theme is a transition of every colour: what is half-way has no contrast of its own. */
async function settle(page: Page) {
  await page.evaluate(async () => {
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    await frame();
    await frame();
    const finite = document
      .getAnimations()
      .filter(({ effect }) => effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY);
    await Promise.all(finite.map(({ finished }) => finished.catch(() => undefined)));
  });
}

/** axe finds nothing, and nothing sticks out of the screen. */
async function check(page: Page, screen: string) {
  for (const theme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
    await settle(page);
    const { violations } = await new AxeBuilder({ page }).analyze();
    const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`);
    expect(found, `${screen}, ${theme}`).toEqual([]);
  }
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  expect(overflow, `${screen} is wider than the window`).toBeLessThanOrEqual(0);
}

for (const size of SIZES)
  test.describe(`${size.width} px`, () => {
    test.use({ viewport: size });

    test('every screen of a guest', async ({ page, desk }) => {
      for (const path of ['login', 'register', 'test', 'index', 'history', 'report']) {
        await page.goto(`${desk.url}/chatbot/${path}`);
        await expect(page.getByRole('heading').first()).toBeVisible();
        await page.waitForLoadState('networkidle');
        await check(page, path);
      }
    });

    test('every screen of someone who has asked and signed in', async ({ page, desk }) => {
      test.setTimeout(120_000);
      await signUpAndIn(page, desk.url, `screens-${size.width}`, 'a-long-password');
      await ask(page, '怎样删除会话？');
      await ask(page, '有哪些环境变量可以设置？');
      await check(page, 'a conversation');
      await page
        .getByRole('article', { name: '咨询台的回答' })
        .last()
        .getByRole('button', { name: /引用 1/ })
        .first()
        .click();
      await check(page, 'a citation');
      for (const path of ['history', 'report', 'account', 'nowhere']) {
        await page.goto(`${desk.url}/chatbot/${path}`);
        await expect(page.getByRole('heading').first()).toBeVisible();
        await page.waitForLoadState('networkidle');
        await check(page, path);
      }
    });
  });
