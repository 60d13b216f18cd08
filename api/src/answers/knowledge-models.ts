import type { Connection } from 'mongoose';
import { createEmbeddingStateModel, type EmbeddingStateModel } from './embeddings/embedding-state.ts';
import {
  createDocumentModel,
  createDocumentTextModel,
  type DocumentModel,
  type DocumentTextModel,
} from './index/document.ts';
import { createFindableModel, type FindableModel } from './index/findable.ts';
import { createMovedPassageModel, type MovedPassageModel } from './index/moved-passage.ts';
import { createPassageModel, type PassageModel } from './index/passage.ts';
import { createTermCountModel, type TermCountModel } from './index/term-count.ts';
import { createPairModel, type PairModel } from './pairs/pair.ts';

/** The collections of the knowledge base. */
export interface KnowledgeModels {
  documents: DocumentModel;
  texts: DocumentTextModel;
  passages: PassageModel;
  movedPassages: MovedPassageModel;
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
    movedPassages: createMovedPassageModel(connection),
    findable: createFindableModel(connection),
    pairs: createPairModel(connection),
    termCounts: createTermCountModel(connection),
    embeddingStates: createEmbeddingStateModel(connection),
  };
}
