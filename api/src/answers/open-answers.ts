import type { Connection } from 'mongoose';
import type { Logger } from 'pino';
import type { Config } from '../config/config.ts';
import { notFound } from '../errors/errors.ts';
import { createIndexes } from '../store/define-model.ts';
import { createAnswerer } from './create-answerer.ts';
import { productChoices } from './desk-choices.ts';
import { builtInEmbeddings, openEmbeddings } from './embeddings/open-embeddings.ts';
import { checkAllPassages } from './embeddings/passage-vectors.ts';
import { indexHandbook, removeHandbook } from './handbook/index-handbook.ts';
import { createKnowledgeIndex } from './index/create-knowledge-index.ts';
import { readPassage } from './index/read-passage.ts';
import { createKnowledgeModels } from './knowledge-models.ts';
import type { ModelDesk } from './model/model-desk.ts';
import type { KnowledgeOverlay } from './pairs/match-pair.ts';
import { createStarters } from './pairs/starters.ts';
import { createUseCounts } from './pairs/use-counts.ts';
import { createReranker } from './retrieve/reranker.ts';

export type Answers = Awaited<ReturnType<typeof openAnswers>>;

/** Indexes the handbook, or removes it if it is turned off, and wires the answerer. */
export async function openAnswers(
  connection: Connection,
  config: Pick<Config, 'handbook' | 'embeddings'> & Partial<Pick<Config, 'rerank'>>,
  log: Logger,
  byModel?: Pick<ModelDesk, 'takes' | 'answer'>,
  choices = productChoices,
) {
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
  // New passages of the handbook are not marked as lacking vectors.
  if (handbook.written) await checkAllPassages(models);
  const reranker = config.rerank ? createReranker(config.rerank, log) : undefined;
  const shared = { models, handbook, embeddings, reranker, choices };
  const uses = createUseCounts(models, log);
  return {
    answerer: createAnswerer({ ...shared, uses, byModel }),
    /** An answerer to try out a change of the knowledge base: without models, and uses are not counted. */
    withOverlay: (overlay: KnowledgeOverlay) => createAnswerer({ ...shared, overlay }),
    /** @throws notFound('passage') unless `owner`, an asker as in `DeskChoices.readableBy`, may read it. */
    async readPassage(id: string, owner: string) {
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
