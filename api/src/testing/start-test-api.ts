import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Answerer } from '../answers/answerer.ts';
import { createKnowledgeIndex } from '../answers/create-knowledge-index.ts';
import { type Config, readConfig } from '../config.ts';
import type { Passage } from '../contract.ts';
import { notFound } from '../errors.ts';
import { createKnowledgeModels } from '../models/knowledge-models.ts';
import { type RunningServer, startServer } from '../server.ts';

export interface TestApi extends RunningServer {
  dataDir: string;
  config: Config;
  /** Closes the server and removes its data. */
  end(): Promise<void>;
}

export interface TestApiOptions {
  answerer: Answerer;
  /** Overrides of what an empty environment gives; limits are off unless set here. */
  config?: Partial<Config>;
  passages?: Map<string, Passage>;
  /** Data of an earlier start; then `end` leaves it there. */
  dataDir?: string;
}

/** The real app over real HTTP on the real embedded store, on a free port, with data of its own. */
export async function startTestApi({
  answerer,
  config: overrides = {},
  passages = new Map(),
  dataDir,
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
  const server = await startServer({
    config,
    openAnswering: async (connection) => {
      const models = createKnowledgeModels(connection);
      await Promise.all(Object.values(models).map((model) => model.createIndexes()));
      return {
        answerer,
        readPassage: async (id) => {
          const passage = passages.get(id);
          if (!passage) throw notFound('passage');
          return passage;
        },
        index: createKnowledgeIndex(models),
        owned: [models.documents, models.passages, models.findable],
      };
    },
  });
  return {
    ...server,
    dataDir: folder,
    config,
    async end() {
      await server.close();
      if (dataDir === undefined) await rm(folder, { recursive: true, force: true });
    },
  };
}
