import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { Page } from 'playwright/test';
import { readBuildToSend } from '../../api/src/compositions/read-build.ts';
import { type Desk, temporaryDataDir } from '../start-desk.ts';
import { copyBuild, saying } from './copy-build.ts';
import { call, goLive, OPS } from './deploy.ts';
import { expect, test } from './desk-test.ts';
import { serveFolder } from './serve-folder.ts';
import { ask, signUpAndIn } from './visit.ts';
import { watchViolations } from './watch-violations.ts';

const SAYING = '请输入以咨询问题';
const OLDER_SAYING = '上一版在此';

test.describe('nothing violates the policy', () => {
  const open = async (page: Page, url: string, screen: string) => {
    const response = await page.goto(`${url}/chatbot${screen}`);
    const policy = response!.headers()['content-security-policy'] ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("trusted-types 'none'");
    expect(policy).not.toMatch(/unsafe-|\*|data:/);
    expect(response!.headers()['integrity-policy']).toBe('blocked-destinations=(script), endpoints=(desk)');
    await expect(page.getByRole('heading').first()).toBeVisible();
    await page.waitForLoadState('networkidle');
  };

  for (const language of ['zh', 'en'])
    test(`on every screen, ${language}`, async ({ page, desk }) => {
      const speak = async (wanted: string) => {
        const isChinese = (await page.locator('html').getAttribute('lang')) === 'zh-CN';
        if (isChinese === (wanted === 'zh')) return;
        await page.getByRole('button', { name: /switch to English|切换到中文/ }).click();
        await expect(page.locator('html')).toHaveAttribute('lang', wanted === 'zh' ? 'zh-CN' : 'en');
      };
      await watchViolations(page);
      await open(page, desk.url, '/index');
      await speak(language);
      for (const screen of ['/login', '/register', '/test', '/index', '/history', '/report'])
        await open(page, desk.url, screen);
      await speak('zh');
      await signUpAndIn(page, desk.url, `integrity-${language}`, 'a-long-password');
      expect(await ask(page, '怎样删除会话？')).toContain('删除');
      await speak(language);
      for (const screen of ['/index', '/history', '/report', '/test', '/knowledge', '/account'])
        await open(page, desk.url, screen);
      for (const screen of ['/composition', '/nowhere']) await open(page, desk.url, screen);
    });
});

test.describe('a file that is not what was published', () => {
  // That it was refused is told by the browser itself.
  test.use({ expectedErrors: /Failed to load resource|digest|integrity/i });

  let desk: Desk;
  test.beforeAll(async ({ startAnother }) => {
    const data = await temporaryDataDir();
    const publishOlder = path.join(import.meta.dirname, 'publish-older.ts');
    execFileSync(process.execPath, [publishOlder, data.dataDir, 'mfe-chat', SAYING, OLDER_SAYING]);
    desk = await startAnother({ dataDir: data.dataDir });
  });

  /** Puts something before every file of the live mfe-chat that `name` fits, and lists the addresses that were asked for. */
  async function tamper(page: Page, name: RegExp, before: string): Promise<string[]> {
    const asked: string[] = [];
    await page.route(
      (url) => /\/releases\/mfe-chat\/(?!0\.9\.0)/.test(url.pathname) && name.test(url.pathname),
      async (route) => {
        asked.push(route.request().url());
        const response = await route.fetch();
        await route.fulfill({ response, body: before + (await response.text()) });
      },
    );
    return asked;
  }
  const hasRun = (page: Page) => page.evaluate(() => 'hasTampered' in globalThis);

  for (const [what, name] of Object.entries({
    'the entry': /\/remoteEntry\.\w+\.js$/,
    "the exposed module's chunk": /\/chat\.\w+\.js$/,
  }))
    test(`${what}: does not run, at no attempt, and the previous release does`, async ({ page }) => {
      const asked = await tamper(page, name, 'globalThis.hasTampered = true;\n');
      await page.goto(`${desk.url}/chatbot/index`);
      await expect(page.getByText(OLDER_SAYING)).toBeVisible();
      expect(await hasRun(page)).toBe(false);
      expect(asked.length).toBeGreaterThan(0);
      // Another address would be another module, of which the import map knows nothing.
      expect(new Set(asked).size).toBe(1);
      expect(asked[0]).not.toContain('?');
      expect(await ask(page, '怎样删除会话？')).toContain('删除');
    });

  test('a chunk that is fetched later: does not run, and the screen stands without it', async ({ page }) => {
    const asked = await tamper(page, /\/src_full-desk_ts\.\w+\.js$/, 'globalThis.hasTampered = true;\n');
    await page.goto(`${desk.url}/chatbot/index`);
    await expect(page.getByPlaceholder('请输入问题')).toBeVisible();
    await expect.poll(() => asked.length).toBeGreaterThan(0);
    await page.waitForLoadState('networkidle');
    expect(await hasRun(page)).toBe(false);
    expect(new Set(asked).size).toBe(1);
  });

  test('a style sheet: is not applied, and the previous release is shown', async ({ page }) => {
    await tamper(page, /\/chat\.\w+\.css$/, ':root { --has-tampered: yes }\n');
    await page.goto(`${desk.url}/chatbot/index`);
    await expect(page.getByText(OLDER_SAYING)).toBeVisible();
    const applied = () => getComputedStyle(document.documentElement).getPropertyValue('--has-tampered');
    expect(await page.evaluate(applied)).toBe('');
  });

  test('an address that the composition does not name is not run at all', async ({ page }) => {
    await page.goto(`${desk.url}/chatbot/index`);
    await expect(page.getByText(SAYING)).toBeVisible();
    const outcome = await page.evaluate(() => {
      const { remotes } = JSON.parse(document.getElementById('composition')?.textContent ?? '{}');
      const entry = new URL(remotes['mfe-chat'].entry, location.href).href;
      return import(`${entry}?again`).then(
        () => 'ran',
        () => 'refused',
      );
    });
    expect(outcome).toBe('refused');
  });
});

test.describe("a release on a team's own origin", () => {
  test.use({ expectedErrors: /Failed to load resource|digest|integrity/i });

  test('runs under a policy that names the origin; tampered with there, the previous release does', async ({
    page,
    browser,
    startAnother,
  }) => {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'own-origin-'));
    await copyBuild('mfe-chat', folder, '7.0.0', saying(SAYING, '来自团队自己的来源'));
    const team = await serveFolder(folder);
    try {
      const desk = await startAnother({ env: { ...OPS, RELEASE_ORIGINS: team.origin } });
      const { upload } = await readBuildToSend(folder);
      await call(desk, 'POST', '/ops/releases', { ...upload, address: `${team.origin}/` });
      await goLive(desk, 'mfe-chat@7.0.0');

      await watchViolations(page);
      const response = await page.goto(`${desk.url}/chatbot/index`);
      expect(response!.headers()['content-security-policy']).toContain(`script-src 'self' ${team.origin} `);
      await expect(page.getByText('来自团队自己的来源')).toBeVisible();
      expect(await ask(page, '怎样删除会话？')).toContain('删除');

      team.replace(upload.entry, 'globalThis.hasTampered = true;');
      const other = await browser.newPage();
      await other.goto(`${desk.url}/chatbot/index`);
      await expect(other.getByText(SAYING)).toBeVisible();
      expect(await other.evaluate(() => 'hasTampered' in globalThis)).toBe(false);
      await other.close();
    } finally {
      await team.close();
      await rm(folder, { recursive: true });
    }
  });
});
