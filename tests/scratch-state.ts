import { chromium } from 'playwright';
import { loadPage } from './bench/page-load.ts';
import { CHROMIUM_FLAGS, findChromium } from './find-chromium.ts';
import { startDesk, temporaryDataDir } from './start-desk.ts';

const data = await temporaryDataDir();
const desk = await startDesk({ dataDir: data.dataDir });
const browser = await chromium.launch({ executablePath: findChromium(), args: CHROMIUM_FLAGS });
try {
  const html = await (
    await fetch(desk.url + '/chatbot/index', { headers: { 'accept-encoding': 'br' } })
  ).text();
  console.log('doc', html.length, html.includes('data-first'));
  for (const path of [
    '/chatbot/index',
    '/chatbot/login',
    '/chatbot/history',
    '/chatbot/report',
    '/chatbot/index?c=abc',
  ])
    for (const width of [1280, 390]) {
      const context = await browser.newContext({ viewport: { width, height: 800 } });
      const page = await context.newPage();
      page.on('console', (m) => console.log(path, width, m.type(), m.text()));
      page.on('pageerror', (e) => console.log(path, width, 'pageerror', e.message));
      await page.addInitScript(() => {
        (globalThis as any).cls = [];
        new PerformanceObserver((l) => {
          for (const e of l.getEntries() as any)
            (globalThis as any).cls.push([
              e.value,
              e.startTime,
              e.sources?.map((s: any) => (s.node?.outerHTML ?? s.node?.textContent ?? '').slice(0, 80)),
            ]);
        }).observe({ type: 'layout-shift', buffered: true });
      });
      let open: (() => void) | undefined;
      const gate = new Promise<void>((r) => {
        open = r;
      });
      await page.route(/main\.[^/]*\.js/, async (route) => {
        await gate;
        await route.continue();
      });
      await page.goto(desk.url + path, { waitUntil: 'commit' });
      await page.waitForTimeout(1200);
      const name = path.replace(/\W/g, '_') + width;
      await page.screenshot({ path: `/tmp/st/${name}-first.png` });
      if (path === '/chatbot/index') await page.keyboard.type('typed early');
      open!();
      await page
        .locator('#root[data-first]')
        .waitFor({ state: 'detached', timeout: 20000 })
        .catch((e) => console.log(String(e)));
      if (path === '/chatbot/index')
        console.log(
          'value',
          await page.locator('textarea').inputValue(),
          await page.evaluate(() => document.activeElement?.tagName),
        );
      await page.waitForTimeout(1500);
      await page.screenshot({ path: `/tmp/st/${name}-live.png` });
      console.log(name, 'cls', JSON.stringify(await page.evaluate(() => (globalThis as any).cls)));
      await context.close();
    }
  for (let i = 0; i < 3; i++) {
    const l = await loadPage(browser, desk.url + '/chatbot/index');
    console.log(
      'textarea',
      Math.round(l.textarea),
      'fcp',
      Math.round(l.firstPaint),
      'lcp',
      Math.round(l.largestPaint),
      l.errors,
    );
  }
} finally {
  await browser.close();
  await desk.kill();
  await data.remove();
}
