import { modelsOf } from '../store/define-model.ts';
import { embeddingStateModel } from './embeddings/embedding-state.ts';
import { documentModel, documentTextModel } from './index/document.ts';
import { findableModel } from './index/findable.ts';
import { movedPassageModel } from './index/moved-passage.ts';
import { passageModel } from './index/passage.ts';
import { termCountModel } from './index/term-count.ts';
import { pairModel } from './pairs/pair.ts';

/** The collections of the knowledge base. */
export type KnowledgeModels = ReturnType<typeof createKnowledgeModels>;
export const createKnowledgeModels = modelsOf({
  documents: documentModel,
  texts: documentTextModel,
  passages: passageModel,
  movedPassages: movedPassageModel,
  findable: findableModel,
  pairs: pairModel,
  termCounts: termCountModel,
  embeddingStates: embeddingStateModel,
});
