import type { Page } from 'playwright/test';
import { expect, HINT, PREVIOUS_HINT, PREVIOUS_VERSION, test } from './deployed-desk.ts';
import { ask } from './visit.ts';

// That no page violates its policy: screens.spec.ts and composition-journeys.ts; every screen in both languages: integrity.long.spec.ts.
test.describe('a file that is not what was published', () => {
  // The browser logs each rejected file.
  test.use({
    expectedErrors: /'integrity' attribute for resource '[^']*\/releases\/mfe-chat\//,
  });

  /** Prepends code to every file of the live mfe-chat that matches `name`. Returns the requested addresses. */
  async function tamper(page: Page, name: RegExp, before: string): Promise<string[]> {
    const asked: string[] = [];
    await page.route(
      ({ pathname }) =>
        pathname.includes('/releases/mfe-chat/') &&
        !pathname.includes(`/${PREVIOUS_VERSION}/`) &&
        name.test(pathname),
      async (route) => {
        asked.push(route.request().url());
        const response = await route.fetch();
        await route.fulfill({ response, body: before + (await response.text()) });
      },
    );
    return asked;
  }
  const hasRun = (page: Page) => page.evaluate(() => 'hasTampered' in globalThis);

  for (const { what, name, tag } of [
    { what: 'the entry', name: /\/remoteEntry\.\w+\.js$/, tag: [] },
    { what: "the exposed module's chunk", name: /\/chat\.\w+\.js$/, tag: '@long' },
  ])
    test(`${what}: does not run at any attempt; the previous release does`, { tag }, async ({
      page,
      desk,
    }) => {
      const asked = await tamper(page, name, 'globalThis.hasTampered = true;\n');
      await page.goto(`${desk.url}/chatbot/index`);
      await expect(page.getByText(PREVIOUS_HINT)).toBeVisible();
      expect(await hasRun(page)).toBe(false);
      expect(asked.length).toBeGreaterThan(0);
      // Another address would be another module, which the import map does not contain.
      expect(new Set(asked).size).toBe(1);
      expect(asked[0]).not.toContain('?');
      expect(await ask(page, '怎样删除会话？')).toContain('删除');
    });

  test('a chunk loaded later: does not run, and the previous release is shown', {
    tag: '@long',
  }, async ({ page, desk }) => {
    const asked = await tamper(page, /\/rest\.\w+\.js$/, 'globalThis.hasTampered = true;\n');
    await page.goto(`${desk.url}/chatbot/index`);
    await expect(page.getByText(PREVIOUS_HINT)).toBeVisible();
    expect(asked.length).toBeGreaterThan(0);
    expect(new Set(asked).size).toBe(1);
    expect(await hasRun(page)).toBe(false);
  });

  test('a style sheet: is not applied, and the previous release is shown', async ({ page, desk }) => {
    await tamper(page, /\/chat\.\w+\.css$/, ':root { --has-tampered: yes }\n');
    const applied = () =>
      page.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue('--has-tampered'));
    await page.goto(`${desk.url}/chatbot/index`);
    await expect(page.getByText(PREVIOUS_HINT)).toBeVisible();
    expect(await applied()).toBe('');
    // A style sheet that is not in the page's head, because another screen was opened first.
    await page.goto(`${desk.url}/chatbot/history`);
    await page.getByRole('navigation').getByRole('link', { name: '咨询', exact: true }).click();
    await expect(page.getByText(PREVIOUS_HINT)).toBeVisible();
    expect(await applied()).toBe('');
  });

  test('a script that is not part of the composition does not run', async ({ page, desk }) => {
    await page.goto(`${desk.url}/chatbot/index`);
    await expect(page.getByText(HINT)).toBeVisible();
    const importEntry = (query: string) =>
      page.evaluate((query) => {
        const { remotes } = JSON.parse(document.getElementById('composition')?.textContent ?? '{}');
        const entry = new URL(remotes['mfe-chat'].entry, location.href).href;
        return import(entry + query).then(
          () => 'ran',
          () => 'refused',
        );
      }, query);
    expect(await importEntry('')).toBe('ran');
    expect(await importEntry('?again')).toBe('refused');
  });
});
