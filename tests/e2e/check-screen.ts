import { createRequire } from 'node:module';
import type { AxeResults, RunOptions } from 'axe-core';
import { expect, type Page } from 'playwright/test';

type Theme = 'light' | 'dark';

/** Injected once per page: @axe-core/playwright injects these 600 kB for every analysis, which takes most of its time. */
const axeSource: string = createRequire(import.meta.url)('axe-core').source;

/** `preload` is only needed by rules about media. */
const ALL_RULES = { resultTypes: ['violations'], preload: false } satisfies RunOptions;

/**
 * Checks a state of the page: a complete axe analysis in the light theme, and that nothing is wider than the window. The
 * quick suite checks each screen once; `*.long.spec.ts` checks its other states, themes, widths and languages.
 */
export async function checkScreen(page: Page, state: string): Promise<void> {
  await showTheme(page, 'light');
  await expectNoViolation(page, ALL_RULES, `${state}, light`);
  await expectNoOverflow(page, state);
}

/** Checks a state by a complete axe analysis in both themes. Only for `*.long.spec.ts` and tests with the tag `@long`. */
export async function checkInBothThemes(page: Page, state: string): Promise<void> {
  for (const theme of ['light', 'dark'] as const) {
    await showTheme(page, theme);
    await expectNoViolation(page, ALL_RULES, `${state}, ${theme}`);
  }
  await expectNoOverflow(page, state);
}

/** Fails if the content is wider than the window. */
export async function expectNoOverflow(page: Page, state: string): Promise<void> {
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  expect(overflow, `${state} is wider than the window by`).toBeLessThanOrEqual(0);
}

async function expectNoViolation(page: Page, options: RunOptions, state: string): Promise<void> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axeSource);
  const { violations } = await page.evaluate(
    (given) =>
      (window as unknown as { axe: { run(options: RunOptions): Promise<AxeResults> } }).axe.run(given),
    options,
  );
  const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`);
  expect(found, state).toEqual([]);
}

/** Waits until colour transitions have finished, because intermediate colours have other contrasts. */
async function showTheme(page: Page, theme: Theme): Promise<void> {
  await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
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
