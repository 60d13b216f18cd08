import type { Turn } from '../../../api/src/answers/answerer.ts';
import type { OpenEmbeddings } from '../../../api/src/answers/embeddings/open-embeddings.ts';
import type { KnowledgeModels } from '../../../api/src/answers/knowledge-models.ts';
import { openAnswers } from '../../../api/src/answers/open-answers.ts';
import { readConfig } from '../../../api/src/config/config.ts';
import type { Citation } from '../../../api/src/contract/answers.ts';
import type { Language } from '../../../api/src/contract/language.ts';
import { createLog } from '../../../api/src/http/create-log.ts';
import { openStore } from '../../../api/src/store/open-store.ts';
import type { SearchedPassage } from './baselines/engine.ts';
import type { CorpusDocument } from './corpus/read-chapters.ts';

export interface Answered {
  text: string;
  source: 'curated' | 'document' | 'model' | 'none';
  citations: Citation[];
  /** The ranked passages, best first, at most ten; none if a curated pair answers. */
  ranked: { id: string; score: number }[];
  /** Milliseconds to the first piece and to the last. */
  firstPiece: number;
  whole: number;
}

/** The handbook and added documents, with the answerer of a desk without a model. */
export interface Knowledge {
  models: KnowledgeModels;
  embeddings: OpenEmbeddings;
  put(document: CorpusDocument): Promise<number>;
  passages(): Promise<SearchedPassage[]>;
  answer(question: string, language: Language, history?: readonly Turn[]): Promise<Answered>;
  close(): Promise<void>;
}

const OWNER = 'guest:bench-of-retrieval';

/** @param dataDir empty, or of an earlier instance; closing does not remove it. */
export async function openKnowledge(dataDir: string): Promise<Knowledge> {
  const store = await openStore({ mongodbUri: null, dataDir });
  const config = readConfig({ DATA_DIR: dataDir });
  const { answerer, index, models, embeddings } = await openAnswers(
    store.connection,
    config,
    createLog('fatal'),
  );
  return {
    models,
    embeddings,
    put: async (document) => {
      await putRow(models, document);
      return index.put({ _id: document.name, owner: '', ...pick(document) });
    },
    passages: async () => {
      const rows = await models.passages.find({}, { heading: 1, title: 1, language: 1, text: 1 }).lean();
      return rows.map(({ _id, heading, title, language, text }) => ({
        id: _id,
        heading: heading || title,
        language,
        text,
      }));
    },
    async answer(text, language, history = []) {
      const start = performance.now();
      const pieces: string[] = [];
      let firstPiece = Number.NaN;
      const question = { text, language, owner: OWNER, history };
      for await (const piece of answerer.answer(question, new AbortController().signal)) {
        if (pieces.length === 0) firstPiece = performance.now() - start;
        if (piece.kind === 'text') pieces.push(piece.text);
        if (piece.kind !== 'final') continue;
        const whole = performance.now() - start;
        const { source, citations, why } = piece;
        const ranked = (why?.ranked ?? []).map(({ href, score }) => ({ id: passageIdOf(href), score }));
        return { text: pieces.join(''), source, citations, ranked, firstPiece, whole };
      }
      throw new Error(`an answer must end with a final piece, got none for ${text}`);
    },
    async close() {
      await embeddings.stop();
      await store.close();
    },
  };
}

/** The passage id in the href of a citation or a ranked passage. */
export function passageIdOf(href: string): string {
  return decodeURIComponent(href.split('/').at(-1)!);
}

function pick({ title, language, text }: CorpusDocument) {
  return { title, language, text };
}

/** Stores an upload like the product, its text apart. */
async function putRow(models: KnowledgeModels, { name: _id, title, language, text }: CorpusDocument) {
  const row = { owner: '', source: 'upload', type: 'html', status: 'ready', createdAt: new Date() } as const;
  await models.documents.create({ _id, ...row, title, language });
  await models.texts.create({ _id, text });
}
