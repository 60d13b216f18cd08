import { test as base, expect, type Page } from 'playwright/test';
import { type Desk, type DeskOptions, startDesk, temporaryDataDir } from '../start-desk.ts';

export interface DeskFixtures {
  /** A page on which an unexpected console error or any policy violation fails the test. */
  page: Page;
  /** Errors that this test expects. */
  expectedErrors: RegExp | undefined;
}

export interface DeskWorker {
  /** One running desk for the whole file, with data of its own. */
  desk: Desk;
  /** Starts another desk, ended and cleaned up after the file. */
  startAnother(options?: Partial<DeskOptions>): Promise<Desk>;
}

export const test = base.extend<DeskFixtures, DeskWorker>({
  startAnother: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures from this pattern
    async ({}, use) => {
      const endings: (() => Promise<unknown>)[] = [];
      await use(async (options = {}) => {
        const data = options.dataDir ? undefined : await temporaryDataDir();
        const desk = await startDesk({ ...options, dataDir: options.dataDir ?? data!.dataDir });
        endings.unshift(() => desk.kill(), ...(data ? [data.remove] : []));
        return desk;
      });
      for (const end of endings) await end();
    },
    { scope: 'worker' },
  ],
  desk: [
    async ({ startAnother }, use) => {
      await use(await startAnother());
    },
    { scope: 'worker' },
  ],
  expectedErrors: [undefined, { option: true }],
  page: async ({ page, expectedErrors }, use) => {
    const heard: string[] = [];
    page.on('pageerror', (error) => heard.push(`page error: ${error.message}`));
    page.on('console', (message) => {
      if (message.type() === 'error') heard.push(`console: ${message.text()} (${message.location().url})`);
    });
    await use(page);
    expect(heard.filter((text) => !expectedErrors?.test(text))).toEqual([]);
  },
});

export { expect };
