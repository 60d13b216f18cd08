import { type BrowserContext, expect, type Page, type Request } from 'playwright/test';

/** How long scripts may take to replace the first state, in ms; tests that block them go on after it. */
const SCRIPTS_MS = 15_000;

/** Every navigation of the context's pages also waits until the scripts have replaced the first state, whose buttons do nothing yet, unless it says what to wait for. */
export function waitForScripts(context: BrowserContext): void {
  context.on('page', (page) => {
    watchRequests(page);
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

interface Requests {
  /** All requests of the page so far. */
  count: number;
  /** Those whose responses are not complete, except for event streams and blobs. */
  pending: Set<Request>;
}

const requestsOf = new WeakMap<Page, Requests>();

function watchRequests(page: Page): void {
  const requests: Requests = { count: 0, pending: new Set() };
  requestsOf.set(page, requests);
  page.on('request', (request) => {
    // The end of a worker's own file is not reported.
    if (request.url().startsWith('blob:')) return;
    requests.count += 1;
    requests.pending.add(request);
  });
  page.on('response', (response) => {
    if (response.headers()['content-type']?.startsWith('text/event-stream'))
      requests.pending.delete(response.request());
  });
  page.on('requestfinished', (request) => void requests.pending.delete(request));
  page.on('requestfailed', (request) => void requests.pending.delete(request));
}

/**
 * Waits until the page has also loaded what it loads when the browser is idle. Before a test cuts the connection: a busy browser becomes
 * idle late, possibly after the network.
 */
export async function whenAllLoaded(page: Page): Promise<void> {
  const requests = requestsOf.get(page)!;
  let before: number;
  do {
    before = requests.count;
    // Browsers call these functions in the order of the requests.
    await page.evaluate(() => new Promise<void>((resolve) => requestIdleCallback(() => resolve())));
    await whenAnswered(page);
  } while (requests.count > before);
}

/** Waits until all requests of the page have been answered, except for event streams. */
export async function whenAnswered(page: Page): Promise<void> {
  const { pending } = requestsOf.get(page)!;
  await expect.poll(() => [...pending].map((request) => request.url()), { intervals: [20, 100] }).toEqual([]);
}
