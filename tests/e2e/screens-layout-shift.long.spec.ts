import type { Page } from 'playwright/test';
import { test as base, expect } from './desk-test.ts';
import { openAs } from './visit.ts';

// A separate desk, so that /composition shows the figures of few visits.
const test = base.extend({
  desk: [async ({ startAnother }, use) => use(await startAnother()), { scope: 'worker' }],
});

/** Waits for the part of each screen that may load last. */
const SCREENS: Record<string, (page: Page) => Promise<void>> = {
  '/login': (page) => expect(page.getByRole('form', { name: '登录' })).toBeVisible(),
  '/index': (page) => expect(page.getByPlaceholder('请输入问题')).toBeVisible(),
  '/composition': (page) => expect(page.getByRole('heading', { name: '差异' })).toBeVisible(),
};

/** Guests are redirected here from guarded routes. */
const LOGIN = SCREENS['/login']!;

/** Sums up the layout shifts of pages opened from now on. */
async function watchShifts(page: Page): Promise<() => Promise<number>> {
  await page.addInitScript(() => {
    Object.assign(globalThis, { shifted: 0 });
    const add = (list: PerformanceObserverEntryList) => {
      for (const entry of list.getEntries())
        (globalThis as never as { shifted: number }).shifted += (entry as never as { value: number }).value;
    };
    new PerformanceObserver(add).observe({ type: 'layout-shift', buffered: true });
  });
  return () => page.evaluate(() => (globalThis as never as { shifted: number }).shifted);
}

for (const width of [1280, 390])
  test.describe(`at ${width} px`, () => {
    test.use({ viewport: { width, height: 844 } });

    test('the layout hardly shifts while a screen loads', async ({ page, desk }) => {
      await openAs(page, desk.url, `shifts-${width}`);
      const shifted = await watchShifts(page);
      for (const [path, isThere] of Object.entries(SCREENS)) {
        await page.goto(`${desk.url}/chatbot${path}`);
        await isThere(page);
        await page.waitForLoadState('networkidle');
        expect(await shifted(), path).toBeLessThanOrEqual(0.02);
      }
    });

    test.describe(() => {
      test.use({ expectedErrors: /status of 401 .*\/admin\/auth/ });

      test('the layout hardly shifts while a guest is redirected to /login', async ({ page, desk }) => {
        const shifted = await watchShifts(page);
        await page.goto(`${desk.url}/chatbot/knowledge`);
        await LOGIN(page);
        await page.waitForLoadState('networkidle');
        expect(await shifted()).toBeLessThanOrEqual(0.02);
      });
    });
  });
