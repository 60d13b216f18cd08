import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pino } from 'pino';
import type { Config } from '../config/config.ts';
import type { PointerInfo } from '../contract/compositions.ts';
import type { Health, PageEvent, PageReport } from '../contract/reports.ts';
import { createDiskFileStore } from '../files/storage/disk-file-store.ts';
import { createGridFsFileStore } from '../files/storage/gridfs-file-store.ts';
import { createCanaryWatch } from '../releases/canary/watch-rollouts.ts';
import { createCompositionStore } from '../releases/data/composition-store.ts';
import { createCanaryTallyModel, createHealthCountModel } from '../releases/data/page-counts.ts';
import { publishRelease } from '../releases/publish/publish-release.ts';
import { readBuild } from '../releases/publish/read-build.ts';
import { createScriptedAnswerer } from './scripted-answerer.ts';
import { startTestApi, type TestApi } from './start-test-api.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { removeTestData } from './test-database.ts';
import { createVisitor } from './visitor.ts';
import { writeTestBuild } from './write-test-build.ts';

export const opsToken = 'the-token-of-operations';
const asOps = { Authorization: `Bearer ${opsToken}` };

type Refusal = { error: string; msg: string; field?: string };

/**
 * A server with host, mfe-auth and mfe-chat 1.0.0 live, and releases 1.1.0 and 1.2.0 of mfe-chat for
 * canaries.
 */
export async function startCanaryServer(config: Partial<Config> = {}) {
  const folder = await temporaryFolder('canary');
  const dataDir = join(folder, 'data');
  const build = (name: string, version = '1.0.0') =>
    writeTestBuild(folder, { name, version, words: version });
  const builds = [await build('host'), await build('mfe-auth'), await build('mfe-chat')];
  const answerer = createScriptedAnswerer();
  const start = () => startTestApi({ answerer, dataDir, builds, config: { opsToken, ...config } });
  let desk: TestApi = await start();
  const deps = {
    store: createCompositionStore(desk.connection),
    files: desk.config.mongodbUri
      ? createGridFsFileStore(desk.connection)
      : createDiskFileStore(join(dataDir, 'files')),
    now: () => new Date(),
  };
  for (const version of ['1.1.0', '1.2.0'])
    await publishRelease(await readBuild(await build('mfe-chat', version)), deps);

  const ops = <T = PointerInfo & Refusal>(method: string, path: string, body?: object) =>
    createVisitor(desk.url).call<T>(
      method,
      `/ops/${path}`,
      body && { author: 'li', reason: '', ...body },
      asOps,
    );

  return {
    url: () => desk.url,
    connection: () => desk.connection,
    config: () => desk.config,
    ops,
    canary: (body: object = {}) =>
      ops('POST', 'canary', { releases: ['mfe-chat@1.1.0'], share: 100, ...body }),
    pointer: async () => (await ops('GET', 'pointer')).body,
    health: async (minutes = 60) => (await ops<Health>('GET', `health?minutes=${minutes}`)).body,
    report: (body: PageReport, headers: Record<string, string> = {}) =>
      createVisitor(desk.url).call('POST', '/ops/reports', body, headers),
    /** Evaluates the canary, as the server does periodically, with everything counted so far. */
    async look() {
      const tallies = createCanaryTallyModel(desk.connection);
      const store = createCompositionStore(desk.connection);
      await createCanaryWatch({
        store,
        tallies,
        counts: createHealthCountModel(desk.connection),
        log: pino({ level: 'silent' }),
        now: () => new Date(),
      }).look();
    },
    /** Restarts the server with the same data. */
    async restart() {
      await desk.end();
      desk = await start();
    },
    async end() {
      await desk.end();
      await removeTestData(dataDir);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

export type CanaryServer = Awaited<ReturnType<typeof startCanaryServer>>;

/** A new page id. */
export const newPage = () => randomBytes(16).toString('hex');

const chat = (version: string) => ({ remote: 'mfe-chat', version });
export const loaded = (version: string): PageEvent => ({ ...chat(version), kind: 'load', ms: 120 });
export const failed = (version: string, error = 'TypeError: x is not a function'): PageEvent => ({
  ...chat(version),
  kind: 'failure',
  phase: 'load',
  expose: './screen',
  error,
});
