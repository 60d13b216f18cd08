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
import { modelEnv, type ScriptedModel, startScriptedModel } from './scripted-model.ts';
import { type FolderServer, serveFolder } from './serve-folder.ts';
import { recordToasts } from './toasts.ts';
import { signedIn } from './visit.ts';
import { watchPages } from './watch-pages.ts';
import { waitForScripts } from './when-live.ts';

/** The editor's account of `desk`: the first account that signs up. */
export const EDITOR = 'editor';

/** Hint of the chat's empty conversation, which differs between releases. */
export const HINT = '请输入以咨询问题';
/** The hint in the previous release of mfe-chat, its fallback. */
export const PREVIOUS_HINT = '上一版在此';
export const PREVIOUS_VERSION = '0.9.0';

interface Team extends FolderServer {
  /** The served folder, with one subfolder per build. */
  folder: string;
}

export interface DeskFixtures {
  /**
   * Errors that this test expects: in the console (`console: <text> (<url>)`) or uncaught (`page error: <message>`). Any other error
   * fails the test. The pattern should name status and address: `/status of 401 .*\/admin\/auth/`. For
   * responses with a status of 500 and above see `expectedServerErrors`.
   */
  expectedErrors: RegExp | undefined;
  /** Responses with a status of 500 and above, as `503 <url>`, that this test expects. Any other one fails it. */
  expectedServerErrors: RegExp | undefined;
  /** Opens a page of another visitor: a separate browser context, checked for errors like `page` and closed after the test. */
  newVisitor(options?: BrowserContextOptions): Promise<Page>;
  /** Makes answers to questions with 「等」 pause until `continueAnswers()`, so that a partial answer can be examined. */
  pace: Pick<ScriptedModel, 'continueAnswers'>;
}

/**
 * Started when a test first uses them. All files share the desks of a worker, so every test uses its own visitor: a guest, or an account
 * whose name no other test uses. A file with other worker fixtures would get a separate worker, browser and desks.
 */
export interface DeskWorker {
  /**
   * A running desk without a model. The token in OPS may change what is live (see deployed-desk.ts). Only mfe-chat has a previous release.
   * Releases may be on the team's server.
   */
  desk: Desk;
  team: Team;
  /** A running desk that answers with `model`. */
  deskWithModel: Desk;
  model: ScriptedModel;
  /** Starts another desk, which ends with the worker. */
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
      const model = await startScriptedModel();
      await use(model);
      await model.close();
    },
    { scope: 'worker' },
  ],
  deskWithModel: [
    async ({ startAnother, model }, use) => {
      await use(await startAnother({ env: modelEnv(model) }));
    },
    { scope: 'worker' },
  ],
  expectedErrors: [undefined, { option: true }],
  expectedServerErrors: [undefined, { option: true }],
  context: async ({ context, expectedErrors, expectedServerErrors }, use) => {
    const unexpected = watchPages(context, { expectedErrors, expectedServerErrors });
    waitForScripts(context);
    await recordToasts(context);
    await use(context);
    expect(unexpected()).toEqual([]);
  },
  newVisitor: async ({ browser, expectedErrors, expectedServerErrors }, use) => {
    const contexts: BrowserContext[] = [];
    const checks: (() => string[])[] = [];
    await use(async (options) => {
      const context = await browser.newContext(options);
      contexts.push(context);
      waitForScripts(context);
      await recordToasts(context);
      checks.push(watchPages(context, { expectedErrors, expectedServerErrors }));
      return context.newPage();
    });
    for (const context of contexts) await context.close();
    expect(checks.flatMap((unexpected) => unexpected())).toEqual([]);
  },
  pace: async ({ model }, use) => {
    model.hold();
    await use({ continueAnswers: () => model.continueAnswers() });
    // A paused answer would block the next test.
    model.continueAnswers();
  },
});

export { expect };
