import type { CDPSession, Page } from 'playwright/test';
import { expect, test } from './desk-test.ts';
import { ask, signUpAndIn } from './visit.ts';

const SIGNS: Record<string, (page: Page) => ReturnType<Page['locator']>> = {
  '/index': (page) => page.getByPlaceholder('请输入问题'),
  '/history': (page) => page.getByRole('heading', { level: 1, name: '记录' }),
  '/report': (page) => page.getByRole('heading', { level: 1, name: '报告' }),
  '/knowledge': (page) => page.getByRole('heading', { level: 1, name: '知识' }),
  '/account': (page) => page.getByRole('heading', { level: 1, name: '账号' }),
  '/login': (page) => page.getByRole('form', { name: '登录' }),
  '/test': (page) => page.getByRole('heading', { level: 1, name: '注册表单' }),
};

/** A remote's screens, and one of another that is shown in between. */
const ROUNDS: Record<string, { screens: string[]; between: string }> = {
  'mfe-chat': { screens: ['/index'], between: '/test' },
  'mfe-records': { screens: ['/history', '/report', '/knowledge'], between: '/test' },
  'mfe-auth': { screens: ['/login', '/account', '/test'], between: '/history' },
};

/** Caches are warm after so many, and the code is compiled. */
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

/** Counts what timers and frames are waited for, from the start of the page. */
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

async function goTo(page: Page, path: string): Promise<void> {
  await page.evaluate((to) => {
    history.pushState(null, '', `/chatbot${to}`);
    dispatchEvent(new PopStateEvent('popstate', { state: null }));
  }, path);
  await SIGNS[path]!(page).waitFor({ timeout: 30_000 });
}

/** What is there once everything that can be thrown away has been. */
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

for (const [remote, { screens, between }] of Object.entries(ROUNDS))
  test(`${remote} leaves nothing behind after ${MOUNTS} mounts of each of its screens`, async ({
    page,
    desk,
  }) => {
    test.setTimeout(420_000);
    await page.addInitScript(countTimers);
    await signUpAndIn(page, desk.url, `mounts-${remote}`, 'correct horse');
    await ask(page, '怎样删除会话？');
    await page.goto(`${desk.url}/chatbot${between}`);
    await SIGNS[between]!(page).waitFor();
    const devtools = await page.context().newCDPSession(page);
    await devtools.send('Performance.enable');

    const round = async (times: number) => {
      for (let n = 0; n < times; n++)
        for (const path of screens) {
          await goTo(page, path);
          // Now and then what it has asked for comes while it stands, else when it has gone.
          if (n % 5 === 0) await page.waitForLoadState('networkidle');
          await goTo(page, between);
        }
      await page.waitForLoadState('networkidle');
    };
    await round(WARM);
    const before = await measure(page, devtools);
    await round(MOUNTS);
    // Delays that were begun last run out.
    await expect
      .poll(async () => (await measure(page, devtools)).timers, { timeout: 30_000 })
      .toBeLessThanOrEqual(before.timers + 1);
    const after = await measure(page, devtools);
    test.info().annotations.push({ type: 'left', description: JSON.stringify({ before, after }) });

    expect(after.frames).toBeLessThanOrEqual(before.frames + 1);
    expect(after.styles).toBe(before.styles);
    // One listener or element a mount would be fifty more.
    expect(after.listeners - before.listeners).toBeLessThan(25);
    expect(after.nodes - before.nodes).toBeLessThan(25);
    // The browser's own notes of visits and fetches come to 5 to 15 kB a mount, in MB.
    expect(after.heap - before.heap).toBeLessThan(1 + screens.length);
  });
