import path from 'node:path';
import { defineConfig, type Project } from 'playwright/test';
import { CHROMIUM_FLAGS, findChromium } from '../find-chromium.ts';
import { findFirefox } from '../find-firefox.ts';

/** LONG=1 runs only slow tests: `*.long.spec.ts` and tests with the tag `@long`. */
const isLong = process.env.LONG === '1';

/** What must also work in Firefox. */
const FIREFOX_TESTS = 'firefox.spec.ts';

const chromium: Project = {
  name: 'chromium',
  testIgnore: isLong ? FIREFOX_TESTS : ['*.long.spec.ts', FIREFOX_TESTS],
  use: {
    browserName: 'chromium',
    launchOptions: {
      executablePath: findChromium(),
      args: CHROMIUM_FLAGS,
      // Without a UTF-8 locale, Chromium names downloads with Chinese characters 'download'.
      env: { ...process.env, LC_ALL: 'C.UTF-8' },
    },
  },
};
const firefox: Project = {
  name: 'firefox',
  testMatch: FIREFOX_TESTS,
  use: {
    browserName: 'firefox',
    // Controlled by WebDriver BiDi, as opposed to Playwright's own build of Firefox.
    channel: 'moz-firefox',
    launchOptions: {
      executablePath: path.join(import.meta.dirname, 'run-firefox.mjs'),
      firefoxUserPrefs: { 'ui.prefersReducedMotion': 1 },
    },
  },
};
export default defineConfig({
  testDir: '.',
  testMatch: '*.spec.ts',
  ...(isLong ? { grep: /\.long\.spec\.ts|@long\b/ } : { grepInvert: /@long\b/ }),
  globalSetup: './first-start.ts',
  outputDir: '../../test-results/browser',
  // A busy machine with one CPU takes ten times as long as an idle one.
  timeout: 300_000,
  expect: { timeout: 30_000 },
  workers: 2,
  fullyParallel: false,
  forbidOnly: true,
  // A busy machine may cause races that visitors would not notice. Tests that pass at the second attempt are reported as flaky.
  retries: process.env.CI ? 1 : 0,
  reporter: [
    ['list'],
    ['json', { outputFile: process.env.PLAYWRIGHT_JSON_OUTPUT_FILE ?? '../../test-results/browser.json' }],
  ],
  projects: findFirefox() ? [firefox, chromium] : [chromium],
  use: {
    viewport: { width: 1280, height: 800 },
    // Clicks need not wait for transitions; no code depends on their end.
    contextOptions: { reducedMotion: 'reduce' },
    // Requests of a service worker cannot be delayed or changed like those of pages; offline.spec.ts allows it.
    serviceWorkers: 'block',
    screenshot: 'only-on-failure',
    trace: 'off',
  },
});
