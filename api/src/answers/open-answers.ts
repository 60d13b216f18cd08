import type { Connection } from 'mongoose';
import type { Logger } from 'pino';
import type { Config } from '../config/config.ts';
import { notFound } from '../errors/errors.ts';
import { createIndexes } from '../store/create-indexes.ts';
import type { Answerer } from './answerer.ts';
import { createAnswerer } from './create-answerer.ts';
import { createKnowledgeIndex } from './create-knowledge-index.ts';
import { type OpenEmbeddings, openEmbeddings } from './embeddings/open-embeddings.ts';
import { lookAgain } from './embeddings/passage-vectors.ts';
import { indexHandbook, removeHandbook } from './index-handbook.ts';
import type { KnowledgeIndex } from './knowledge-index.ts';
import { createKnowledgeModels, type KnowledgeModels } from './knowledge-models.ts';
import type { KnowledgeOverlay } from './match-pair.ts';
import type { ModelAnswers } from './model/model-answers.ts';
import { type ReadPassage, readPassage } from './read-passage.ts';
import { createStarters, type Starters } from './starters.ts';
import { createUseCounts } from './use-counts.ts';

export interface Answers {
  answerer: Answerer;
  readPassage: ReadPassage;
  models: KnowledgeModels;
  index: KnowledgeIndex;
  /** null where none are configured. */
  embeddings: OpenEmbeddings | null;
  starters: Starters;
  /** Answers as though the knowledge base were changed; without models, and nothing is counted. */
  withOverlay(overlay: KnowledgeOverlay): Answerer;
}

/** Brings the handbook into the store where it is not there yet, and answers from it; takes it out where it is turned off. */
export async function openAnswers(
  connection: Connection,
  config: Pick<Config, 'handbook' | 'embeddings'>,
  log: Logger,
  byModel?: ModelAnswers,
): Promise<Answers> {
  const models = createKnowledgeModels(connection);
  await createIndexes(models);
  const began = performance.now();
  const handbook = await (config.handbook ? indexHandbook(models) : removeHandbook(models));
  if (handbook.written) {
    const ms = Math.round(performance.now() - began);
    log.info({ edition: handbook.edition, ms }, config.handbook ? 'handbook indexed' : 'handbook removed');
  }
  const { embeddings: configured } = config;
  const embeddings = configured && openEmbeddings({ config: configured, models, log });
  // New pages of the handbook are not marked, nor is anything while there are no embeddings.
  if (handbook.written || !embeddings) await lookAgain(models);
  const meaning = embeddings ? { embeddings } : {};
  const uses = createUseCounts(models, log);
  return {
    answerer: createAnswerer({ models, handbook, uses, ...meaning, ...(byModel ? { byModel } : {}) }),
    withOverlay: (overlay) => createAnswerer({ models, handbook, overlay, ...meaning }),
    async readPassage(id, owner) {
      const passage = await readPassage(models, id, owner);
      if (!passage) throw notFound('passage');
      return passage;
    },
    models,
    index: createKnowledgeIndex(models, { marksNew: embeddings !== null }),
    embeddings,
    starters: createStarters(models, handbook.starters),
  };
}
