import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { chromium } from 'playwright';
import semver from 'semver';
import type { CheckReport } from '../../api/src/contract/compositions.ts';
import { CHROMIUM_FLAGS, findChromium } from '../find-chromium.ts';
import { startDesk } from '../start-desk.ts';
import { moveOutside, type OutsideRepository } from './outside-repository.ts';

/**
 * mfe-auth is moved to a separate repository and publishes from there, with only the contract package of this
 * project.
 */
const REMOTE = 'mfe-auth';
const VERSION = '1.7.0';
const OPS_TOKEN = 'ops-token-of-this-test';
const SCREENS = ['./account', './audit', './login', './people', './settings', './test'];
const RELEASE_TOKEN = 'mfe-auth-token-of-this-test';
const root = path.join(import.meta.dirname, '../..');
const minutes = 60_000;

let outside: OutsideRepository;
beforeAll(async () => {
  outside = await moveOutside(REMOTE);
});
afterAll(() => outside?.remove());

test('its sources conform to the contract, the facades and the rules there too', async () => {
  await outside.run('tsc');
  await outside.run('biome', ['check', '.']);

  // Proves that the checks cover these sources with these settings.
  const wrong = path.join(outside.folder, 'src/wrong.ts');
  await writeFile(
    wrong,
    "import type { HostServices } from 'host/contract';\nimport { debounceTime } from 'rxjs';\n\nexport const wrong = (services: HostServices) => [services.nothing, debounceTime];\n",
  );
  await expect(outside.run('tsc')).rejects.toThrow(
    /has no exported member 'debounceTime'[\s\S]*'nothing' does not exist/,
  );
  await writeFile(wrong, "import { other } from 'mfe-chat/other';\n\nexport const wrong = other;\n");
  await expect(outside.run('biome', ['check', '.'])).rejects.toThrow('noRestrictedImports');
  await rm(wrong);
});

test('it passes its contract test there', async () => {
  const printed = await outside.run('jest', ['src/contract.test.tsx'], {
    NODE_OPTIONS: '--experimental-vm-modules',
  });
  // Two for its build, two for each screen, and one for its requirements.
  const count = 2 + 2 * SCREENS.length + 1;
  expect(stripVTControlCharacters(printed)).toMatch(new RegExp(`Tests:\\s+${count} passed, ${count} total`));
});

test('its standalone page is built there', async () => {
  const to = await mkdtemp(path.join(os.tmpdir(), 'alone-'));
  try {
    await outside.run('rspack', ['build', '--output-path', to], { NODE_ENV: 'development' });
    expect(await readFile(path.join(to, 'alone.js'), 'utf8')).toContain('openStandInPage');
  } finally {
    await rm(to, { recursive: true });
  }
});

test('its build describes a release that this host can run, with its own commit', async () => {
  await outside.run('rspack', ['build']);
  const dist = path.join(outside.folder, 'dist');
  const release = JSON.parse(await readFile(path.join(dist, 'release.json'), 'utf8'));
  expect(release).toMatchObject({ name: REMOTE, commit: await outside.commit() });
  expect(Object.keys(release.exposes).sort()).toEqual(SCREENS);

  const [, hosts = ''] =
    /HostContractVersion = '([\d.]+)'/.exec(
      await readFile(path.join(root, 'host/src/contract.ts'), 'utf8'),
    ) ?? [];
  expect(semver.satisfies(hosts, `^${release.contract}`)).toBe(true);
  for (const [library, range] of Object.entries<string>(release.shared)) {
    const about = await readFile(path.join(root, 'node_modules', library, 'package.json'), 'utf8');
    expect(semver.satisfies(JSON.parse(about).version, range)).toBe(true);
  }
  // It contains neither a path of this machine nor a library that the host provides.
  const unwanted = [outside.folder, root, 'DO_NOT_USE_OR_WARN_USERS', 'object unsubscribed'];
  for (const file of release.files as string[]) {
    const text = await readFile(path.join(dist, file), 'utf8');
    expect({ file, has: unwanted.filter((words) => text.includes(words)) }).toEqual({ file, has: [] });
  }
});

test('it publishes with its own token, passes the check, and visitors get it once operators switch', async () => {
  const dataDir = await mkdtemp(path.join(os.tmpdir(), 'desk-'));
  const desk = await startDesk({
    dataDir,
    env: { OPS_TOKEN, RELEASE_TOKENS: `${REMOTE}:${RELEASE_TOKEN}`, DESK_URL: '' },
  });
  try {
    const texts = path.join(outside.folder, 'locales/zh/login.json');
    const source = await readFile(texts, 'utf8');
    expect(source).toContain('"signIn": "登录"');
    await writeFile(texts, source.replace('"signIn": "登录"', '"signIn": "从外面登录"'));

    const printed = await outside.run('desk-release', ['--version', VERSION], {
      DESK_URL: desk.url,
      RELEASE_TOKEN,
      OPS_TOKEN: '',
    });
    expect(printed).toContain(`${REMOTE}@${VERSION}`);

    const choice = { releases: [`${REMOTE}@${VERSION}`], author: 'ops', reason: 'from outside' };
    const report = await post<CheckReport>(`${desk.url}/ops/check`, choice);
    expect(report).toMatchObject({ isFine: true, findings: [] });
    await post(`${desk.url}/ops/pointer`, choice);
    expect(await seenIn(`${desk.url}/chatbot/login`, '从外面登录')).toEqual([]);
  } finally {
    await desk.kill();
    await rm(dataDir, { recursive: true, force: true, maxRetries: 3 });
  }
});

async function post<T>(url: string, body: object): Promise<T> {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { Authorization: `Bearer ${OPS_TOKEN}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}: ${text}`);
  return JSON.parse(text) as T;
}

/** Opens the page in a browser and waits for a button with that name. Resolves to the console errors. */
async function seenIn(url: string, name: string): Promise<string[]> {
  const browser = await chromium.launch({ executablePath: findChromium(), args: CHROMIUM_FLAGS });
  try {
    const page = await browser.newPage();
    const errors: string[] = [];
    page.on('pageerror', ({ message }) => errors.push(message));
    page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
    await page.goto(url);
    await page.getByRole('button', { name }).first().waitFor({ timeout: minutes });
    return errors;
  } finally {
    await browser.close();
  }
}
