import type { Connection } from 'mongoose';
import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import type { Passage } from '../contract.ts';
import { notFound } from '../errors.ts';
import { createKnowledgeModels } from '../models/knowledge-models.ts';
import type { OwnedCollection } from '../services/owned-data.ts';
import type { Answerer } from './answerer.ts';
import { createAnswerer } from './create-answerer.ts';
import { indexHandbook } from './index-handbook.ts';
import { usualModelSettings } from './model/model-settings.ts';
import { readPassage } from './read-passage.ts';

export interface OpenAnswering {
  answerer: Answerer;
  /** @throws notFound('passage') for an unknown passage and for another owner's private one. */
  readPassage(id: string, owner: string): Promise<Passage>;
  owned: readonly OwnedCollection[];
}

/** Brings the handbook into the store where it is not there yet, and answers from it. */
export async function openAnswering(
  connection: Connection,
  config: Config,
  log: Logger,
): Promise<OpenAnswering> {
  const models = createKnowledgeModels(connection);
  await Promise.all(Object.values(models).map((model) => model.createIndexes()));
  const began = performance.now();
  const handbook = await indexHandbook(models);
  if (handbook.written) {
    log.info({ edition: handbook.edition, ms: Math.round(performance.now() - began) }, 'handbook indexed');
  }
  const [first] = config.models;
  const model = first ? { ...usualModelSettings, ...first } : null;
  return {
    answerer: createAnswerer({ models, handbook, model }),
    async readPassage(id, owner) {
      const passage = await readPassage(models, id, owner);
      if (!passage) throw notFound('passage');
      return passage;
    },
    owned: [models.documents, models.passages],
  };
}
