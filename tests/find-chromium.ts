import { execFileSync } from 'node:child_process';
import { chromium } from 'playwright';
import { BROWSER_FLAGS, findBrowser } from '../api/src/cli/compose/smoke/find-browser.ts';

export const CHROMIUM_FLAGS = BROWSER_FLAGS;

/**
 * Path of a Chromium: CHROMIUM_PATH, one on PATH, Playwright's own, or one installed now by apt or
 * Playwright's installer. Throws with instructions if none is available.
 */
export function findChromium(): string {
  return present() ?? install() ?? fail();
}

function present(): string | undefined {
  return findBrowser(process.env, chromium.executablePath());
}

function install(): string | undefined {
  console.log('No Chromium found; installing one.');
  installByApt('chromium fonts-noto-cjk');
  const found = present();
  if (found) return found;
  run('npx', ['playwright', 'install', '--with-deps', 'chromium']);
  return present();
}

/** Tries to install packages; does nothing unless root runs it on Debian or Ubuntu. */
export function installByApt(packages: string): void {
  if (process.getuid?.() !== 0 || !run('sh', ['-c', 'command -v apt-get'])) return;
  run('sh', [
    '-c',
    `apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq ${packages}`,
  ]);
}

function run(command: string, args: string[]): string | undefined {
  try {
    return execFileSync(command, args, {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      timeout: 600_000,
    });
  } catch {
    return undefined;
  }
}

function fail(): never {
  throw new Error(
    'The browser tests require a Chromium. Install one (apt-get install chromium, or npx playwright install chromium), or set CHROMIUM_PATH to yours.',
  );
}
