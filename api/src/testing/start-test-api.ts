import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import type { Connection } from 'mongoose';
import type { Answerer } from '../answers/answerer.ts';
import { productChoices } from '../answers/desk-choices.ts';
import { builtInEmbeddings, openEmbeddings } from '../answers/embeddings/open-embeddings.ts';
import { createKnowledgeIndex } from '../answers/index/create-knowledge-index.ts';
import { readPassage } from '../answers/index/read-passage.ts';
import { createKnowledgeModels } from '../answers/knowledge-models.ts';
import { openAnswers } from '../answers/open-answers.ts';
import { type Config, readConfig } from '../config/config.ts';
import type { Passage } from '../contract/answers.ts';
import { notFound } from '../errors/errors.ts';
import { createLog } from '../http/create-log.ts';
import { type RunningServer, startServer } from '../server.ts';
import { createIndexes } from '../store/define-model.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { isEmbedded, removeTestData, testStoreConfig } from './test-database.ts';

export interface TestApi extends RunningServer {
  dataDir: string;
  config: Config;
  /** Direct access to its store. */
  connection: Connection;
  /** Closes the server and removes its data. */
  end(): Promise<void>;
}

export interface TestApiOptions {
  /** Default: real answers from the handbook and added documents. */
  answerer?: Answerer;
  /** Overrides of the default configuration; limits are off unless set here. */
  config?: Partial<Config>;
  /** In addition to those in the store. */
  passages?: Map<string, Passage>;
  /** Data of an earlier start; `end` then does not delete it. */
  dataDir?: string;
  /** Called with each log line as JSON; the configured log level applies then. */
  onLog?: (line: string) => void;
  /** Folders of builds that are published and made live. */
  builds?: readonly string[];
  /** Whether periodic jobs run at the start. Default: not on a copy of the template, where they have run. */
  sweepsAtStart?: boolean;
}

/**
 * The real app over HTTP on a real store, on a free port, with separate data: the embedded store, or a
 * separate database on the server named in MONGODB_URI_TEST.
 */
export async function startTestApi({
  answerer,
  config: overrides = {},
  passages = new Map(),
  dataDir,
  builds,
  onLog,
  sweepsAtStart,
}: TestApiOptions): Promise<TestApi> {
  const folder = dataDir ?? (await temporaryFolder('desk-api'));
  const hasHandbook = !answerer && overrides.handbook !== false;
  const isCopy = dataDir === undefined && (await copyTemplate(hasHandbook ? 'handbook' : 'empty', folder));
  const config: Config = {
    ...readConfig({}),
    ...testStoreConfig(folder),
    port: 0,
    limitChat: 0,
    limitSignIn: 0,
    limitSignUp: 0,
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
    sweepsAtStart: sweepsAtStart ?? !isCopy,
    ...(builds ? { builds } : {}),
    ...(onLog ? { log: createLog(config.logLevel, { write: onLog }) } : {}),
    openAnswers: async (opened, used, log, _byModel, choices) => {
      connection = opened;
      if (!answerer) return openAnswers(opened, used, log, undefined, choices);
      const models = createKnowledgeModels(opened);
      await createIndexes(models);
      return {
        answerer,
        readPassage: async (id, owner) => {
          const passage = passages.get(id) ?? (await readPassage(models, id, [owner]));
          if (!passage) throw notFound('passage');
          return passage;
        },
        models,
        embeddings: openEmbeddings({ ...builtInEmbeddings(), models, log: createLog('silent') }),
        index: createKnowledgeIndex(models),
        starters: async () => [],
        withOverlay: () => answerer,
        readableBy: productChoices.readableBy,
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

/** Variable with the folder that template-data.ts fills once for all test files of a run. */
export const TEMPLATE_DATA = 'TEMPLATE_DATA';

/**
 * Creates the data of an embedded store from a template of a first start, which takes most of the start time.
 * false if there is no template: the store then starts empty.
 */
async function copyTemplate(kind: 'empty' | 'handbook', folder: string): Promise<boolean> {
  const template = process.env[TEMPLATE_DATA];
  if (!template || !isEmbedded) return false;
  await cp(join(template, kind), folder, { recursive: true });
  return true;
}
