import type { Page } from 'playwright/test';
import type { Health, PageEvent, PageReport } from '../../api/src/contract.ts';
import type { Desk } from '../start-desk.ts';
import { type Edit, saying } from './copy-build.ts';
import { call, goLive, liveRelease, OPS, publish, running } from './deploy.ts';
import { test as base, expect } from './desk-test.ts';
import { ask } from './visit.ts';

/** A desk with the release that its tests break next, and the one that stood there before. */
const test = base.extend<{ whole: string }, { broken: { next(): string } }>({
  // What the browser itself tells of files that do not come, and what the broken releases throw.
  expectedErrors:
    /Failed to load resource|integrity|digest|Failed to load module script|inline style|broken on purpose/i,
  desk: [async ({ startAnother }, use) => use(await startAnother({ env: OPS })), { scope: 'worker' }],
  broken: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures from this pattern
    async ({}, use) => {
      let count = 0;
      await use({ next: () => `7.${++count}.0` });
    },
    { scope: 'worker' },
  ],
  whole: async ({ desk }, use) => {
    const whole = await liveRelease(desk, 'mfe-chat');
    await use(whole);
    await goLive(desk, whole);
  },
});

const HINT = '请输入以咨询问题';
const BROKEN_HINT = '请勿使用这一版';

interface Way {
  edit?: Edit;
  /** Done to what the network gives. */
  meddle?(page: Page, files: RegExp): Promise<unknown>;
  phase?: 'load' | 'render';
  tells: RegExp;
}

const both =
  (...edits: Edit[]): Edit =>
  (text, name) =>
    edits.reduce((before, edit) => edit(before, name), text);

const WAYS: Record<string, Way> = {
  'is missing': {
    meddle: (page, files) => page.route(files, (route) => route.fulfill({ status: 404, body: '' })),
    tells: /import|fetch/i,
  },
  hangs: {
    meddle: (page, files) => page.route(files, () => {}),
    tells: /did not come within 5000 ms/,
  },
  'is a page instead of a script': {
    meddle: (page, files) =>
      page.route(files, (route) =>
        route.fulfill({ contentType: 'text/html', body: '<!doctype html><h1>404</h1>' }),
      ),
    tells: /import|fetch/i,
  },
  'has flipped bytes in a chunk': {
    meddle: (page) =>
      page.route(/\/mfe-chat\/7\.[^/]*\/chat\.[^/]*\.js/, async (route) => {
        const whole = await route.fetch();
        const bytes = await whole.body();
        bytes[Math.floor(bytes.length / 2)]! ^= 0x15;
        await route.fulfill({ response: whole, body: bytes });
      }),
    tells: /import|fetch|chunk/i,
  },
  'has flipped bytes in what its screen fetches next': {
    meddle: (page) =>
      page.route(/\/mfe-chat\/7\.[^/]*\/src_full-desk[^/]*\.js/, async (route) => {
        const whole = await route.fetch();
        const bytes = await whole.body();
        bytes[Math.floor(bytes.length / 2)]! ^= 0x15;
        await route.fulfill({ response: whole, body: bytes });
      }),
    phase: 'render',
    tells: /import|fetch|chunk/i,
  },
  'has a style sheet that hangs': {
    meddle: (page) => page.route(/\/mfe-chat\/7\.[^/]*\/chat\.[^/]*\.css/, () => {}),
    tells: /did not come within 5000 ms/,
  },
  'throws at load': {
    edit: running(
      './chat',
      () => '{globalThis.brokenRuns=(globalThis.brokenRuns??0)+1;throw Error("broken on purpose")}',
    ),
    tells: /broken on purpose/,
  },
  'throws at render': {
    edit: running('./chat', (run) => `(${run},{default:()=>{throw Error("broken on purpose")}})`),
    phase: 'render',
    tells: /broken on purpose/,
  },
  'throws in an effect of its first render': {
    // Without a library: what makes a class of React's is a mark on it.
    edit: running('./chat', (run) => {
      const made =
        'class{constructor(props){this.props=props}componentDidMount(){throw Error("broken on purpose")}render(){return null}}';
      return `(${run},(one=>{one.prototype.isReactComponent={};return{default:one}})(${made}))`;
    }),
    phase: 'render',
    tells: /broken on purpose/,
  },
  'exposes another name': {
    edit: (text, name) =>
      name.startsWith('remoteEntry') ? text.replace('"./chat":()=>', '"./talk":()=>') : text,
    tells: /\.\/chat/,
  },
  'needs a newer React': {
    edit: (text) => text.replaceAll('requiredVersion:"^19.', 'requiredVersion:"^99.'),
    tells: /react/i,
  },
};

/** Hears what the page tells of itself, beside the server. */
async function hear(page: Page): Promise<() => Promise<PageEvent[]>> {
  await page.addInitScript(() => {
    const bodies: Promise<string>[] = [];
    const send = navigator.sendBeacon.bind(navigator);
    Object.assign(globalThis, { beacons: bodies });
    navigator.sendBeacon = (address, body) => {
      if (body instanceof Blob) bodies.push(body.text());
      return send(address, body);
    };
  });
  return async () => {
    const bodies = await page.evaluate(() =>
      Promise.all((globalThis as never as { beacons: string[] }).beacons),
    );
    return bodies.flatMap((body) => (JSON.parse(body) as PageReport).events);
  };
}

async function failuresOf(desk: Desk, version: string): Promise<number> {
  const { rows } = await call<Health>(desk, 'GET', '/ops/health');
  return rows.find((row) => row.remote === 'mfe-chat' && row.version === version)?.failures ?? 0;
}

for (const [way, { edit, meddle, phase = 'load', tells }] of Object.entries(WAYS))
  test(`a release that ${way} gives way to the one before it, and is reported once`, async ({
    page,
    desk,
    whole,
    broken,
  }) => {
    const version = broken.next();
    const changes = both(saying(HINT, BROKEN_HINT), ...(edit ? [edit] : []));
    await goLive(desk, await publish(desk, 'mfe-chat', version, changes));
    await meddle?.(page, /\/mfe-chat\/7\.[^/]*\/[^/]*\.js/);
    const told = await hear(page);

    await page.goto(`${desk.url}/chatbot/index`, { waitUntil: 'commit' });
    await expect(page.getByText(HINT)).toBeVisible({ timeout: 40_000 });
    await expect(page.getByText(BROKEN_HINT)).toHaveCount(0);
    // Nothing of the broken release dresses the one that stands in for it.
    await expect(page.locator(`link[rel=stylesheet][href*="/mfe-chat/${version}/"]`)).toHaveCount(0);
    expect(await ask(page, '怎样删除会话？')).toContain('删除');

    // The others stay as they are, in the same tab and back again.
    await page.getByRole('navigation').getByRole('link', { name: '记录' }).click();
    await expect(page.getByText('怎样删除会话').first()).toBeVisible();
    await page.getByRole('navigation').getByRole('link', { name: '咨询', exact: true }).click();
    await expect(page.getByPlaceholder('请输入问题')).toBeVisible();
    expect(await page.evaluate(() => (globalThis as { brokenRuns?: number }).brokenRuns ?? 1)).toBe(1);

    await expect
      .poll(async () => (await told()).filter(({ kind }) => kind === 'failure'), { timeout: 30_000 })
      .toEqual([
        {
          kind: 'failure',
          remote: 'mfe-chat',
          version,
          phase,
          expose: './chat',
          error: expect.stringMatching(tells),
        },
      ]);
    expect(
      (await told())
        .filter((event) => event.kind === 'load')
        .map((event) => `${event.remote}@${event.version}`),
    ).toContain(whole);
    await expect.poll(() => failuresOf(desk, version), { timeout: 30_000 }).toBe(1);

    await page.goto(`${desk.url}/chatbot/login`);
    await expect(page.getByRole('form', { name: '登录' })).toBeVisible();
  });

test('a release that leaks timers and more takes nobody along, and its errors are put down to it', async ({
  page,
  desk,
  whole,
  broken,
}) => {
  const version = broken.next();
  const leak = `(()=>{const Screen=(RUN).default;let has=false;return{default:props=>{if(!has){has=true;
    setInterval(()=>{throw Error("broken on purpose: timer")},40);
    addEventListener("click",()=>{Promise.reject(Error("broken on purpose: promise"))});
    const veil=document.createElement("div");veil.id="veil";veil.style.cssText="position:fixed;inset:0;z-index:9999";
    setTimeout(()=>document.body.append(veil),300);document.body.style.pointerEvents="none";
    document.head.append(document.createElement("style"))}return Screen(props)}}})()`;
  const edit = running('./chat', (run) => leak.replace('RUN', run).replaceAll('\n', ' '));
  await goLive(desk, await publish(desk, 'mfe-chat', version, edit));
  expect(whole).not.toContain(version);
  const told = await hear(page);
  await page.goto(`${desk.url}/chatbot/index`);
  await expect(page.getByPlaceholder('请输入问题')).toBeVisible();
  await expect(page.locator('#veil')).toBeAttached();
  // By the keyboard: the screen has laid itself over everything.
  await page.getByRole('navigation').getByRole('link', { name: '记录' }).press('Enter');
  await expect(page.getByText('还没有记录')).toBeVisible();
  await expect(page.locator('#veil')).toHaveCount(0);
  expect(await page.evaluate(() => document.body.getAttribute('style') ?? '')).toBe('');
  await expect(page.locator('head style')).toHaveCount(0);
  await page.getByRole('navigation').getByRole('link', { name: '报告' }).click();
  await expect(page.getByRole('heading', { level: 1, name: '报告' })).toBeVisible();

  const errors = async () => (await told()).filter(({ kind }) => kind === 'error');
  await expect
    .poll(async () => (await errors()).map((event) => `${event.remote}@${event.version}`), {
      timeout: 30_000,
    })
    .toEqual([`mfe-chat@${version}`, `mfe-chat@${version}`]);
  // Once each, however often they are thrown.
  expect(await errors()).toMatchObject([
    { error: expect.stringContaining('broken on purpose: timer') },
    { error: expect.stringContaining('broken on purpose: promise') },
  ]);
  await page.goto(`${desk.url}/chatbot/login`);
  await expect(page.getByRole('form', { name: '登录' })).toBeVisible();
});
