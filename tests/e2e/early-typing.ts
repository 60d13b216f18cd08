import { expect, type Page } from 'playwright/test';
import type { Desk } from '../start-desk.ts';

/** Delays the host's scripts until the returned function is called. */
export async function holdScripts(page: Page): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route(/\/host\/files\/main\.[^/]*\.js$/, async (route) => {
    await promise;
    // The page may have been left.
    await route.continue().catch(() => undefined);
  });
  return resolve;
}

/** Types 40 keys into the first state while its scripts arrive: all are kept, with the focus and the selection. */
export async function typeEarly(page: Page, desk: Desk): Promise<void> {
  const field = page.getByPlaceholder('请输入问题');
  const goOn = await holdScripts(page);
  await page.goto(`${desk.url}/chatbot/index`, { waitUntil: 'commit' });
  await expect(field).toBeFocused();
  const typed = 'forty keys, typed one after the other...';
  for (const [at, key] of [...typed].entries()) {
    if (at === 10) goOn();
    await page.keyboard.type(key, { delay: 25 });
  }
  await expect(page.locator('#root[data-first]')).toHaveCount(0);
  await expect(field).toHaveValue(typed);
  await expect(field).toBeFocused();
  await page.keyboard.press('Shift+Home');
  await page.keyboard.type('one text');
  await expect(field).toHaveValue('one text');
}
