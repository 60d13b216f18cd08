import { type BrowserContext, expect, type Page } from 'playwright/test';

/** Texts of the toasts of each page that no test has expected yet, oldest first. */
const seen = new WeakMap<Page, string[]>();

/** Notes the texts of all toasts of the context's pages from now on: they are shown for 3 s, in which a busy machine may not look at the page. */
export async function recordToasts(context: BrowserContext): Promise<void> {
  await context.exposeBinding('noteToast', ({ page }, text: string) => textsOf(page).push(text));
  await context.addInitScript(() => {
    let shown: string[] = [];
    new MutationObserver(() => {
      const before = shown;
      shown = [...document.querySelectorAll('.toast > p, p.toast')].map(
        ({ textContent }) => textContent ?? '',
      );
      for (const text of shown)
        if (!before.includes(text)) (window as unknown as { noteToast(text: string): void }).noteToast(text);
    }).observe(document, { childList: true, subtree: true });
  });
}

/** Waits until a toast with this text appears, or finds that it was shown since the start of the test. Each toast is found once. */
export async function expectToast(page: Page, text: string | RegExp): Promise<void> {
  const texts = textsOf(page);
  const find = () =>
    texts.findIndex((one) => (typeof text === 'string' ? one.includes(text) : text.test(one)));
  await expect.poll(() => (find() >= 0 ? 'shown' : texts), { message: `toast ${text}` }).toBe('shown');
  texts.splice(find(), 1);
}

/** No such toast was shown since the start of the test. */
export function expectNoToast(page: Page, text: string): void {
  expect(textsOf(page).filter((one) => one.includes(text))).toEqual([]);
}

function textsOf(page: Page): string[] {
  const texts = seen.get(page) ?? [];
  seen.set(page, texts);
  return texts;
}
