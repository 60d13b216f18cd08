import {
  type BrowserContext,
  type BrowserContextOptions,
  test as base,
  expect,
  type Page,
} from 'playwright/test';
import { type Desk, type DeskOptions, startDesk, temporaryDataDir } from '../start-desk.ts';
import { modelEnv, startTalkingModel, type TalkingModel } from './talking-model.ts';
import { signedIn } from './visit.ts';
import { watchPages } from './watch-pages.ts';

/** The account that may change the knowledge of `desk`, whoever signed up first. */
export const EDITOR = 'editor';

export interface DeskFixtures {
  /**
   * Errors in the console, as `console: <text> (<url>)`, and uncaught errors, as `page error: <message>`, that this test expects on its
   * pages; any other one fails it. The pattern should name status and address: `/status of 401 .*\/admin\/auth/`. Responses of 500 and
   * above are not covered by it, see `expectedServerErrors`.
   */
  expectedErrors: RegExp | undefined;
  /** Responses with a status of 500 and above, as `503 <url>`, that this test expects; any other one fails it. */
  expectedServerErrors: RegExp | undefined;
  /** Opens a page of another visitor: a browser context of its own, watched as `page` is and closed after the test. */
  newVisitor(options?: BrowserContextOptions): Promise<Page>;
  /** While a test has it, answers to questions with 「等」 wait until `goOn()`, so that the middle of an answer can be examined. */
  pace: Pick<TalkingModel, 'goOn'>;
}

/**
 * Nothing is started before a test asks for it. All files that take `test` as it is share the desks of a worker, so a test must be its
 * own visitor: a guest, or an account whose name no other test uses.
 */
export interface DeskWorker {
  /** A running desk without a model. */
  desk: Desk;
  /** A running desk that answers by `model`. */
  talkingDesk: Desk;
  model: TalkingModel;
  /** Starts another desk, ended and cleaned up with the worker. */
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
      const desk = await startAnother();
      // The first account is an editor.
      await signedIn(desk.url, EDITOR);
      await use(desk);
    },
    { scope: 'worker' },
  ],
  model: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures from this pattern
    async ({}, use) => {
      const model = await startTalkingModel();
      await use(model);
      await model.close();
    },
    { scope: 'worker' },
  ],
  talkingDesk: [
    async ({ startAnother, model }, use) => {
      await use(await startAnother({ env: modelEnv(model) }));
    },
    { scope: 'worker' },
  ],
  expectedErrors: [undefined, { option: true }],
  expectedServerErrors: [undefined, { option: true }],
  context: async ({ context, expectedErrors, expectedServerErrors }, use) => {
    const unexpected = watchPages(context, { expectedErrors, expectedServerErrors });
    await use(context);
    expect(unexpected()).toEqual([]);
  },
  newVisitor: async ({ browser, expectedErrors, expectedServerErrors }, use) => {
    const contexts: BrowserContext[] = [];
    const checks: (() => string[])[] = [];
    await use(async (options) => {
      const context = await browser.newContext(options);
      contexts.push(context);
      checks.push(watchPages(context, { expectedErrors, expectedServerErrors }));
      return context.newPage();
    });
    for (const context of contexts) await context.close();
    expect(checks.flatMap((unexpected) => unexpected())).toEqual([]);
  },
  pace: async ({ model }, use) => {
    model.hold();
    await use({ goOn: () => model.goOn() });
    // An answer that still waits must not hold up the next test.
    model.goOn();
  },
});

export { expect };
