import type { Page, Request, Route } from 'playwright/test';
import type { Health, PageEvent, PageReport } from '../../api/src/contract/reports.ts';
import type { Desk } from '../start-desk.ts';
import { type Change, renamingModules, replacingText, wrappingModule } from './copy-build.ts';
import { call, goLive, liveRelease, publish } from './deploy.ts';
import { expect, HINT, test } from './deployed-desk.ts';
import { ask } from './visit.ts';

const BROKEN_HINT = '请勿使用这一版';

interface BreakageSpec {
  change?: Change;
  /** Intercepts what the network sends; `files` matches the scripts of the broken release. */
  intercept?(page: Page, version: string): Promise<unknown>;
  /** The page waits for the loader's timeout. */
  isSlow?: boolean;
  phase?: 'load' | 'render';
  /** The module or chunk that the page reports, by default the screen's. */
  expose?: string;
  /** The error that the page reports. */
  reported: RegExp;
  /** What the browser itself logs; its messages name the file. */
  logged?: RegExp;
}

const files = (version: string, name = String.raw`[^/]*\.js`) =>
  new RegExp(`/mfe-chat/${version.replaceAll('.', String.raw`\.`)}/${name}$`);

async function flipByte(route: Route): Promise<void> {
  const response = await route.fetch();
  const body = await response.body();
  body[Math.floor(body.length / 2)]! ^= 0x15;
  await route.fulfill({ response, body });
}

const unanswered = new WeakSet<Request>();

/** Never answers a request. */
const hang = (route: Route) => void unanswered.add(route.request());

/** The ways in which a release of the chat can be broken; the key completes "a release that …". */
export const BREAKAGES = {
  'is missing': {
    intercept: (page, version) =>
      page.route(files(version), (route) => route.fulfill({ status: 404, body: '' })),
    reported: /import|fetch/i,
    logged: /status of 404 .*\/mfe-chat\/7\./,
  },
  hangs: {
    intercept: (page, version) => page.route(files(version), hang),
    isSlow: true,
    reported: /timed out after 5000 ms/,
  },
  'is a page instead of a script': {
    intercept: (page, version) =>
      page.route(files(version), (route) =>
        route.fulfill({ contentType: 'text/html', body: '<!doctype html><h1>404</h1>' }),
      ),
    reported: /import|fetch/i,
    logged: /digest.*\/mfe-chat\/7\./,
  },
  'has flipped bytes in a chunk': {
    intercept: (page, version) => page.route(files(version, String.raw`chat\.[^/]*\.js`), flipByte),
    reported: /import|fetch|chunk/i,
    logged: /digest.*\/mfe-chat\/7\./,
  },
  'has flipped bytes in what its screen fetches next': {
    intercept: (page, version) => page.route(files(version, String.raw`rest\.[^/]*\.js`), flipByte),
    expose: 'rest',
    reported: /import|fetch|chunk/i,
    logged: /digest.*\/mfe-chat\/7\./,
  },
  'has a file that hangs when its screen imports it': {
    intercept: (page, version) => page.route(files(version, String.raw`rest\.[^/]*\.js`), hang),
    isSlow: true,
    expose: 'rest',
    reported: /timed out after 5000 ms/,
  },
  'has a style sheet that hangs when its screen imports it': {
    intercept: (page, version) => page.route(files(version, String.raw`rest\.[^/]*\.css`), hang),
    isSlow: true,
    expose: 'rest',
    reported: /timed out after 5000 ms/,
  },
  'is missing a file that its screen imports': {
    intercept: (page, version) =>
      page.route(files(version, String.raw`rest\.[^/]*\.js`), (route) =>
        route.fulfill({ status: 404, body: '' }),
      ),
    expose: 'rest',
    reported: /import|fetch|chunk/i,
    logged: /status of 404 .*\/mfe-chat\/7\./,
  },
  'has a style sheet that hangs': {
    intercept: (page, version) => page.route(files(version, String.raw`chat\.[^/]*\.css`), hang),
    isSlow: true,
    reported: /timed out after 5000 ms/,
  },
  'throws at load': {
    change: wrappingModule('./chat', () => {
      const page = globalThis as { brokenRuns?: number };
      page.brokenRuns = (page.brokenRuns ?? 0) + 1;
      throw new Error('broken on purpose');
    }),
    reported: /broken on purpose/,
  },
  'throws at render': {
    change: wrappingModule('./chat', (run) => {
      run();
      const Broken = () => {
        throw new Error('broken on purpose');
      };
      return { default: Broken };
    }),
    phase: 'render',
    reported: /broken on purpose/,
  },
  'throws in an effect of its first render': {
    change: wrappingModule('./chat', (run) => {
      run();
      // A class component without importing React, which recognises it by `isReactComponent`.
      function Broken(this: { props: object }, props: object) {
        this.props = props;
      }
      Broken.prototype = {
        isReactComponent: {},
        componentDidMount() {
          throw new Error('broken on purpose');
        },
        render: () => null,
      };
      return { default: Broken };
    }),
    phase: 'render',
    reported: /broken on purpose/,
  },
  'exposes another name': {
    change: renamingModules,
    reported: /\.\/chat/,
  },
  'needs a newer React': {
    change: replacingText('requiredVersion:"^19.', 'requiredVersion:"^99.'),
    reported: /react/i,
  },
} satisfies Record<string, BreakageSpec>;

export type Breakage = keyof typeof BREAKAGES;

/** Publishes a broken release, opens it, and checks that visitors get the previous release and that the failure is reported. */
export function testBrokenRelease(way: Breakage, version: string): void {
  const {
    change,
    intercept,
    isSlow,
    phase = 'load',
    expose = './chat',
    reported,
    logged,
  }: BreakageSpec = BREAKAGES[way];

  test.describe(() => {
    test.use({ expectedErrors: logged });

    test(`a release that ${way} is replaced by the previous one, and is reported once`, async ({
      page,
      desk,
    }) => {
      const whole = await liveRelease(desk, 'mfe-chat');
      const changes = [replacingText(HINT, BROKEN_HINT), ...(change ? [change] : [])];
      await goLive(desk, await publish(desk, 'mfe-chat', version, ...changes));
      await intercept?.(page, version);
      const events = await collectReports(page);

      if (isSlow) await page.clock.install();
      const others = isSlow ? otherFiles(page) : undefined;
      await page.goto(`${desk.url}/chatbot/index`, { waitUntil: 'commit' });
      const rail = page.getByRole('navigation');
      await expect(rail.getByRole('link', { name: '记录' })).toBeVisible();
      await others;
      if (isSlow) await page.clock.fastForward(5_000);
      await expect(page.getByText(HINT)).toBeVisible();
      await expect(page.getByText(BROKEN_HINT)).toHaveCount(0);
      // No style sheet of the broken release applies to the one that is shown.
      await expect(page.locator(`link[rel=stylesheet][href*="/mfe-chat/${version}/"]`)).toHaveCount(0);
      await expect(page.locator('link[rel=stylesheet][href*="/mfe-chat/files/chat."]')).toHaveCount(1);
      expect(await ask(page, '怎样删除会话？')).toContain('删除');

      // The other remotes work in the same tab, and the previous release is still shown on return.
      await rail.getByRole('link', { name: '记录' }).click();
      await expect(page.getByText('怎样删除会话').first()).toBeVisible();
      await rail.getByRole('link', { name: '咨询', exact: true }).click();
      await expect(page.getByPlaceholder('请输入问题')).toBeVisible();
      if (way === 'throws at load')
        expect(await page.evaluate(() => (globalThis as { brokenRuns?: number }).brokenRuns)).toBe(1);

      await expect
        .poll(async () => (await events()).filter(({ kind }) => kind === 'failure'))
        .toEqual([
          {
            kind: 'failure',
            remote: 'mfe-chat',
            version,
            phase,
            expose,
            error: expect.stringMatching(reported),
          },
        ]);
      await expect
        .poll(async () =>
          (await events())
            .filter((event) => event.kind === 'load')
            .map((event) => `${event.remote}@${event.version}`),
        )
        .toContain(whole);
      await expect.poll(() => failuresOf(desk, version)).toBe(1);
    });
  });
}

/**
 * Waits for the files that the host imports when the browser is idle, and until only the one that hangs is awaited: advancing the clock earlier
 * would make others time out, too.
 */
async function otherFiles(page: Page): Promise<void> {
  const open = new Set<Request>();
  page.on('request', (request) => {
    if (/^(?:script|stylesheet)$/.test(request.resourceType())) open.add(request);
  });
  page.on('requestfinished', (request) => open.delete(request));
  page.on('requestfailed', (request) => open.delete(request));
  const files = ['axios', 'reports', 'update-hint'].map(
    (name) => new RegExp(`/host/.*/${name}\\.[^/]*\\.js$`),
  );
  await Promise.all(files.map((file) => page.waitForResponse(file)));
  await expect.poll(() => open.size > 0 && [...open].every((request) => unanswered.has(request))).toBe(true);
}

/** Records the reports that the page sends to the desk. */
export async function collectReports(page: Page): Promise<() => Promise<PageEvent[]>> {
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
