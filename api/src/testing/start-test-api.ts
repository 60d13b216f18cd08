import { cp, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Connection } from 'mongoose';
import type { Answerer } from '../answers/answerer.ts';
import { createKnowledgeIndex } from '../answers/create-knowledge-index.ts';
import { createKnowledgeModels } from '../answers/knowledge-models.ts';
import { openAnswering } from '../answers/open-answering.ts';
import { readPassage } from '../answers/read-passage.ts';
import { type Config, readConfig } from '../config/config.ts';
import type { Passage } from '../contract/answers.ts';
import { notFound } from '../errors/errors.ts';
import { createLog } from '../http/create-log.ts';
import { type RunningServer, startServer } from '../server.ts';
import { createIndexes } from '../store/create-indexes.ts';
import { isEmbedded, removeTestData, testStoreConfig } from './test-database.ts';

export interface TestApi extends RunningServer {
  dataDir: string;
  config: Config;
  /** What it keeps, to be looked at. */
  connection: Connection;
  /** Closes the server and removes its data. */
  end(): Promise<void>;
}

export interface TestApiOptions {
  /** Without one the desk answers by itself, from its handbook and what is put in. */
  answerer?: Answerer;
  /** Overrides of what an empty environment gives; limits are off unless set here. */
  config?: Partial<Config>;
  /** Besides those that are in the store. */
  passages?: Map<string, Passage>;
  /** Data of an earlier start; then `end` leaves it there. */
  dataDir?: string;
  /** Hears each line of the log, as JSON; then the log level counts. */
  onLog?: (line: string) => void;
  /** Folders of builds that are published and made live. */
  builds?: readonly string[];
}

/**
 * The real app over real HTTP on a real store, on a free port, with data of its own: the embedded store, or a database of its own on the
 * server that MONGODB_URI_TEST names.
 */
export async function startTestApi({
  answerer,
  config: overrides = {},
  passages = new Map(),
  dataDir,
  builds,
  onLog,
}: TestApiOptions): Promise<TestApi> {
  const folder = dataDir ?? (await mkdtemp(join(tmpdir(), 'desk-api-')));
  if (dataDir === undefined) await copyTemplate(answerer ? 'empty' : 'handbook', folder);
  const config: Config = {
    ...readConfig({}),
    ...testStoreConfig(folder),
    port: 0,
    limitChat: 0,
    limitSignIn: 0,
    limitPdf: 0,
    limitGuestMb: 0,
    limitAddressMb: 0,
    limitOwnerMb: 0,
    logLevel: (process.env.TEST_LOG_LEVEL ?? 'silent') as Config['logLevel'],
    ...overrides,
  };
  let connection: Connection | undefined;
  const removeOwn = async () => {
    if (dataDir === undefined) await removeTestData(folder);
  };
  const server = await startServer({
    config,
    ...(builds ? { builds } : {}),
    ...(onLog ? { log: createLog(config.logLevel, { write: onLog }) } : {}),
    openAnswering: async (opened, byModel, log) => {
      connection = opened;
      if (!answerer) return openAnswering(opened, byModel, log);
      const models = createKnowledgeModels(opened);
      await createIndexes(models);
      return {
        answerer,
        readPassage: async (id, owner) => {
          const passage = passages.get(id) ?? (await readPassage(models, id, owner));
          if (!passage) throw notFound('passage');
          return passage;
        },
        index: createKnowledgeIndex(models),
        starters: async () => [],
        withOverlay: () => answerer,
      };
    },
  }).catch(async (cause) => {
    await removeOwn();
    throw cause;
  });
  if (!connection) throw new Error('expected the server to open a store');
  return {
    ...server,
    dataDir: folder,
    config,
    connection,
    async end() {
      await server.close();
      await removeOwn();
    },
  };
}

/** Names the folder that template-data.ts fills once for all test files of a run. */
export const TEMPLATE_DATA = 'TEMPLATE_DATA';

/** Starts an embedded store from what a first start leaves, which takes most of the time of a start. Without a template it starts empty. */
async function copyTemplate(kind: 'empty' | 'handbook', folder: string): Promise<void> {
  const template = process.env[TEMPLATE_DATA];
  if (template && isEmbedded) await cp(join(template, kind), folder, { recursive: true });
}
