import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { findChromium } from '../find-chromium.ts';
import type { Desk } from '../start-desk.ts';
import { OPS } from './deploy.ts';

const root = path.join(import.meta.dirname, '../..');

/** Runs `npm run compose` in English and resolves with its output when the process has ended. */
export async function compose(desk: Desk, args: readonly string[], env: Record<string, string> = {}) {
  const child = spawn(process.execPath, ['api/src/cli/compose/compose.ts', ...args], {
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
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close') as Promise<[number | null]>,
  ]);
  return { code, stdout, stderr };
}
