import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Browser, chromium, type Page } from 'playwright';
import { compileWithRspack } from '../../api/src/cli/compile-with-rspack.ts';
import { editingScripts } from '../e2e/copy-build.ts';
import { goLive, liveRelease, publish } from '../e2e/deploy.ts';
import { isStored } from '../e2e/is-stored.ts';
import { CHROMIUM_FLAGS, findChromium } from '../find-chromium.ts';
import type { Desk } from '../start-desk.ts';
import type { Figure, PartResult } from './figures.ts';
import { CHANGED_PATH, PLAIN_PATH, STATIC_PATH, serveOneBundle } from './one-bundle/serve-one-bundle.ts';
import { gzipSize, loadPage, openThrottled, type PageLoad, TEXTAREA, type Visit } from './page-load.ts';
import { median } from './statistics.ts';

const root = path.join(import.meta.dirname, '../..');

interface Options {
  desk: Desk;
  runs: number;
  log(line: string): void;
}

/** Rounds of the visits that are no cold ones, and of the first answer. */
const ROUNDS_OF_VISITS = 3;

/**
 * The composed page compared with the same code as a single bundle: time to the textarea, which can be typed into, and to the
 * scripts that own it; with plain Module Federation; and with the same page as static HTML, the floor. The desk needs `OPS`.
 */
export async function measurePages({ desk, runs, log }: Options): Promise<PartResult> {
  const deskUrl = desk.url;
  log('building the one bundle');
  await compileWithRspack(root)('tests/bench/one-bundle');
  const bundle = await serveOneBundle(deskUrl);
  const browser = await chromium.launch({ executablePath: findChromium(), args: CHROMIUM_FLAGS });
  try {
    const composedUrl = `${deskUrl}/chatbot/index`;
    const bundleUrl = `${bundle.url}/chatbot/index`;
    const urls = [composedUrl, bundleUrl, bundle.url + STATIC_PATH, bundle.url + PLAIN_PATH];
    const [composed, one, floor, plain] = await interleaved(browser, urls, runs, log);
    const cold = { composed: composed!, one: one!, floor: floor!, plain: plain! };
    const result = await toResult({ ...cold, composedUrl, bundleUrl, runs });
    result.figures.push(...(await measureVisits({ browser, desk, bundleUrl, log })));
    return result;
  } finally {
    await browser.close();
    await bundle.close();
  }
}

/**
 * Loads every URL in turn, `runs` times, reversing the order in each round. A first warm-up round, which
 * fills the servers' caches, is not counted.
 */
async function interleaved(
  browser: Browser,
  urls: string[],
  runs: number,
  log: (line: string) => void,
): Promise<PageLoad[][]> {
  const loads: PageLoad[][] = urls.map(() => []);
  for (let round = 0; round <= runs; round += 1) {
    const indexes = [...urls.keys()];
    for (const index of round % 2 ? indexes.reverse() : indexes) {
      const load = await loadPage(browser, urls[index]!);
      if (load.errors.length > 0) throw new Error(`${urls[index]} failed: ${load.errors.join('; ')}`);
      if (round > 0) loads[index]!.push(load);
    }
    if (round > 0)
      log(`page ${round}/${runs}: ${loads.map((all) => Math.round(all.at(-1)!.textarea)).join(' and ')} ms`);
  }
  return loads;
}

interface Measured {
  composed: PageLoad[];
  one: PageLoad[];
  /** The same page as static HTML. */
  floor: PageLoad[];
  /** Plain Module Federation. */
  plain: PageLoad[];
  composedUrl: string;
  bundleUrl: string;
  runs: number;
}

async function toResult({
  composed,
  one,
  floor,
  plain,
  composedUrl,
  bundleUrl,
  runs,
}: Measured): Promise<PartResult> {
  const scripts = {
    composed: await scriptsOf(composed, composedUrl),
    one: await scriptsOf(one, bundleUrl),
  };
  const both = (name: string, unit: string, of: (load: PageLoad) => number): Figure[] => [
    { name: `${name}, composed`, value: median(composed.map(of)), unit },
    { name: `${name}, one bundle`, value: median(one.map(of)), unit },
  ];
  const fastest = (loads: PageLoad[]) => Math.min(...loads.map(({ textarea }) => textarea));
  const textarea = both('textarea', 'ms', (load) => load.textarea);
  const kilobytes = (some: Script[]) => some.reduce((total, { gzip }) => total + gzip, 0) / 1000;
  return {
    part: 'page',
    about: `/chatbot/index cold at 1.6 Mbps, 150 ms round trip, CPU 4 times slower; medians of ${runs} interleaved loads`,
    figures: [
      ...textarea,
      { name: 'composed ÷ one bundle', value: textarea[0]!.value / textarea[1]!.value, unit: '', aim: 0.35 },
      { name: 'textarea, static HTML', value: median(floor.map(({ textarea }) => textarea)), unit: 'ms' },
      {
        name: 'textarea, plain Module Federation',
        value: median(plain.map(({ textarea }) => textarea)),
        unit: 'ms',
      },
      ...both('scripts own the textarea', 'ms', ({ live }) => live),
      { name: 'fastest composed ÷ fastest one bundle', value: fastest(composed) / fastest(one), unit: '' },
      {
        name: 'scripts before they own it, gzip -9, composed',
        value: kilobytes(scripts.composed),
        unit: 'KB',
        aim: 112,
      },
      {
        name: 'scripts before they own it, gzip -9, one bundle',
        value: kilobytes(scripts.one),
        unit: 'KB',
      },
      ...both('bytes received before that', 'ms', ({ files }) => Math.max(...files.map(({ end }) => end))),
      ...both('requests before that', '', ({ files }) => files.length),
      ...both('depth of those requests', '', ({ files }) => Math.max(...files.map(({ depth }) => depth))),
      ...both('first contentful paint', 'ms', (load) => load.firstPaint),
      ...both('largest contentful paint', 'ms', (load) => load.largestPaint),
      ...both('total blocking time', 'ms', ({ blocked }) => blocked),
    ],
    details: [
      ...spread('composed', composed),
      ...waterfall(medianLoad(composed), scripts.composed),
      ...spread('one bundle', one),
      ...waterfall(medianLoad(one), scripts.one),
    ],
  };
}

interface Visits {
  browser: Browser;
  desk: Desk;
  bundleUrl: string;
  log(line: string): void;
}

/** Returning visits after a release of mfe-chat, visits without a connection, and the first answer to what is typed and sent at once. */
async function measureVisits({ browser, desk, bundleUrl, log }: Visits): Promise<Figure[]> {
  const composedUrl = `${desk.url}/chatbot/index`;
  const before = await liveRelease(desk, 'mfe-chat');
  const after = await publish(
    desk,
    'mfe-chat',
    '99.0.0',
    editingScripts(/^chat\./, (text) => `${text}\n`),
  );
  const open = async (page: Page, url: string) => {
    await page.goto(url, { waitUntil: 'networkidle' });
    await page.locator(TEXTAREA).waitFor();
  };
  const kinds: Record<string, () => Promise<PageLoad>> = {
    'returning, composed': async () => {
      await goLive(desk, before);
      const visit: Visit = {
        async before(page) {
          await open(page, composedUrl);
          await goLive(desk, after);
        },
      };
      return loadPage(browser, composedUrl, visit);
    },
    'returning, one bundle': () =>
      loadPage(browser, bundleUrl.replace(/\/chatbot\/index$/, CHANGED_PATH), {
        before: (page) => open(page, bundleUrl),
      }),
    'offline, composed': () =>
      loadPage(browser, composedUrl, {
        isOffline: true,
        async before(page) {
          await open(page, composedUrl);
          while (!(await isStored(page))) await sleep(50);
        },
      }),
  };
  const loads = Object.entries(kinds).map(([kind, load]) => ({ kind, load, all: [] as PageLoad[] }));
  const answers = [
    { kind: 'composed', url: composedUrl, all: [] as number[] },
    { kind: 'one bundle', url: bundleUrl, all: [] as number[] },
  ];
  for (let round = 1; round <= ROUNDS_OF_VISITS; round += 1) {
    for (const { load, all } of loads) all.push(await load());
    for (const { url, all } of answers) all.push(await firstAnswer(browser, url));
    log(`visits ${round}/${ROUNDS_OF_VISITS}`);
  }
  const of = (name: string, all: PageLoad[], read: (load: PageLoad) => number): Figure => ({
    name,
    value: median(all.map(read)),
    unit: 'ms',
  });
  return [
    ...loads.flatMap(({ kind, all }) => [
      of(`textarea, ${kind}`, all, ({ textarea }) => textarea),
      of(`scripts own the textarea, ${kind}`, all, ({ live }) => live),
      of(`first contentful paint, ${kind}`, all, ({ firstPaint }) => firstPaint),
      of(`total blocking time, ${kind}`, all, ({ blocked }) => blocked),
    ]),
    ...answers.map(({ kind, all }) => ({
      name: `first answer, ${kind}`,
      value: median(all),
      unit: 'ms',
    })),
  ];
}

/** Time until the answer to a question that is typed as soon as there is a textarea, and sent at once, in ms. */
async function firstAnswer(browser: Browser, url: string): Promise<number> {
  const { context, page } = await openThrottled(browser);
  try {
    const start = performance.now();
    await page.goto(url, { waitUntil: 'commit' });
    await page.locator(TEXTAREA).fill('删掉的对话还能找回来吗？');
    await page.getByRole('button', { name: '发送' }).click();
    await page.getByRole('article').filter({ hasText: '撤销' }).first().waitFor();
    return performance.now() - start;
  } finally {
    await context.close();
  }
}

interface Script {
  path: string;
  /** Size after gzip -9. */
  gzip: number;
}

/** The scripts of the median load. */
function scriptsOf(loads: PageLoad[], url: string): Promise<Script[]> {
  const scripts = medianLoad(loads).files.filter(({ path }) => path.endsWith('.js'));
  return Promise.all(
    scripts.map(async (file) => ({ path: file.path, gzip: await gzipSize(new URL(file.path, url).href) })),
  );
}

function medianLoad(loads: PageLoad[]): PageLoad {
  return loads.toSorted((a, b) => a.textarea - b.textarea)[Math.floor((loads.length - 1) / 2)]!;
}

function spread(name: string, loads: PageLoad[]): string[] {
  const times = loads.map(({ textarea }) => Math.round(textarea));
  return [`${name}: textarea ${Math.min(...times)}–${Math.max(...times)} ms; the median load:`];
}

function waterfall({ files }: PageLoad, scripts: Script[]): string[] {
  const gzipOf = new Map(scripts.map(({ path, gzip }) => [path, gzip]));
  return files.map(({ path, start, end, wireBytes, depth }) => {
    const times = `${Math.round(start)}–${Math.round(end)} ms`.padEnd(14);
    const wire = `${(wireBytes / 1000).toFixed(1)} KB`.padStart(9);
    const gzip = gzipOf.has(path) ? `${(gzipOf.get(path)! / 1000).toFixed(1)} KB gzip` : '';
    return `  ${'·'.repeat(depth).padEnd(4)}${times}${wire} ${gzip.padStart(14)}  ${path}`;
  });
}
