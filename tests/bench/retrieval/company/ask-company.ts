import type { Answerer, Question, Turn } from '../../../../api/src/answers/answerer.ts';
import { createAnswerer } from '../../../../api/src/answers/create-answerer.ts';
import { indexHandbook } from '../../../../api/src/answers/handbook/index-handbook.ts';
import { outcomeOf } from '../../../../api/src/answers/judgement.ts';
import { openAnswers } from '../../../../api/src/answers/open-answers.ts';
import type { Stage } from '../../../../api/src/answers/retrieve/find-candidates.ts';
import { readConfig } from '../../../../api/src/config/config.ts';
import type { Citation } from '../../../../api/src/contract/answers.ts';
import { createLog } from '../../../../api/src/http/create-log.ts';
import { openStore } from '../../../../api/src/store/open-store.ts';
import { foldQuote, hasQuote } from '../fold-quote.ts';
import { passageIdOf } from '../open-knowledge.ts';
import type { CompanyResult } from './company-result.ts';
import { lossOf } from './losses.ts';
import type { CompanyDocument, CompanyQuestion } from './read-company.ts';

const OWNER = 'guest:bench-of-company';

export interface AskedCompany {
  /** The complete pipeline first, then without each stage. */
  rounds: { without: Stage | null; results: CompanyResult[] }[];
  passages: number;
  indexSeconds: number;
  /** CPU time per question of the complete pipeline, in ms. */
  cpu: number;
}

/** Indexes the documents in a new store and asks every question in its conversation. */
export async function askCompany({
  dataDir,
  documents,
  questions,
  embeddings: baseUrl,
  rerank,
  without = [],
}: {
  dataDir: string;
  documents: readonly CompanyDocument[];
  questions: readonly CompanyQuestion[];
  /** Base URL of an embeddings endpoint; without it passages are found only by words. */
  embeddings?: string | undefined;
  /** Base URL of a rerank endpoint. */
  rerank?: string;
  /** Stages of retrieval without which all questions are asked again. */
  without?: readonly Stage[];
}): Promise<AskedCompany> {
  const store = await openStore({ mongodbUri: null, dataDir });
  const meaning = baseUrl
    ? {
        EMBEDDINGS_BASE_URL: baseUrl,
        EMBEDDINGS_MODEL: process.env.EMBEDDINGS_MODEL ?? 'multilingual-e5-small',
        EMBEDDINGS_TIMEOUT_MS: '5000',
      }
    : {};
  const {
    answerer: whole,
    index,
    models,
    embeddings,
  } = await openAnswers(
    store.connection,
    readConfig({
      DATA_DIR: dataDir,
      ...meaning,
      ...(rerank ? { RERANK_BASE_URL: rerank, RERANK_MODEL: 'm', RERANK_TIMEOUT_MS: '5000' } : {}),
    }),
    createLog('fatal'),
  );
  try {
    const begun = performance.now();
    for (const { name, title, language, text, isPrivate } of documents) {
      const owner = isPrivate ? OWNER : '';
      await models.documents.create({
        _id: name,
        owner,
        source: 'upload',
        type: 'text',
        status: 'ready',
        createdAt: new Date(),
        title,
        language,
        text,
      });
      await index.put({ _id: name, owner, title, language, text });
    }
    const indexSeconds = (performance.now() - begun) / 1000;
    await embeddings.finish();
    const all = await models.passages.find({}, { text: 1, tableHead: 1, documentId: 1 }).lean();
    const folded = all.map(({ _id, text, documentId }) => ({ id: _id, documentId, text: foldQuote(text) }));

    const handbook = await indexHandbook(models);
    const ask = async (answerer: Answerer, question: Question) => {
      const start = performance.now();
      let [text, firstMs] = ['', Number.NaN];
      for await (const piece of answerer.answer(question, new AbortController().signal)) {
        if (Number.isNaN(firstMs)) firstMs = performance.now() - start;
        if (piece.kind === 'text') text += piece.text;
        if (piece.kind === 'final') return { ...piece, text, firstMs };
      }
      throw new Error(`an answer must end with a final piece, got none for ${question.text}`);
    };
    const standsTrue = async ({ href, quote, start, end }: Citation) => {
      const passage = await models.passages.findById(passageIdOf(href)).lean();
      const document = passage && (await models.documents.findById(passage.documentId).lean());
      return quote !== '' && document?.text.slice(start, end) === quote;
    };

    const askOne = async (answerer: Answerer, question: CompanyQuestion) => {
      const documentId =
        question.document && `${question.documentLanguage ?? question.language}/${question.document}`;
      const files =
        question.private && documentId
          ? [{ name: question.document!, kind: 'text' as const, documentId, readImage: null }]
          : [];
      const history: Turn[] = [];
      const turn = (text: string): Question => ({
        text,
        language: question.language,
        owner: question.private ? OWNER : 'guest:somebody',
        history: [...history],
        ...(files.length > 0 && (history.length === 0 ? { files } : { earlierDocumentIds: [documentId!] })),
      });
      for (const before of question.before ?? []) {
        const { text } = await ask(answerer, turn(before));
        history.push({ question: before, answer: text, ...(files.length > 0 ? { fileIds: ['file'] } : {}) });
      }
      const { text, citations, why, firstMs, ...judged } = await ask(answerer, turn(question.question));
      // CSV files become Markdown tables.
      const isCsv = question.document?.endsWith('.csv') ?? false;
      const bare = (words: string) => (isCsv ? words.replace(/[",]/g, '') : words);
      const holds = (folded: string, some: readonly string[]) => hasQuote(bare(folded), some.map(bare));
      const quotes = question.quotes ?? [];
      const answering = new Set(
        folded.filter((one) => one.documentId === documentId && holds(one.text, quotes)).map(({ id }) => id),
      );
      const said = foldQuote(text.replace(/\[\d+\]/g, ''));
      const facts = (question.fact ?? quotes).map((fact) => fact.toLowerCase());
      const rests = citations.map(
        ({ restOfRow = '', restOfSection = '' }) => `${restOfRow}\n${restOfSection}`,
      );
      const result: CompanyResult = {
        question,
        rank: (why?.ranked ?? []).findIndex(({ href }) => answering.has(passageIdOf(href))) + 1,
        outcome: outcomeOf(judged),
        rewritten: why?.rewritten ?? null,
        text,
        saysIt: holds(said, quotes),
        hasFact: hasQuote(said.toLowerCase(), facts),
        isFolded: hasQuote(foldQuote(rests.join('\n')).toLowerCase(), facts),
        loss: null,
        isTrue: (await Promise.all(citations.map(standsTrue))).every(Boolean),
        firstMs,
        ranked: (why?.ranked ?? []).slice(0, 5).map(({ title, place, score }) => ({ title, place, score })),
      };
      const scope = question.private
        ? { owner: OWNER, edition: handbook.edition, documentIds: [documentId!] }
        : { owner: '', edition: handbook.edition };
      const cited = citations.map(({ href }) => passageIdOf(href));
      const findLoss = () => lossOf({ models, embeddings }, { result, answering, cited, scope });
      return { result, findLoss };
    };

    const rounds: AskedCompany['rounds'] = [];
    let cpu = 0;
    for (const stage of [null, ...without]) {
      const answerer = stage
        ? createAnswerer({ models, handbook, embeddings, without: new Set([stage]) })
        : whole;
      const before = process.cpuUsage();
      const asked: Awaited<ReturnType<typeof askOne>>[] = [];
      for (const question of questions) asked.push(await askOne(answerer, question));
      const { user, system } = process.cpuUsage(before);
      const results = asked.map(({ result }) => result);
      rounds.push({ without: stage, results });
      if (stage !== null) continue;
      cpu = (user + system) / 1000 / questions.length;
      for (const { result, findLoss } of asked)
        if (result.question.document !== null && !result.hasFact) result.loss = await findLoss();
    }
    return { rounds, passages: all.length, indexSeconds, cpu };
  } finally {
    await embeddings.stop();
    await store.close();
  }
}
