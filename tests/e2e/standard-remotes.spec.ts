import type { Page } from 'playwright/test';
import type { CheckReport } from '../../api/src/contract/compositions.ts';
import { call, goLive } from './deploy.ts';
import { expect, test } from './deployed-desk.ts';
import { type Library, openStandardRemote, releaseStandard } from './standard-remote.ts';
import { expectToast } from './toasts.ts';
import { watchViolations } from './watch-violations.ts';

const BUILDS = [
  { bundler: 'rspack', library: 'module' },
  { bundler: 'rspack', library: 'var', tag: '@long' },
  { bundler: 'webpack', library: 'module', tag: '@long' },
  { bundler: 'webpack', library: 'var', tag: '@long' },
  { bundler: 'vite', library: 'module', tag: '@long' },
] satisfies { bundler: Parameters<typeof openStandardRemote>[0]; library: Library; tag?: string }[];

const FIRST = 'Tickets, first edition';
const SECOND = 'Tickets, second edition';
const SCREEN = /\/(__federation_expose_Tickets|assets\/Tickets-)[^/]*\.m?js$/i;

for (const { bundler, library, tag = [] } of BUILDS)
  test.describe(`a remote built by ${bundler} as ${library}`, { tag }, () => {
    // The browser logs each file that it refuses, and the host the release that failed.
    test.use({ expectedErrors: /integrity.*\/mfe-tickets\/2\.0\.0-|Tickets|ChunkLoadError/i });
    test('runs like ours, and falls back to its previous release', async ({ desk, newVisitor }) => {
      const remote = await openStandardRemote(bundler);
      const released = async (version: string, changes: Record<string, string> = {}) =>
        releaseStandard(desk, await remote.build(library, changes), `${version}-${bundler}-${library}`);
      try {
        const first = await released('1.0.0');
        const choice = { releases: [first], author: 'e2e', reason: 'a test' };
        const { isFine, findings } = await call<CheckReport>(desk, 'POST', '/ops/check', choice);
        expect(findings).toEqual([]);
        expect(isFine).toBe(true);
        await goLive(desk, first);
        await useScreen(await newVisitor(), desk.url, first.slice(first.indexOf('@') + 1));

        await goLive(desk, await released('2.0.0', { [FIRST]: SECOND }));
        const page = await newVisitor();
        await page.goto(`${desk.url}/chatbot/tickets`);
        await expect(page.getByRole('heading', { name: SECOND })).toBeVisible();

        const unlucky = await newVisitor();
        const tampered: string[] = [];
        await unlucky.route(/\/mfe-tickets\/2\.0\.0-/, async (route) => {
          if (!SCREEN.test(route.request().url())) return route.continue();
          tampered.push(route.request().url());
          const response = await route.fetch();
          return route.fulfill({
            response,
            body: `globalThis.hasTampered = true;\n${await response.text()}`,
          });
        });
        await unlucky.goto(`${desk.url}/chatbot/tickets`);
        await expect(unlucky.getByRole('heading', { name: FIRST })).toBeVisible();
        await unlucky.getByRole('button', { name: 'Details' }).click();
        await expect(unlucky.getByText('The details')).toHaveCSS('color', 'rgb(4, 5, 6)');
        expect(tampered.length).toBeGreaterThan(0);
        expect(await unlucky.evaluate(() => 'hasTampered' in globalThis)).toBe(false);
      } finally {
        await remote.remove();
      }
    });
  });

/** Opens the screen and uses everything of it. A violation of the page's policy fails the test. */
async function useScreen(page: Page, url: string, version: string): Promise<void> {
  await watchViolations(page);
  const requested: string[] = [];
  page.on('request', (request) => requested.push(new URL(request.url()).pathname));
  await page.goto(`${url}/chatbot/index`);
  await page.getByRole('navigation').first().getByRole('link', { name: '工单' }).click();
  await expect(page.getByRole('heading', { name: FIRST })).toBeVisible();
  await expect(page.getByText('In a portal')).toBeVisible();
  await page.getByRole('button', { name: 'Count: 0' }).click();
  await expect(page.getByRole('button', { name: 'Count: 1' })).toBeVisible();
  await page.getByRole('button', { name: 'Toast' }).click();
  await expectToast(page, 'A toast');
  await expect(page.locator('main.tickets')).toHaveCSS('color', 'rgb(1, 2, 3)');
  expect(await page.getByAltText('A mark').evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(8);
  await page.getByRole('button', { name: 'Details' }).click();
  await expect(page.getByText('The details')).toHaveCSS('color', 'rgb(4, 5, 6)');
  // With the first screen, scripts and styles are preloaded and used once.
  await page.reload();
  await expect(page.getByRole('heading', { name: FIRST })).toBeVisible();
  expect(requested.some((path) => SCREEN.test(path))).toBe(true);
  await expect
    .poll(() => page.evaluate(seenByDevtools))
    .toMatchObject({
      host: 'react react-dom react-router-dom rxjs',
      [`tickets:${version}`]: expect.stringContaining('react'),
    });
}

/** The names of the shared libraries of each module that the developer tools of Module Federation know. */
function seenByDevtools(): Record<string, string> {
  const { __FEDERATION__ } = globalThis as unknown as {
    __FEDERATION__: { moduleInfo: Record<string, { shared: { sharedName: string }[] }> };
  };
  const modules = Object.entries(__FEDERATION__.moduleInfo);
  return Object.fromEntries(
    modules.map(([id, { shared }]) => [
      id,
      shared
        .map(({ sharedName }) => sharedName)
        .sort()
        .join(' '),
    ]),
  );
}
