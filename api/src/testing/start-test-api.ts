import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Connection } from 'mongoose';
import type { Answerer } from '../answers/answerer.ts';
import { createKnowledgeIndex } from '../answers/create-knowledge-index.ts';
import { openAnswering } from '../answers/open-answering.ts';
import { readPassage } from '../answers/read-passage.ts';
import { type Config, readConfig } from '../config.ts';
import type { Passage } from '../contract.ts';
import { notFound } from '../errors.ts';
import { createKnowledgeModels } from '../models/knowledge-models.ts';
import { type RunningServer, startServer } from '../server.ts';

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
  /** Folders of builds that are published and made live. */
  builds?: readonly string[];
}

/** The real app over real HTTP on the real embedded store, on a free port, with data of its own. */
export async function startTestApi({
  answerer,
  config: overrides = {},
  passages = new Map(),
  dataDir,
  builds,
}: TestApiOptions): Promise<TestApi> {
  const folder = dataDir ?? (await mkdtemp(join(tmpdir(), 'desk-api-')));
  const config: Config = {
    ...readConfig({}),
    port: 0,
    dataDir: folder,
    limitChat: 0,
    limitSignIn: 0,
    logLevel: (process.env.TEST_LOG_LEVEL ?? 'silent') as Config['logLevel'],
    ...overrides,
  };
  let connection: Connection | undefined;
  const server = await startServer({
    config,
    ...(builds ? { builds } : {}),
    openAnswering: async (opened, byModel, log) => {
      connection = opened;
      if (!answerer) return openAnswering(opened, byModel, log);
      const models = createKnowledgeModels(opened);
      await Promise.all(Object.values(models).map((model) => model.createIndexes()));
      return {
        answerer,
        readPassage: async (id, owner) => {
          const passage = passages.get(id) ?? (await readPassage(models, id, owner));
          if (!passage) throw notFound('passage');
          return passage;
        },
        index: createKnowledgeIndex(models),
        withOverlay: () => answerer,
        owned: [models.documents, models.passages, models.findable],
      };
    },
  });
  if (!connection) throw new Error('expected the server to open a store');
  return {
    ...server,
    dataDir: folder,
    config,
    connection,
    async end() {
      await server.close();
      if (dataDir === undefined) await rm(folder, { recursive: true, force: true });
    },
  };
}
