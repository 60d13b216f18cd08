import type { Browser, BrowserContext, Locator, Page, Route } from 'playwright';
import type { PageComposition, PageEvent, PageReport } from '../../../contract/contract.ts';
import { answerCall, VISITOR } from './answer-call.ts';

/** What was seen when one route was opened. */
export interface OpenedScreen {
  /** '/index', without the base. */
  path: string;
  /** What the page was rendered with; null when it did not come. */
  composition: PageComposition | null;
  /** The host's frame never came: whatever remote the screen is of, nothing of it can be seen. */
  isBlank?: boolean;
  /** Text of the screen's h1; null when none came within the bound. */
  heading: string | null;
  /** The host's own panel or page stands in the screen's place. */
  isShut: boolean;
  /** Addresses of scripts that came whole. */
  scripts: string[];
  /** What was thrown, logged as an error, refused by a policy, or missing. */
  errors: string[];
  /** What the page would have told the desk. */
  events: PageEvent[];
}

export interface OpenOptions {
  /** A page of the candidate follows from it, for this browser alone. */
  link: string;
  server: string;
  /** Paths of the host's routes. */
  paths: readonly string[];
  /** How long one screen may take, and all of them together, in ms. */
  screenMs: number;
  allMs: number;
}

/** The page's calls, which never leave the browser. /chatbot/* is fetched. */
const CALLS = /^\/(?:api|admin|ops)(?:\/|$)/;
/** A page that is quiet for so long has nothing more under way, in ms. */
const QUIET_MS = 2_000;

/** The host's frame needs no remote, and comes long before, in ms; after an error so long after nothing is fetched any more. */
const FRAME_MS = 20_000;
const FRAME_AFTER_ERROR_MS = 3_000;

/**
 * Opens every route in `browser`, one after the other. Screens that there was no time for are left out, and so are those after one
 * in which the host did not start: it would not in theirs.
 */
export async function openScreens(browser: Browser, options: OpenOptions): Promise<OpenedScreen[]> {
  const deadline = Date.now() + options.allMs;
  const context = await openContext(browser);
  await enterOverride(context, options);
  const screens: OpenedScreen[] = [];
  for (const path of options.paths) {
    const left = deadline - Date.now();
    if (left <= 0) break;
    const screen = await openScreen(context, path, options, Math.min(options.screenMs, left));
    screens.push(screen);
    if (screen.isBlank) break;
  }
  await context.close();
  return screens;
}

async function openContext(browser: Browser): Promise<BrowserContext> {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    locale: 'zh-CN',
    serviceWorkers: 'block',
  });
  await context.addInitScript(
    ([key, session]) => {
      try {
        localStorage.setItem(key, session);
      } catch {
        // A page of no origin has no storage, and needs none.
      }
    },
    ['__persist__user', JSON.stringify(VISITOR)] as const,
  );
  return context;
}

/** Following the link sets the cookie; where it leads is looked at later. */
async function enterOverride(
  context: BrowserContext,
  { link, server, screenMs }: OpenOptions,
): Promise<void> {
  const { pathname, search } = new URL(link, server);
  const options = { maxRedirects: 0, failOnStatusCode: false, timeout: screenMs };
  // Whether it took effect shows in what the pages are rendered with.
  await context.request.get(server + pathname + search, options).catch(() => undefined);
}

async function openScreen(
  context: BrowserContext,
  path: string,
  { server }: OpenOptions,
  boundMs: number,
): Promise<OpenedScreen> {
  const page = await context.newPage();
  const seen: OpenedScreen = {
    path,
    composition: null,
    isBlank: true,
    heading: null,
    isShut: false,
    scripts: [],
    errors: [],
    events: [],
  };
  await listen(page, seen, server);
  const deadline = Date.now() + boundMs;
  const left = () => Math.max(1, deadline - Date.now());
  try {
    await page.goto(`${server}/chatbot${path}`, { waitUntil: 'domcontentloaded', timeout: left() });
    seen.composition = JSON.parse(
      (await page.locator('script#composition').textContent({ timeout: left() })) ?? 'null',
    );
    const main = page.locator('main#main');
    seen.isBlank = !(await hasFrame(page, main, seen, Math.min(left(), FRAME_MS)));
    if (seen.isBlank) return seen;
    await main.locator('h1').first().waitFor({ state: 'attached', timeout: left() });
    // What throws in an effect, or a moment after the first paint, does so before the page falls quiet.
    await page
      .waitForLoadState('networkidle', { timeout: Math.min(left(), QUIET_MS) })
      .catch(() => undefined);
    seen.heading = (await main.locator('h1').first().textContent({ timeout: left() }))?.trim() ?? '';
    seen.isShut = (await main.locator('.failed[role="alert"] h1').count()) > 0;
  } catch (cause) {
    // A bound that was passed shows in what is missing; anything else is told.
    if (!isTimeout(cause)) seen.errors.push((cause as Error).message.split('\n', 1)[0] ?? '');
  } finally {
    await page.close();
  }
  return seen;
}

async function hasFrame(page: Page, frame: Locator, { errors }: OpenedScreen, boundMs: number) {
  const comes = async (timeout: number) =>
    frame.waitFor({ state: 'attached', timeout }).then(
      () => true,
      () => false,
    );
  const came = comes(boundMs);
  const isQuiet = page.waitForLoadState('networkidle', { timeout: boundMs }).catch(() => undefined);
  await Promise.race([came, isQuiet]);
  return errors.length > 0 ? comes(FRAME_AFTER_ERROR_MS) : came;
}

async function listen(page: Page, seen: OpenedScreen, server: string): Promise<void> {
  page.on('pageerror', (error) => seen.errors.push(error.stack ?? error.message));
  page.on('console', (message) => {
    const { url } = message.location();
    if (message.type() === 'error' && !isCall(url, server)) seen.errors.push(`${message.text()} (${url})`);
  });
  page.on('requestfinished', (request) => {
    if (request.resourceType() === 'script') seen.scripts.push(request.url());
  });
  await page.route(
    (url) => url.origin === server && CALLS.test(url.pathname),
    (route) => answer(route, seen),
  );
}

async function answer(route: Route, seen: OpenedScreen): Promise<void> {
  const request = route.request();
  const { pathname } = new URL(request.url());
  if (pathname === '/ops/reports') {
    seen.events.push(...eventsIn(request.postData()));
    await route.fulfill({ status: 204 });
    return;
  }
  const { status, body } = answerCall(request.method(), pathname);
  await route.fulfill({ status, json: body });
}

function eventsIn(body: string | null): PageEvent[] {
  try {
    return (JSON.parse(body ?? '{}') as Partial<PageReport>).events ?? [];
  } catch {
    return [];
  }
}

function isCall(url: string, server: string): boolean {
  return URL.canParse(url) && new URL(url).origin === server && CALLS.test(new URL(url).pathname);
}

function isTimeout(cause: unknown): boolean {
  return (cause as Error).name === 'TimeoutError';
}
