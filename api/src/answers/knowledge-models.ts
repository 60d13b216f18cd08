import type { Connection } from 'mongoose';
import {
  createDocumentModel,
  createDocumentTextModel,
  type DocumentModel,
  type DocumentTextModel,
} from './document.ts';
import { createEmbeddingStateModel, type EmbeddingStateModel } from './embeddings/embedding-state.ts';
import { createFindableModel, type FindableModel } from './findable.ts';
import { createPairModel, type PairModel } from './pair.ts';
import { createPassageModel, type PassageModel } from './passage.ts';
import { createTermCountModel, type TermCountModel } from './term-count.ts';

/** The collections of the knowledge base. */
export interface KnowledgeModels {
  documents: DocumentModel;
  texts: DocumentTextModel;
  passages: PassageModel;
  findable: FindableModel;
  pairs: PairModel;
  termCounts: TermCountModel;
  embeddingStates: EmbeddingStateModel;
}

export function createKnowledgeModels(connection: Connection): KnowledgeModels {
  return {
    documents: createDocumentModel(connection),
    texts: createDocumentTextModel(connection),
    passages: createPassageModel(connection),
    findable: createFindableModel(connection),
    pairs: createPairModel(connection),
    termCounts: createTermCountModel(connection),
    embeddingStates: createEmbeddingStateModel(connection),
  };
}
