import { gzipSync } from 'node:zlib';
import type { Browser, CDPSession, Page } from 'playwright';

/** 1.6 Mbps down, 750 kbps up (in bytes per second), 150 ms round trip (in ms): a slow mobile network. */
const NETWORK = {
  latency: 150,
  downloadThroughput: 1_600_000 / 8,
  uploadThroughput: 750_000 / 8,
};
const CPU_SLOWDOWN = 4;
const PATIENCE_MS = 30_000;
export const TEXTAREA = 'textarea[placeholder="请输入问题"]';

interface LoadedFile {
  path: string;
  /** ms since the start of the navigation. */
  start: number;
  end: number;
  /** Bytes on the wire including headers. */
  wireBytes: number;
  /**
   * 1 for the page itself; otherwise one more than the deepest request that had ended before this one
   * started.
   */
  depth: number;
}

/** One cold load of a page; all times in ms since the start of the navigation. */
export interface PageLoad {
  textarea: number;
  /** When the scripts have replaced the first state; that of the textarea for a page without one. */
  live: number;
  firstPaint: number;
  largestPaint: number;
  /** Total blocking time: what tasks longer than 50 ms take beyond that, in ms. */
  blocked: number;
  /** Files received before the screen was live, in request order. */
  files: LoadedFile[];
  /** Console errors and exceptions: a load with errors is not counted. */
  errors: string[];
}

export interface Visit {
  /** Opens the page before, without throttling. */
  before?(page: Page): Promise<void>;
  isOffline?: boolean;
}

/**
 * Loads `url` in a new browser context with throttling, until the textarea is visible and the largest
 * contentful paint is known.
 */
export async function loadPage(
  browser: Browser,
  url: string,
  { before, isOffline = false }: Visit = {},
): Promise<PageLoad> {
  const { context, page, devtools, throttle } = await openPage(browser, isOffline);
  try {
    await before?.(page);
    await context.setOffline(isOffline);
    const errors: string[] = [];
    page.on('pageerror', (error) => errors.push(error.message));
    page.on('console', (message) => {
      if (message.type() === 'error' && !isOffline) errors.push(message.text());
    });
    await throttle();
    await page.addInitScript(watch, TEXTAREA);
    await page.goto(url, { waitUntil: 'commit' });
    const seen = await read(devtools).catch((cause) => {
      throw new Error(`${url} did not show its textarea: ${errors.join('; ')}`, { cause });
    });
    return { ...seen, errors };
  } finally {
    await context.close();
  }
}

/** A page of a new browser context with throttling. */
export async function openThrottled(browser: Browser) {
  const opened = await openPage(browser, false);
  await opened.throttle();
  return opened;
}

async function openPage(browser: Browser, isOffline: boolean) {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    // What a service worker loads would not be throttled.
    serviceWorkers: isOffline ? 'allow' : 'block',
  });
  const page = await context.newPage();
  const devtools = await context.newCDPSession(page);
  const throttle = async () => {
    await devtools.send('Network.enable');
    await devtools.send('Network.emulateNetworkConditions', { ...NETWORK, offline: isOffline });
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN });
  };
  return { context, page, devtools, throttle };
}

type Seen = Omit<PageLoad, 'files' | 'errors'> & { requests: Omit<LoadedFile, 'depth'>[] };

/** Runs in the page before its own scripts, and stores a promise of its observations there. */
function watch(selector: string): void {
  let largestPaint = Number.NaN;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) largestPaint = entry.startTime;
  }).observe({ type: 'largest-contentful-paint', buffered: true });

  let blocked = 0;
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) blocked += Math.max(0, duration - 50);
  }).observe({ type: 'longtask', buffered: true });

  const isThere = () =>
    document.querySelector(selector)?.checkVisibility({ visibilityProperty: true, opacityProperty: true });
  const textareaThere = new Promise<number>((resolve) => {
    const look = () => (isThere() ? resolve(performance.now()) : requestAnimationFrame(look));
    requestAnimationFrame(look);
  });
  // Static HTML stays as it is.
  const isLive = () => !document.querySelector('#root[data-first]') || !document.querySelector('script[src]');
  const live = async () => {
    await textareaThere;
    while (!isLive()) await new Promise(requestAnimationFrame);
    return performance.now();
  };
  const loaded = new Promise((resolve) => addEventListener('load', resolve));
  const painted = (resolve: () => void) =>
    Number.isNaN(largestPaint) ? setTimeout(painted, 50, resolve) : resolve();

  const seen = async (): Promise<Seen> => {
    const textarea = await textareaThere;
    const liveAt = await live();
    await loaded;
    await new Promise<void>(painted);
    const requests = performance
      .getEntries()
      .filter(({ entryType }) => entryType === 'navigation' || entryType === 'resource');
    return {
      textarea,
      live: liveAt,
      largestPaint,
      blocked,
      firstPaint: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Number.NaN,
      requests: (requests as PerformanceResourceTiming[]).map((entry) => ({
        path: new URL(entry.name).pathname,
        start: entry.startTime,
        end: entry.responseEnd,
        wireBytes: entry.transferSize,
      })),
    };
  };
  Object.assign(window, { benchSeen: seen() });
}

/** Uses the DevTools protocol, because the page's policy would block Playwright's evaluation. */
async function read(devtools: CDPSession): Promise<Omit<PageLoad, 'errors'>> {
  const late = new Promise<never>((_, reject) => {
    setTimeout(() => reject(new Error(`no ${TEXTAREA} within ${PATIENCE_MS} ms`)), PATIENCE_MS).unref();
  });
  const { result } = await Promise.race([
    devtools.send('Runtime.evaluate', {
      expression: 'window.benchSeen',
      awaitPromise: true,
      returnByValue: true,
    }),
    late,
  ]);
  const { requests, ...times }: Seen = result.value;
  // The icon is requested after the page has loaded, and nothing waits for it.
  const arrived = requests.filter(({ path, end }) => end > 0 && end <= times.live && !isIcon(path));
  return { ...times, files: withDepth(arrived) };
}

function isIcon(path: string): boolean {
  return path.endsWith('/favicon.svg');
}

function withDepth(requests: Omit<LoadedFile, 'depth'>[]): LoadedFile[] {
  const files: LoadedFile[] = [];
  for (const request of requests.sort((a, b) => a.start - b.start)) {
    const ended = files.filter(({ end }) => end <= request.start);
    files.push({ ...request, depth: 1 + Math.max(0, ...ended.map(({ depth }) => depth)) });
  }
  return files;
}

/** Size of the file at `url` compressed by gzip -9, whatever encoding the server would choose. */
export async function gzipSize(url: string): Promise<number> {
  // The server may have closed the idle connection of an earlier request.
  const response = await fetch(url).catch(() => fetch(url));
  if (!response.ok) throw new Error(`${url} must be there, got ${response.status}`);
  return gzipSync(Buffer.from(await response.arrayBuffer()), { level: 9 }).length;
}
