import { execFileSync } from 'node:child_process';
import { cp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from 'playwright/test';
import { type Desk, temporaryDataDir } from '../start-desk.ts';
import { expect, test } from './desk-test.ts';
import { ask } from './visit.ts';

// A file that is missing or refused is told by the browser itself; nothing else may be.
test.use({ expectedErrors: /Failed to load resource|digest|integrity|Refused to apply style/i });

const SCREENS = {
  'mfe-auth': { path: '/login', sign: (page: Page) => page.getByRole('form', { name: '登录' }) },
  'mfe-chat': { path: '/index', sign: (page: Page) => page.getByPlaceholder('请输入问题') },
  'mfe-records': {
    path: '/history',
    sign: (page: Page) => page.getByText('还没有记录'),
  },
};
type Remote = keyof typeof SCREENS;
const REMOTES = Object.keys(SCREENS) as Remote[];

/** The folder of a remote's newest release in the desk's data. */
async function releaseFolder(desk: Desk, remote: Remote): Promise<string> {
  const base = path.join(desk.dataDir, 'files/releases', remote);
  const versions = (await readdir(base)).filter((version) => version !== '0.9.0');
  expect(versions).toHaveLength(1);
  return path.join(base, versions[0]!);
}

async function withBroken(folder: string, breakIt: () => Promise<unknown>, use: () => Promise<void>) {
  const copy = `${folder}.whole`;
  await cp(folder, copy, { recursive: true });
  try {
    await breakIt();
    await use();
  } finally {
    await rm(folder, { recursive: true, force: true });
    await cp(copy, folder, { recursive: true });
    await rm(copy, { recursive: true });
  }
}

async function garble(folder: string) {
  for (const name of await readdir(folder)) {
    if (!/\.js(\.|$)/.test(name)) continue;
    const bytes = await readFile(path.join(folder, name));
    bytes[Math.floor(bytes.length / 2)]! ^= 0x15;
    await writeFile(path.join(folder, name), bytes);
  }
}

const WAYS: Record<string, (folder: string) => Promise<unknown>> = {
  deleted: (folder) => rm(folder, { recursive: true }),
  garbled: garble,
};

for (const remote of REMOTES)
  for (const [way, breakIt] of Object.entries(WAYS))
    test(`${remote} ${way}: a panel says so, the rest goes on, and a retry brings it back`, async ({
      page,
      desk,
    }) => {
      const folder = await releaseFolder(desk, remote);
      const panel = page.getByRole('alert').filter({ has: page.getByRole('button', { name: '重试' }) });
      await withBroken(
        folder,
        () => breakIt(folder),
        async () => {
          await page.goto(`${desk.url}/chatbot${SCREENS[remote].path}`);
          await expect(panel).toBeVisible();
          await expect(SCREENS[remote].sign(page)).toHaveCount(0);
          for (const other of REMOTES.filter((name) => name !== remote)) {
            await page.goto(`${desk.url}/chatbot${SCREENS[other].path}`);
            await expect(SCREENS[other].sign(page)).toBeVisible();
          }
          await page.goto(`${desk.url}/chatbot${SCREENS[remote].path}`);
          await expect(panel).toBeVisible();
        },
      );
      await panel.getByRole('button', { name: '重试' }).click();
      await expect(SCREENS[remote].sign(page)).toBeVisible();
    });

test('a remote that hangs is given up after its budget of 5 s, and the rest is usable meanwhile', async ({
  page,
  desk,
}) => {
  await page.route(/releases\/mfe-chat\/.*remoteEntry/, () => {});
  const start = Date.now();
  await page.goto(`${desk.url}/chatbot/index`, { waitUntil: 'commit' });
  await expect(page.getByRole('navigation').getByRole('link', { name: '记录' })).toBeVisible();
  await expect(page.getByRole('button', { name: '重试' })).toBeVisible({ timeout: 40_000 });
  // Of the budget itself only the lower end can be told: how long the rest takes is the machine's affair.
  expect(Date.now() - start).toBeGreaterThan(4_500);
  expect(Date.now() - start).toBeLessThan(40_000);
});

test('the previous release steps in when the live one is garbled', async ({
  page,
  browser,
  startAnother,
}) => {
  const data = await temporaryDataDir();
  execFileSync(process.execPath, [
    path.join(import.meta.dirname, 'publish-older.ts'),
    data.dataDir,
    'mfe-chat',
    '请输入以咨询问题',
    '上一版在此',
  ]);
  const desk = await startAnother({ dataDir: data.dataDir });
  await page.goto(`${desk.url}/chatbot/index`);
  await expect(page.getByText('请输入以咨询问题')).toBeVisible();

  await garble(await releaseFolder(desk, 'mfe-chat'));
  // Somebody else: this browser has kept the live release's files, as they never change.
  const other = await browser.newPage();
  await other.goto(`${desk.url}/chatbot/index`);
  await expect(other.getByText('上一版在此')).toBeVisible();
  expect(await ask(other, '怎样删除会话？')).toContain('删除');
  await other.close();
});

test('no page violates its own policy', async ({ page, desk }) => {
  await page.addInitScript(() => {
    const seen: string[] = [];
    Object.assign(globalThis, { seenViolations: seen });
    addEventListener('securitypolicyviolation', (event) =>
      seen.push(`${event.violatedDirective} ${event.blockedURI}`),
    );
  });
  for (const { path: screen, sign } of Object.values(SCREENS)) {
    const response = await page.goto(`${desk.url}/chatbot${screen}`);
    const policy = response!.headers()['content-security-policy'] ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("require-trusted-types-for 'script'");
    expect(policy).not.toMatch(/unsafe-(inline|eval)/);
    expect(response!.headers()['integrity-policy']).toContain('script');
    await expect(sign(page)).toBeVisible();
    expect(await page.evaluate(() => (globalThis as { seenViolations?: string[] }).seenViolations)).toEqual(
      [],
    );
  }
});

test('a host whose scripts do not come says what can be done, and nothing before that', async ({
  page,
  desk,
}) => {
  let isMissing = true;
  await page.route(/\/host\/[^/]*\/main\.[^/]*\.js/, (route) =>
    isMissing ? route.fulfill({ status: 404, body: '' }) : route.continue(),
  );
  await page.goto(`${desk.url}/chatbot/login`);
  await expect(page.getByText('咨询台暂时打不开')).toBeHidden();
  await expect(page.getByText('咨询台暂时打不开')).toBeVisible();
  isMissing = false;
  await page.getByRole('link', { name: '刷新' }).click();
  await expect(page.getByRole('form', { name: '登录' })).toBeVisible();
  await expect(page.getByText('咨询台暂时打不开')).toHaveCount(0);
});
