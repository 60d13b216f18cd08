import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { PointerInfo } from '../../api/src/contract.ts';
import { call, OPS, publishPrevious } from './deploy.ts';
import { test as base, expect } from './desk-test.ts';
import { type FolderServer, serveFolder } from './serve-folder.ts';

export { expect };

/** The hint of the chat's empty conversation, which tells its releases apart. */
export const HINT = '请输入以咨询问题';
/** The same in the release that the live one of mfe-chat falls back to. */
export const PREVIOUS_HINT = '上一版在此';
export const PREVIOUS_VERSION = '0.9.0';

interface Team extends FolderServer {
  /** What the server sends, one folder for each build. */
  folder: string;
}

/**
 * One desk for all files that deploy to it: OPS may change what is live, mfe-chat has a previous release and the other remotes have
 * none, and releases may stand on the team's own server. What a test has made live is taken back after it.
 */
export const test = base.extend<{ livePointer: undefined }, { team: Team }>({
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
  desk: [
    async ({ startAnother, team }, use) => {
      const desk = await startAnother({ env: { ...OPS, RELEASE_ORIGINS: team.origin } });
      await publishPrevious(desk, 'mfe-chat', PREVIOUS_VERSION, { from: HINT, to: PREVIOUS_HINT });
      await use(desk);
    },
    { scope: 'worker' },
  ],
  livePointer: [
    async ({ desk }, use) => {
      const before = await call<PointerInfo>(desk, 'GET', '/ops/pointer');
      await use(undefined);
      const after = await call<PointerInfo>(desk, 'GET', '/ops/pointer');
      const { id } = before.composition;
      if (after.composition.id === id) return;
      await call(desk, 'POST', '/ops/pointer', { composition: id, author: 'e2e', reason: 'test ended' });
    },
    { auto: true },
  ],
});
