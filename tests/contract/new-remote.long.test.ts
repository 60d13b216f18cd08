import { execFile } from 'node:child_process';
import { cp, mkdtemp, readdir, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify, stripVTControlCharacters } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Browser, chromium, type Page } from 'playwright';
import semver from 'semver';
import { createRemote } from '../../api/src/cli/new-remote/create-remote.ts';
import { CHROMIUM_FLAGS, findChromium } from '../find-chromium.ts';
import { startDesk } from '../start-desk.ts';
import { type OutsideRepository, openRepository } from './outside-repository.ts';

/** A fourth remote from the scaffold, in its own repository: no file of the host or of another remote changes for it. */
const REMOTE = 'mfe-tickets';
const OPS_TOKEN = 'ops-token-of-this-test';
const RELEASE_TOKEN = 'mfe-tickets-token-of-this-test';
const root = path.join(import.meta.dirname, '../..');
const minutes = 60_000;

let outside: OutsideRepository;
let browser: Browser;
beforeAll(async () => {
  outside = await openRepository(REMOTE, (folder) => createRemote(root, REMOTE, folder));
  browser = await chromium.launch({ executablePath: findChromium(), args: CHROMIUM_FLAGS });
});
afterAll(async () => {
  await browser?.close();
  await outside?.remove();
});

test('its own checks pass as they are scaffolded', async () => {
  await outside.run('npm', ['run', 'check']);
  const printed = await outside.run('npm', ['test']);
  expect(stripVTControlCharacters(printed)).toMatch(/Tests:\s+6 passed, 6 total/);
});

// Imports of a remote are sorted by name, before and after those of the other files.
test.each(['mfe-outside', 'mfe-v2-zoo', 'mfe-texts'])(
  '%s passes its own checks in a repository of its own and in this one',
  async (name) => {
    const own = await openRepository(name, (folder) => createRemote(root, name, folder));
    try {
      await own.run('npm', ['run', 'check']);
      await own.run('npm', ['test']);
    } finally {
      await own.remove();
    }

    const project = await mkdtemp(path.join(os.tmpdir(), 'project-'));
    try {
      for (const entry of await readdir(root))
        await (/^(package|tsconfig|jest\.config)\b.*\.js(on)?$/.test(entry)
          ? cp(path.join(root, entry), path.join(project, entry))
          : symlink(path.join(root, entry), path.join(project, entry)));
      await createRemote(project, name);
      const run = (program: string, ...args: string[]) =>
        promisify(execFile)(path.join(root, 'node_modules/.bin', program), args, {
          cwd: project,
          env: { ...process.env, NODE_OPTIONS: '--experimental-vm-modules', LONG: '' },
        });
      await run('biome', 'check', '--vcs-enabled=false', name, 'package.json', 'tsconfig.json');
      await run('tsc', '--build', name);
      await run('jest', '--selectProjects', name);
    } finally {
      await rm(project, { recursive: true, maxRetries: 3 });
    }
  },
);

test('its release asks for the shared libraries of the contract, also if newer ones are installed', async () => {
  const library = path.join(outside.folder, 'node_modules/react-router-dom');
  const installed = await realpath(library);
  await rm(library);
  await cp(installed, library, { recursive: true });
  const about = path.join(library, 'package.json');
  const { version, ...others } = JSON.parse(await readFile(about, 'utf8'));
  const newer = semver.inc(version, 'patch');
  await writeFile(about, JSON.stringify({ ...others, version: newer }));

  await outside.run('rspack', ['build']);
  const read = async (file: string) => JSON.parse(await readFile(file, 'utf8'));
  const { shared } = await read(path.join(outside.folder, 'dist/release.json'));
  expect(shared).toEqual(await read(path.join(root, 'host/src/shared/ranges.json')));
  expect(semver.satisfies(version, shared['react-router-dom'])).toBe(true);
  // The container asks for the same range when it is opened.
  const { shared: demanded } = await read(path.join(outside.folder, 'dist/mf-manifest.json'));
  expect(JSON.stringify(demanded)).not.toContain(newer);
});

test('it is released, composed, shown in the menu, guarded, rolled back and removed', async () => {
  const dataDir = await mkdtemp(path.join(os.tmpdir(), 'desk-'));
  const desk = await startDesk({
    dataDir,
    env: { OPS_TOKEN, RELEASE_TOKENS: `${REMOTE}:${RELEASE_TOKEN}`, DESK_URL: '' },
  });
  const compose = (...args: string[]) =>
    outside.run(process.execPath, [path.join(root, 'api/src/cli/compose/compose.ts'), ...args], {
      DESK_URL: desk.url,
      OPS_TOKEN,
    });
  const page = await browser.newPage();
  const menu = page.getByRole('navigation').first();
  try {
    await outside.run('rspack', ['build']);
    await outside.run('desk-release', ['--version', '1.0.0'], {
      DESK_URL: desk.url,
      RELEASE_TOKEN,
      OPS_TOKEN: '',
    });
    await compose('check', `${REMOTE}@1.0.0`);
    await compose('set', `${REMOTE}@1.0.0`);

    await page.goto(`${desk.url}/chatbot/tickets`);
    await page.waitForURL('**/chatbot/login', { timeout: minutes });
    await signIn(desk.url, page);
    await page.goto(`${desk.url}/chatbot/index`);
    await menu.getByRole('link', { name: 'Tickets' }).click();
    await page.getByText('您好，anna').waitFor({ timeout: minutes });
    expect(await page.title()).toBe('Tickets · 咨询台');

    await compose('rollback');
    await page.goto(`${desk.url}/chatbot/index`);
    await menu.getByRole('link', { name: '知识' }).waitFor();
    expect(await menu.getByRole('link', { name: 'Tickets' }).count()).toBe(0);

    await compose('set', `${REMOTE}@1.0.0`);
    await compose('remove', REMOTE);
    await page.goto(`${desk.url}/chatbot/tickets`);
    await page.getByRole('heading', { name: '没有找到这一页' }).waitFor({ timeout: minutes });
  } finally {
    await page.close();
    await desk.kill();
    await rm(dataDir, { recursive: true, force: true, maxRetries: 3 });
  }
});

/** Signs up and in with the forms. */
async function signIn(url: string, page: Page): Promise<void> {
  await page.goto(`${url}/chatbot/register`);
  for (const name of ['注册', '登录']) {
    const form = page.getByRole('form', { name });
    await form.getByLabel('用户名').fill('anna');
    await form.getByLabel('密码').fill('long-enough-1');
    await form.getByRole('button', { name }).click();
  }
  await page.waitForURL('**/chatbot/index', { timeout: minutes });
}
