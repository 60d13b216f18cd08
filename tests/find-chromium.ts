import { execFileSync } from 'node:child_process';
import { chromium } from 'playwright';
import {
  BROWSER_FLAGS,
  BROWSER_NAMES,
  findBrowser,
  findProgram,
  HEADLESS_SHELL,
} from '../api/src/cli/compose/commands/smoke/find-browser.ts';

export const CHROMIUM_FLAGS = BROWSER_FLAGS;

/**
 * Path of a Chromium: CHROMIUM_PATH, one on PATH, or one installed now by apt or Playwright's installer. Debian's headless shell is preferred and
 * installed: it draws no window, and browser tests need 40 % less CPU with it. Throws with instructions if none is available.
 */
export function findChromium(): string {
  // The processes of one run share the result, so that only the first one tries to install it.
  process.env.CHROMIUM_PATH ??= headlessShell() ?? present() ?? install() ?? fail();
  return process.env.CHROMIUM_PATH;
}

const present = () => findBrowser(process.env, chromium.executablePath());

function headlessShell(): string | undefined {
  const found = () => findProgram([HEADLESS_SHELL], process.env.PATH);
  if (!found()) installByApt(`${HEADLESS_SHELL} fonts-noto-cjk`);
  return found();
}

/** A Chromium that reads the settings of its profile, as the headless shell does not; undefined if there is none. */
export function findFullChromium(): string | undefined {
  return findProgram(
    BROWSER_NAMES.filter((name) => name !== HEADLESS_SHELL),
    process.env.PATH,
  );
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
