import { createKnowledgeIndex } from '../../../../api/src/answers/index/create-knowledge-index.ts';
import type { KnowledgeModels } from '../../../../api/src/answers/knowledge-models.ts';
import type { Evidence } from '../../../../api/src/answers/retrieve/answerability.ts';
import { retrieve } from '../../../../api/src/answers/retrieve/retrieve.ts';
import { temporaryDataDir } from '../../../start-desk.ts';
import { readCompanyDocuments, readCompanyQuestions } from '../company/read-company.ts';
import { fetchDebianReference } from '../corpus/debian-reference.ts';
import { type CorpusDocument, readChapters } from '../corpus/read-chapters.ts';
import { foldQuote, hasQuote } from '../fold-quote.ts';
import { foreignDocuments } from '../generated-documents.ts';
import { type Knowledge, openKnowledge } from '../open-knowledge.ts';
import { readRefusals } from '../read-questions.ts';
import type { Case, Store } from './read-cases.ts';

export interface WeighedCase extends Case {
  evidence: Evidence;
  /** Whether one of the five best passages answers. */
  isRight: boolean;
  /** Whether the best passage is of the handbook. */
  isHandbook: boolean;
  heading: string;
  missing: string[];
}

const owner = 'guest:fit';
/** With those of Debian Reference about 10,000. */
const foreignPassages = 8500;

/** Retrieves every question in its store, and returns the features of the best passage. */
export async function weighCases(
  cases: readonly Case[],
  log: (line: string) => void,
): Promise<WeighedCase[]> {
  const opened = [
    await openStore('reference', log),
    await openStore('documents', log),
    await openStore('handbook', log),
    await openStore('company', log),
    await openStore('embedded', log),
  ];
  const [reference, documents, handbook, company, embedded] = opened;
  const stores: Record<Store, Opened> = {
    reference: reference!,
    documents: documents!,
    file: documents!,
    handbook: handbook!,
    company: company!,
    embedded: embedded!,
    'company file': company!,
  };
  const weighed: WeighedCase[] = [];
  try {
    for (const one of cases) {
      const { knowledge } = stores[one.store];
      const { evidence, passages, explanation } = await retrieve(
        knowledge.models,
        one.text,
        one.language,
        scopeOf(one, stores[one.store]),
        knowledge.embeddings.ask(one.text),
      );
      const [best] = passages;
      if (!evidence || !best) continue;
      const isRight = passages
        .slice(0, 5)
        .some(({ heading, text }) =>
          one.headings ? one.headings.includes(heading) : hasQuote(foldQuote(text), one.quotes),
        );
      const document = await knowledge.models.documents
        .findOne({ _id: best.documentId }, { source: 1 })
        .lean();
      weighed.push({
        ...one,
        evidence,
        isRight,
        isHandbook: document?.source === 'handbook',
        heading: best.heading || best.title,
        missing: explanation.ranked[0]?.missing ?? [],
      });
    }
  } finally {
    for (const { close } of opened) await close();
  }
  return weighed;
}

interface Opened {
  knowledge: Knowledge;
  edition: string;
  close(): Promise<void>;
}

/** Where a question is looked up: in its file, or in all documents of the store. */
export function scopeOf({ file }: Case, { edition }: Opened) {
  return file ? { edition, owner, documentIds: [ownId(file)] } : { edition, owner: '' };
}

/** Id of the private copy of a document. */
function ownId(name: string): string {
  return `own-${name}`;
}

/** Indexes the documents of a store in a new folder. */
export async function openStore(store: Store, log: (line: string) => void): Promise<Opened> {
  const { dataDir, remove } = await temporaryDataDir();
  const knowledge = await openKnowledge(dataDir);
  const { models } = knowledge;
  if (store === 'reference' || store === 'embedded') {
    const reference = await fetchDebianReference(log);
    if (!reference) throw new Error('weights are fitted on the Debian Reference, which could not be fetched');
    for (const chapter of await readChapters(reference)) await knowledge.put(chapter);
  }
  if (store === 'documents')
    for (const document of (await readRefusals()).documents) {
      await knowledge.put(document);
      await putOwn(models, document);
    }
  if (store === 'company' || store === 'embedded')
    for (const document of await readCompanyDocuments(await readCompanyQuestions())) {
      if (!document.isPrivate) await knowledge.put(document);
      await putOwn(models, document);
    }
  if (store === 'embedded')
    for (const document of foreignDocuments(foreignPassages)) await knowledge.put(document);
  await knowledge.embeddings.finish();
  const row = await models.documents.findOne({ source: 'handbook', status: 'ready' }, { edition: 1 }).lean();
  return {
    knowledge,
    edition: row?.edition ?? '',
    close: async () => {
      await knowledge.close();
      await remove();
    },
  };
}

/** Stores a private copy of a document, which only questions about this file find. */
async function putOwn(
  models: KnowledgeModels,
  { name, title, language, text }: CorpusDocument,
): Promise<void> {
  const own = { _id: ownId(name), owner, title, language, text };
  await models.documents.create({
    ...own,
    source: 'upload',
    type: 'markdown',
    status: 'ready',
    createdAt: new Date(),
  });
  await createKnowledgeIndex(models).put(own);
}
