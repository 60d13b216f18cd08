import type { CDPSession, Page } from 'playwright/test';
import { expect, test } from './desk-test.ts';
import { ask, signUpAndIn } from './visit.ts';
import { whenAnswered } from './when-live.ts';

/** Shows that a screen is rendered: an element and a text in it. */
const SIGNS: Record<string, { element: string; words: string }> = {
  '/index': { element: 'textarea[placeholder="请输入问题"]', words: '' },
  '/shared': { element: 'main h1', words: '分享的会话' },
  '/history': { element: 'main h1', words: '记录' },
  '/report': { element: 'main h1', words: '报告' },
  '/contacts': { element: 'main h1', words: '联系人' },
  '/knowledge': { element: 'main h1', words: '知识' },
  '/inbox': { element: 'main h1', words: '人工咨询' },
  '/account': { element: 'main h1', words: '账号' },
  '/login': { element: 'main form input[type="password"]', words: '' },
  '/test': { element: 'main h1', words: '注册表单' },
};

/**
 * A remote's screens, and a screen of another remote shown in between. `charts` is a screen with charts: the selectors of the chart library keep the
 * last one, so that it is shown before each measurement.
 */
const ROUNDS: Record<string, { screens: string[]; between: string; charts?: string }> = {
  'mfe-records': {
    screens: ['/history', '/report', '/contacts', '/knowledge', '/inbox'],
    between: '/test',
    charts: '/report',
  },
  'mfe-chat': { screens: ['/index', '/shared'], between: '/test' },
  'mfe-auth': { screens: ['/login', '/account', '/test'], between: '/history' },
};

/** Mounts until caches are filled and the code is compiled. */
const WARM = 8;
const MOUNTS = 50;

interface Left {
  heap: number;
  nodes: number;
  listeners: number;
  timers: number;
  frames: number;
  styles: number;
}

/** Counts pending timers and animation frames from the start of the page. */
const countTimers = () => {
  const timers = new Set<unknown>();
  const frames = new Set<unknown>();
  const page = window;
  const once =
    (set: Set<unknown>, start: (run: (at: number) => void, ms?: number) => unknown) =>
    (run: unknown, ms?: number, ...rest: unknown[]) => {
      const id = start((at) => {
        set.delete(id);
        if (typeof run === 'function') run(...(rest.length ? rest : [at]));
      }, ms);
      set.add(id);
      return id;
    };
  const ended = (set: Set<unknown>, end: (id: number) => void) => (id: number) => {
    set.delete(id);
    end.call(page, id);
  };
  const { setInterval, clearTimeout, clearInterval, cancelAnimationFrame } = page;
  Object.assign(page, {
    waiting: { timers, frames },
    setTimeout: once(timers, page.setTimeout.bind(page) as never),
    requestAnimationFrame: once(frames, page.requestAnimationFrame.bind(page) as never),
    setInterval: (...given: Parameters<typeof setInterval>) => {
      const id = setInterval.apply(page, given);
      timers.add(id);
      return id;
    },
    clearTimeout: ended(timers, clearTimeout),
    clearInterval: ended(timers, clearInterval),
    cancelAnimationFrame: ended(frames, cancelAnimationFrame),
  });
};

/** Navigates from screen to screen within the page as soon as each is rendered. */
async function walk(page: Page, paths: string[]): Promise<void> {
  const steps = paths.map((path) => ({ path, ...SIGNS[path]! }));
  await page.evaluate(async (all) => {
    for (const { path, element, words } of all) {
      history.pushState(null, '', `/chatbot${path}`);
      dispatchEvent(new PopStateEvent('popstate', { state: null }));
      await new Promise<void>((resolve, reject) => {
        const late = setTimeout(() => reject(new Error(`${path} did not stand within 30 s`)), 30_000);
        const look = () => {
          if (!document.querySelector(element)?.textContent.includes(words)) return;
          clearTimeout(late);
          watching.disconnect();
          resolve();
        };
        const watching = new MutationObserver(look);
        watching.observe(document.body, { childList: true, subtree: true, characterData: true });
        look();
      });
    }
  }, steps);
}

/** Counts after garbage collection. */
async function measure(page: Page, devtools: CDPSession): Promise<Left> {
  for (let n = 0; n < 3; n++) await devtools.send('HeapProfiler.collectGarbage');
  const { metrics } = await devtools.send('Performance.getMetrics');
  const of = (name: string) => metrics.find((metric) => metric.name === name)!.value;
  const waiting = await page.evaluate(() => {
    const { waiting } = globalThis as never as { waiting: Record<'timers' | 'frames', Set<unknown>> };
    const styles = document.querySelectorAll('style, link[rel=stylesheet]').length;
    return { timers: waiting.timers.size, frames: waiting.frames.size, styles };
  });
  return {
    heap: of('JSHeapUsedSize') / 1e6,
    nodes: of('Nodes'),
    listeners: of('JSEventListeners'),
    ...waiting,
  };
}

for (const [remote, { screens, between, charts }] of Object.entries(ROUNDS))
  test(`${remote} leaves nothing behind after ${MOUNTS} mounts of each of its screens`, async ({
    page,
    desk,
  }) => {
    test.setTimeout(420_000);
    await page.addInitScript(countTimers);
    await signUpAndIn(page, desk.url, `mounts-${remote}`, 'correct horse');
    await ask(page, '怎样删除会话？');
    await page.goto(`${desk.url}/chatbot${between}`);
    await walk(page, [between]);
    const devtools = await page.context().newCDPSession(page);
    await devtools.send('Performance.enable');

    const round = async (times: number) => {
      for (let n = 0; n < times; n++)
        for (const path of screens) {
          await walk(page, [path]);
          // Half of the responses arrive while the screen is mounted, the others after it was left.
          if (n % 2 === 0) await whenAnswered(page);
          await walk(page, [between]);
        }
      if (charts) {
        await walk(page, [charts]);
        await page.locator('.recharts-surface').first().waitFor();
        await walk(page, [between]);
      }
      await whenAnswered(page);
    };
    await round(WARM);
    const before = await measure(page, devtools);
    await round(MOUNTS);
    // Waits until the last timers have run and released their objects.
    let after = before;
    await expect
      .poll(
        async () => {
          after = await measure(page, devtools);
          return after.timers <= before.timers + 1 && after.nodes - before.nodes < 25;
        },
        { timeout: 30_000 },
      )
      .toBe(true)
      .catch(() => undefined);
    test.info().annotations.push({ type: 'left', description: JSON.stringify({ before, after }) });

    expect(after.timers).toBeLessThanOrEqual(before.timers + 1);
    expect(after.frames).toBeLessThanOrEqual(before.frames + 1);
    expect(after.styles).toBe(before.styles);
    // A leak of one listener or element per mount would add fifty.
    expect(after.listeners - before.listeners).toBeLessThan(25);
    expect(after.nodes - before.nodes).toBeLessThan(25);
    // In MB. The browser's own data about navigations and requests takes 5 to 15 kB per mount.
    expect(after.heap - before.heap).toBeLessThan(1 + screens.length);
  });
