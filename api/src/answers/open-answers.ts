import type { Connection } from 'mongoose';
import type { Logger } from 'pino';
import type { Config } from '../config/config.ts';
import { notFound } from '../errors/errors.ts';
import { createIndexes } from '../store/create-indexes.ts';
import type { Answerer } from './answerer.ts';
import { createAnswerer } from './create-answerer.ts';
import { createKnowledgeIndex } from './create-knowledge-index.ts';
import { type DeskChoices, productChoices } from './desk-choices.ts';
import { builtInEmbeddings } from './embeddings/built-in-embeddings.ts';
import { type OpenEmbeddings, openEmbeddings } from './embeddings/open-embeddings.ts';
import { checkAllPassages } from './embeddings/passage-vectors.ts';
import { indexHandbook, removeHandbook } from './index-handbook.ts';
import type { KnowledgeIndex } from './knowledge-index.ts';
import { createKnowledgeModels, type KnowledgeModels } from './knowledge-models.ts';
import type { KnowledgeOverlay } from './match-pair.ts';
import type { ModelAnswers } from './model/model-answers.ts';
import { type ReadPassage, readPassage } from './read-passage.ts';
import { createReranker } from './reranker.ts';
import { createStarters, type Starters } from './starters.ts';
import { createUseCounts } from './use-counts.ts';

export interface Answers {
  answerer: Answerer;
  readPassage: ReadPassage;
  models: KnowledgeModels;
  index: KnowledgeIndex;
  embeddings: OpenEmbeddings;
  starters: Starters;
  /** Answers with a change of the knowledge base that is not stored; without models, and uses are not counted. */
  withOverlay(overlay: KnowledgeOverlay): Answerer;
  /** As of the desk's choices. */
  readableBy: DeskChoices['readableBy'];
}

/** Indexes the handbook, or removes it if it is turned off, and wires the answerer. */
export async function openAnswers(
  connection: Connection,
  config: Pick<Config, 'handbook' | 'embeddings'> & Partial<Pick<Config, 'rerank'>>,
  log: Logger,
  byModel?: ModelAnswers,
  choices = productChoices,
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
  const embeddings = openEmbeddings({
    ...(configured ? { config: configured } : builtInEmbeddings()),
    models,
    log,
  });
  // Passages of the handbook are not marked for computing vectors.
  if (handbook.written) await checkAllPassages(models);
  const shared = {
    embeddings,
    ...(config.rerank ? { reranker: createReranker(config.rerank, log) } : {}),
    choices,
  };
  const uses = createUseCounts(models, log);
  return {
    answerer: createAnswerer({ models, handbook, uses, ...shared, ...(byModel ? { byModel } : {}) }),
    withOverlay: (overlay) => createAnswerer({ models, handbook, overlay, ...shared }),
    async readPassage(id, owner) {
      const passage = await readPassage(models, id, [owner, ...(await choices.readableBy(owner))]);
      if (!passage) throw notFound('passage');
      return passage;
    },
    models,
    index: createKnowledgeIndex(models),
    embeddings,
    starters: createStarters(models, handbook.starters, choices),
    readableBy: choices.readableBy,
  };
}
