import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import {
  type BrowserContext,
  type BrowserContextOptions,
  test as base,
  expect,
  type Page,
} from 'playwright/test';
import { type Desk, type DeskOptions, startDesk, temporaryDataDir } from '../start-desk.ts';
import { OPS, publishPrevious } from './deploy.ts';
import { type FolderServer, serveFolder } from './serve-folder.ts';
import { modelEnv, startTalkingModel, type TalkingModel } from './talking-model.ts';
import { signedIn } from './visit.ts';
import { watchPages } from './watch-pages.ts';

/** The account that may change the knowledge of `desk`, whoever signed up first. */
export const EDITOR = 'editor';

/** The hint of the chat's empty conversation, which tells its releases apart. */
export const HINT = '请输入以咨询问题';
/** The same in the release that the live one of mfe-chat falls back to. */
export const PREVIOUS_HINT = '上一版在此';
export const PREVIOUS_VERSION = '0.9.0';

interface Team extends FolderServer {
  /** What the server sends, one folder for each build. */
  folder: string;
}

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
 * Nothing is started before a test asks for it. All files share the desks of a worker, so a test must be its own visitor: a guest, or an
 * account whose name no other test uses. A file with worker fixtures of its own would get a worker, a browser and desks of its own.
 */
export interface DeskWorker {
  /**
   * A running desk without a model. OPS may change what is live (see deployed-desk.ts), mfe-chat has a previous release and the other
   * remotes have none, and releases may stand on the team's own server.
   */
  desk: Desk;
  team: Team;
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
    async ({ startAnother, team }, use) => {
      const desk = await startAnother({ env: { ...OPS, RELEASE_ORIGINS: team.origin } });
      // The first account is an editor.
      await signedIn(desk.url, EDITOR);
      await publishPrevious(desk, 'mfe-chat', PREVIOUS_VERSION, { from: HINT, to: PREVIOUS_HINT });
      await use(desk);
    },
    { scope: 'worker' },
  ],
  team: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures from this pattern
    async ({}, use) => {
      const folder = await mkdtemp(path.join(os.tmpdir(), 'team-'));
      const server = await serveFolder(folder);
      await use({ ...server, folder });
      await server.close();
      await rm(folder, { recursive: true });
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
