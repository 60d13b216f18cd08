import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { test as base, expect } from 'playwright/test';
import type { CheckReport, PointerInfo } from '../../api/src/contract.ts';
import { publishBuild } from '../../api/src/testing/publish-build.ts';
import { findChromium } from '../find-chromium.ts';
import { type Desk, startDesk, temporaryDataDir } from '../start-desk.ts';
import { copyBuild } from './copy-build.ts';

const root = path.join(import.meta.dirname, '../..');

/** A desk with releases of the chat besides the one that is live: one that works, and one that throws when it is rendered. */
const test = base.extend<object, { desk: Desk }>({
  desk: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures from this pattern
    async ({}, use) => {
      const data = await temporaryDataDir();
      const desk = await startDesk({ dataDir: data.dataDir, env: { LIMIT_SIGN_IN: '0' } });
      await publishChat(desk, '7.0.0', '请输入以咨询问题', '新版在此');
      const broken = 'default:()=>function(){throw Error("broken at render")}';
      await publishChat(desk, '7.1.0', await exportOfChat(), broken);
      await use(desk);
      await desk.kill();
      await data.remove();
    },
    { scope: 'worker' },
  ],
});

test('a candidate that throws at render is found by opening its screens, and does not go live', async ({
  desk,
}) => {
  const check = await compose(desk, 'check', 'mfe-chat@7.1.0', '--smoke', '--json');
  expect(check.stderr).toBe('');
  expect(check.code).toBe(1);
  const report = JSON.parse(check.stdout) as CheckReport;
  expect(report.looked.mount).toBeGreaterThanOrEqual(9);
  expect(report.findings.length).toBeGreaterThan(0);
  for (const finding of report.findings)
    expect(finding).toMatchObject({ rule: 'mount', remote: 'mfe-chat', release: 'mfe-chat@7.1.0' });
  expect(report.findings.map(({ message }) => message).join('\n')).toContain('broken at render');

  const set = await compose(desk, 'set', 'mfe-chat@7.1.0', '--smoke');
  expect(set).toMatchObject({ code: 1, stdout: '' });
  expect(set.stderr).toContain('[mount: ');
  expect(await liveChat(desk)).not.toBe('7.1.0');
});

test('a candidate whose screens all open goes live, and nothing is written on the desk meanwhile', async ({
  desk,
}) => {
  const set = await compose(desk, 'set', 'mfe-chat@7.0.0', '--smoke');
  expect(set).toMatchObject({ code: 0 });
  expect(set.stdout).toContain('→ 7.0.0');
  expect(await liveChat(desk)).toBe('7.0.0');
  // The visitor of the smoke run was never told to the desk.
  const health = await fetch(`${desk.url}/ops/health`, { headers: await authorization(desk) });
  expect(((await health.json()) as { rows: unknown[] }).rows).toEqual([]);
});

test('without a browser it says so, and switches nothing', async ({ desk }) => {
  const before = await liveChat(desk);
  const none = await compose(desk, 'set', 'mfe-chat@7.0.0', '--smoke', {
    CHROMIUM_PATH: '/nowhere/chromium',
  });
  expect(none).toMatchObject({ code: 2, stdout: '' });
  expect(none.stderr).toContain('/nowhere/chromium');
  expect(await liveChat(desk)).toBe(before);
});

async function compose(desk: Desk, ...args: (string | Record<string, string>)[]) {
  const words = args.filter((arg) => typeof arg === 'string');
  const env = args.find((arg) => typeof arg === 'object') ?? {};
  const child: ChildProcess = spawn(process.execPath, ['api/src/cli/compose/compose.ts', ...words], {
    cwd: root,
    env: {
      ...process.env,
      LANG: 'C',
      LC_ALL: '',
      CHROMIUM_PATH: findChromium(),
      DESK_URL: desk.url,
      DATA_DIR: desk.dataDir,
      OPS_TOKEN: '',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  child.stdout?.on('data', (chunk) => {
    stdout += chunk;
  });
  child.stderr?.on('data', (chunk) => {
    stderr += chunk;
  });
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, stdout, stderr };
}

async function authorization(desk: Desk): Promise<{ Authorization: string }> {
  return { Authorization: `Bearer ${await opsToken(desk)}` };
}

async function opsToken(desk: Desk): Promise<string> {
  return (await readFile(path.join(desk.dataDir, 'ops-token'), 'utf8')).trim();
}

async function liveChat(desk: Desk): Promise<string | undefined> {
  const answer = await fetch(`${desk.url}/ops/pointer`, { headers: await authorization(desk) });
  const { composition } = (await answer.json()) as PointerInfo;
  return composition.remotes.find(({ name }) => name === 'mfe-chat')?.version;
}

/** The chat as it was built, as another version that says `to` where it said `from`. */
async function publishChat(desk: Desk, version: string, from: string, to: string): Promise<void> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'chat-'));
  await copyBuild('mfe-chat', folder, { version, from, to });
  await publishBuild(desk.url, await opsToken(desk), folder);
  await rm(folder, { recursive: true });
}

/** The words by which the built chat exports its screen. */
async function exportOfChat(): Promise<string> {
  const folder = path.join(root, 'mfe-chat/dist');
  const { exposes } = JSON.parse(await readFile(path.join(folder, 'release.json'), 'utf8'));
  for (const name of exposes['./chat'].js as string[]) {
    const [found] = /default:\(\)=>\w+/.exec(await readFile(path.join(folder, name), 'utf8')) ?? [];
    if (found) return found;
  }
  throw new Error('expected a script of mfe-chat that exports its screen');
}
