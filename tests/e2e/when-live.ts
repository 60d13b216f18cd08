import type { BrowserContext, Page } from 'playwright/test';

/** How long scripts may take to replace the first state, in ms; tests that block them go on after it. */
const SCRIPTS_MS = 15_000;

/** Every navigation of the context's pages also waits until the scripts have replaced the first state, whose buttons do nothing yet, unless it says what to wait for. */
export function waitForScripts(context: BrowserContext): void {
  context.on('page', (page) => {
    for (const method of ['goto', 'reload', 'goBack', 'goForward'] as const)
      Object.assign(page, { [method]: thenLive(page, page[method].bind(page) as Navigate) });
  });
}

type Navigate = (...args: unknown[]) => Promise<unknown>;

function thenLive(page: Page, navigate: Navigate): Navigate {
  return async (...args) => {
    const response = await navigate(...args);
    const options = args.at(-1) as { waitUntil?: string } | undefined;
    if (options?.waitUntil === undefined)
      await page
        .locator('#root[data-first]')
        .waitFor({ state: 'detached', timeout: SCRIPTS_MS })
        .catch(() => undefined);
    return response;
  };
}
