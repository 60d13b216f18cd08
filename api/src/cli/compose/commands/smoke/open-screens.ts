import type { Browser, BrowserContext, Locator, Page, Route } from 'playwright';
import type { ErrorBody } from '../../../../contract/error-body.ts';
import type { PageComposition } from '../../../../contract/pages.ts';
import type { PageEvent, PageReport } from '../../../../contract/reports.ts';
import emptyReplies from './empty-replies.json' with { type: 'json' };

export interface OpenedScreen {
  /** '/index', without the base. */
  path: string;
  /** The composition in the page; null if the page did not load. */
  composition: PageComposition | null;
  /** The host's frame did not appear, so no screen of any remote could. */
  isBlank?: boolean;
  /** Text of the screen's h1; null if none appeared in time. */
  heading: string | null;
  /** Whether the screen or the host's navigation has its heading but cannot be seen. */
  isHidden?: boolean;
  /** Whether the host shows its own error panel or page instead of the screen. */
  isShut: boolean;
  /** URLs of completely loaded scripts. */
  scripts: string[];
  /** Exceptions, logged errors, policy violations and missing files. */
  errors: string[];
  /** Events that the page would have reported to the server. */
  events: PageEvent[];
}

interface OpenOptions {
  /** Override link: gives this browser the candidate's page. */
  link: string;
  server: string;
  paths: readonly string[];
  /** Time limits for one screen and for all screens, in ms. */
  screenMs: number;
  allMs: number;
}

/** Calls of the page that are answered within the browser. /chatbot/* is fetched. */
const CALLS = /^\/(?:api|admin|ops)(?:\/|$)/;
/** Time without network activity after which a page counts as idle, in ms. */
const QUIET_MS = 2_000;

const WIDTH = 1280;
const HEIGHT = 800;

/** Time, in ms, for the host's frame, which needs no remote; and after an error, for further loading. */
const FRAME_MS = 20_000;
const FRAME_AFTER_ERROR_MS = 3_000;

/**
 * Opens every route in `browser`, one after the other. Screens for which no time is left are omitted, and so
 * are those after one in which the host did not start, since it would not start there either.
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
    viewport: { width: WIDTH, height: HEIGHT },
    locale: 'zh-CN',
    serviceWorkers: 'block',
  });
  await context.addInitScript(
    ([key, session]) => {
      try {
        localStorage.setItem(key, session);
      } catch {
        // Pages without an origin have no storage and need none.
      }
    },
    ['__persist__user', JSON.stringify(VISITOR)] as const,
  );
  return context;
}

/** Answers the page of the link as a visitor would, which sets the cookie; the candidate's pages are examined later. */
async function enterOverride(context: BrowserContext, { link, screenMs }: OpenOptions): Promise<void> {
  const options = { maxRedirects: 0, failOnStatusCode: false, timeout: screenMs };
  // Whether it took effect is checked later, by the composition in the pages.
  try {
    const asked = await context.request.get(link, options);
    const [, action] = /<form method="post" action="([^"]*)"/.exec(await asked.text()) ?? [];
    if (action) await context.request.post(new URL(action, link).href, options);
  } catch {
    // As above.
  }
}

async function openScreen(context: BrowserContext, path: string, { server }: OpenOptions, boundMs: number) {
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
    // Until then the page shows the content rendered by the server, even if its scripts fail.
    const isLive = await becomes('detached', page.locator('#root[data-first]'), Math.min(left(), FRAME_MS));
    seen.isBlank = !isLive || !(await hasFrame(page, main, seen, Math.min(left(), FRAME_MS)));
    if (seen.isBlank) return seen;
    await main.locator('h1').first().waitFor({ state: 'attached', timeout: left() });
    // Exceptions in effects, or shortly after the first paint, happen before the page is idle.
    await page
      .waitForLoadState('networkidle', { timeout: Math.min(left(), QUIET_MS) })
      .catch(() => undefined);
    seen.heading = (await main.locator('h1').first().textContent({ timeout: left() }))?.trim() ?? '';
    seen.isHidden =
      (await isHidden(main)) || (await isCovered(main)) || (await isHidden(page.locator('nav.rail').first()));
    seen.isShut = (await main.locator('.failed[role="alert"] h1').count()) > 0;
  } catch (cause) {
    // An exceeded time limit is visible as a missing screen; other errors are recorded.
    const { name, message } = cause as Error;
    if (name !== 'TimeoutError') seen.errors.push(message.split('\n', 1)[0] ?? '');
  } finally {
    // A closing page sends its last report past the routes.
    await context.setOffline(true);
    await page.close();
    await context.setOffline(false);
  }
  return seen;
}

/** The part of the page's `Element` that is used here: this project is typed without a DOM. */
interface Covered {
  getBoundingClientRect(): { left: number; top: number; width: number; height: number };
  contains(other: unknown): boolean;
  ownerDocument: { elementFromPoint(x: number, y: number): unknown };
}

/** Whether something of another part of the page lies over the whole element, so that no click reaches it. */
async function isCovered(element: Locator): Promise<boolean> {
  return element.evaluate((main: Covered) => {
    const { left, top, width, height } = main.getBoundingClientRect();
    const parts = [0.1, 0.3, 0.5, 0.7, 0.9];
    const points = parts.flatMap((x) => parts.map((y) => [left + x * width, top + y * height] as const));
    const hits = points.map(([x, y]) => main.ownerDocument.elementFromPoint(x, y)).filter(Boolean);
    return hits.length > 0 && !hits.some((hit) => main.contains(hit));
  });
}

/** Whether an element is on the page but cannot be seen, such as by a rule for `body` in a remote's sheet. */
async function isHidden(element: Locator): Promise<boolean> {
  if ((await element.count()) === 0) return false;
  const box = await element.boundingBox();
  if (!box || box.width * box.height === 0) return true;
  if (box.x + box.width <= 0 || box.y + box.height <= 0 || box.x >= WIDTH || box.y >= HEIGHT) return true;
  return element.evaluate(
    (shown: { checkVisibility(options: object): boolean }) =>
      !shown.checkVisibility({ opacityProperty: true, visibilityProperty: true }),
  );
}

async function hasFrame(page: Page, frame: Locator, { errors }: OpenedScreen, boundMs: number) {
  const came = becomes('attached', frame, boundMs);
  const isQuiet = page.waitForLoadState('networkidle', { timeout: boundMs }).catch(() => undefined);
  await Promise.race([came, isQuiet]);
  return errors.length > 0 ? becomes('attached', frame, FRAME_AFTER_ERROR_MS) : came;
}

function becomes(state: 'attached' | 'detached', element: Locator, timeout: number): Promise<boolean> {
  return element.waitFor({ state, timeout }).then(
    () => true,
    () => false,
  );
}

async function listen(page: Page, seen: OpenedScreen, server: string): Promise<void> {
  page.on('pageerror', (error) => seen.errors.push(error.stack ?? error.message));
  page.on('console', (message) => {
    const { url } = message.location();
    if (message.type() === 'error' && callOf(url, server) === undefined)
      seen.errors.push(url ? `${message.text()} (${url})` : message.text());
  });
  page.on('requestfinished', (request) => {
    if (request.resourceType() === 'script') seen.scripts.push(request.url());
  });
  await page.route(
    ({ href }) => callOf(href, server) !== undefined,
    (route) => answer(route, callOf(route.request().url(), server) ?? '', seen),
  );
}

async function answer(route: Route, pathname: string, seen: OpenedScreen): Promise<void> {
  const request = route.request();
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

/** The path of a call, below the server's address; undefined for other requests. */
function callOf(url: string, server: string): string | undefined {
  if (!url.startsWith(`${server}/`)) return undefined;
  const { pathname } = new URL(url.slice(server.length), 'http://desk');
  return CALLS.test(pathname) ? pathname : undefined;
}

/** The signed-in user in the browser of a smoke run; never sent to the server. */
const VISITOR = { token: 'smoke-run', username: 'smoke' };

/** Responses of an empty server, by call. */
const ANSWERS = emptyReplies as Record<string, unknown>;

/** The browser answers calls of a page by itself: unknown ones with 503, as an overloaded server. */
export function answerCall(method: string, path: string): { status: number; body: unknown } {
  const body = ANSWERS[`${method} ${path}`];
  if (body !== undefined) return { status: 200, body };
  const busy: ErrorBody = {
    code: 503,
    msg: 'not available in a smoke run',
    error: 'unavailable',
    requestId: 'smoke',
  };
  return { status: 503, body: busy };
}
