import { accessSync, constants, existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Debian's Chromium without a window. */
export const HEADLESS_SHELL = 'chromium-headless-shell';

export const BROWSER_NAMES = [
  HEADLESS_SHELL,
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  'chrome',
];

/** Flags for a headless browser without connections of its own. */
export const BROWSER_FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
];

/** CHROMIUM_PATH, one on PATH, or `bundled` if it exists. @param bundled playwright's own, '' if unknown */
export function findBrowser(env: Record<string, string | undefined>, bundled: string): string | undefined {
  if (env.CHROMIUM_PATH) return env.CHROMIUM_PATH;
  return (
    findProgram(BROWSER_NAMES, env.PATH) ?? (bundled !== '' && existsSync(bundled) ? bundled : undefined)
  );
}

/** Path of the first of these programs that is in one of the `folders`, written like PATH. */
export function findProgram(names: readonly string[], folders = ''): string | undefined {
  const paths = names.flatMap((name) =>
    folders
      .split(delimiter)
      .filter(Boolean)
      .map((folder) => join(folder, name)),
  );
  return paths.find(isProgram);
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
