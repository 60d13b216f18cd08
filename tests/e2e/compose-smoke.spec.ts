import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { CheckReport, Health } from '../../api/src/contract.ts';
import { findChromium } from '../find-chromium.ts';
import type { Desk } from '../start-desk.ts';
import { saying } from './copy-build.ts';
import { call, liveRelease, OPS, publish } from './deploy.ts';
import { test as base, expect } from './desk-test.ts';

const root = path.join(import.meta.dirname, '../..');

/** A desk with releases of the chat besides the one that is live: one that works, and one that throws when it is rendered. */
const test = base.extend({
  desk: [
    async ({ startAnother }, use) => {
      const desk = await startAnother({ env: OPS });
      await publish(desk, 'mfe-chat', '7.0.0', saying('请输入以咨询问题', '新版在此'));
      const broken = 'default:()=>function(){throw Error("broken at render")}';
      await publish(desk, 'mfe-chat', '7.1.0', saying(await exportOfChat(), broken));
      await use(desk);
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
  expect(await liveRelease(desk, 'mfe-chat')).not.toBe('mfe-chat@7.1.0');
});

test('a candidate whose screens all open goes live, and nothing is written on the desk meanwhile', async ({
  desk,
}) => {
  const set = await compose(desk, 'set', 'mfe-chat@7.0.0', '--smoke');
  expect(set).toMatchObject({ code: 0 });
  expect(set.stdout).toContain('→ 7.0.0');
  expect(await liveRelease(desk, 'mfe-chat')).toBe('mfe-chat@7.0.0');
  // The visitor of the smoke run was never told to the desk.
  expect((await call<Health>(desk, 'GET', '/ops/health')).rows).toEqual([]);
});

test('without a browser it says so, and switches nothing', async ({ desk }) => {
  const before = await liveRelease(desk, 'mfe-chat');
  const none = await compose(desk, 'set', 'mfe-chat@7.0.0', '--smoke', {
    CHROMIUM_PATH: '/nowhere/chromium',
  });
  expect(none).toMatchObject({ code: 2, stdout: '' });
  expect(none.stderr).toContain('/nowhere/chromium');
  expect(await liveRelease(desk, 'mfe-chat')).toBe(before);
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
      ...OPS,
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
