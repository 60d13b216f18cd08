import type { Logger } from 'pino';
import { collectionOwner } from '../answers/index/document.ts';
import type { Answers } from '../answers/open-answers.ts';
import {
  type Collections,
  editableOwner,
  type KnowledgeAccess,
  type QuestionAccess,
} from '../collections/collections.ts';
import type { Config } from '../config/config.ts';
import type { KnowledgeChange, KnowledgeSummary, TrialQuestion } from '../contract/knowledge.ts';
import type { Language } from '../contract/language.ts';
import type { OpenFiles } from '../files/open-files.ts';
import type { Search } from '../records/search/search.ts';
import type { Jobs } from '../store/jobs/jobs.ts';
import { checkChange, needDraft } from './check-change.ts';
import { createDocuments } from './documents.ts';
import type { GoldenModels } from './golden/golden-model.ts';
import { createGoldenQuestions } from './golden/golden-questions.ts';
import { createGoldenRuns } from './golden/golden-runs.ts';
import type { Inbox } from './inbox.ts';
import { createIndexing } from './indexing.ts';
import { importKnowledge, writeKnowledge } from './knowledge-archive.ts';
import type { Pairs } from './pairs.ts';
import type { SynonymList } from './synonym-list.ts';
import { tryQuestion } from './try-question.ts';

/** Maximum number of unanswered questions that a change is tried with. */
const maxUnanswered = 50;

export type Knowledge = ReturnType<typeof openKnowledge>;

export function openKnowledge(deps: {
  config: Pick<Config, 'requireSignIn' | 'embeddings'>;
  answers: Answers;
  files: Pick<OpenFiles, 'blobs' | 'extractor' | 'upload'>;
  collections: Collections;
  goldenModels: GoldenModels;
  synonyms: SynonymList;
  pairs: Pairs;
  inbox: Inbox;
  jobs: Jobs;
  log: Logger;
  /** Records of editors, from which they take golden questions. */
  search: Pick<Search, 'page'>;
  /** Settings that answers depend on, as text, and the same of the configuration. */
  settings(): string;
  configuration: string;
}) {
  const { config, answers, files, collections, synonyms, pairs, inbox, jobs, log } = deps;
  const { models, index, withOverlay } = answers;
  const { blobs, extractor } = files;
  const { accessOf, questionsOf, readableBy } = collections;
  const embeddings = config.embeddings && answers.embeddings;
  const { folder } = files.upload;
  const indexing = createIndexing({ models, blobs, extractor, index, jobs, log, folder });
  jobs.define({
    kind: 'ask again',
    run: (_, signal) =>
      inbox.runAgain(async (text, language, audience) => {
        const readable = [...(await readableBy('')), ...audience.map(collectionOwner)];
        const tried = await tryQuestion(withOverlay({}), text, language, undefined, readable);
        return tried.outcome === 'answered';
      }, signal),
  });
  const documents = createDocuments({ models, blobs, indexing, index });
  const withGolden = { ...models, ...deps.goldenModels };
  const { progress: embedded } = answers.embeddings;
  const goldenRuns = createGoldenRuns({ ...deps, models: withGolden, withOverlay, embedded });
  return {
    golden: createGoldenQuestions({ models: withGolden, runs: goldenRuns, search: deps.search }),
    goldenRuns,
    synonyms,
    documents,
    pairs,
    inbox,
    accessOf,
    questionsOf,
    async summary(isEditor: boolean, access: KnowledgeAccess, questions: QuestionAccess) {
      const [counts, pairCount, unanswered, embedded] = await Promise.all([
        documents.count(access),
        pairs.count(access),
        access.editable.length > 0 ? inbox.count(questions) : null,
        embeddings?.progress() ?? null,
      ]);
      const all = { ...counts, pairs: pairCount, unanswered, ...(embedded ? { embedded } : {}) };
      return { isEditor, guestsAsk: !config.requireSignIn, ...all } satisfies KnowledgeSummary;
    },
    /** @throws notFound, forbidden, pair_exists */
    check(change: KnowledgeChange, access: KnowledgeAccess, questions: QuestionAccess) {
      const unansweredQuestions = () => inbox.mostFrequent(maxUnanswered, questions);
      return checkChange({ models, withOverlay, goldenRuns, unansweredQuestions }, change, access);
    },
    /** Asks the questions for which nothing was found again, in the background. Returns their number. */
    async askAgain(questions: QuestionAccess): Promise<number> {
      const count = await inbox.askAgain(questions);
      await jobs.add('ask again');
      return count;
    },
    /** Nobody is answered from more than `access` allows. @throws notFound('document') for an unknown draft. */
    async try({ text, draftId: draft, as }: TrialQuestion, language: Language, access: KnowledgeAccess) {
      if (draft !== undefined) await needDraft(models.documents, draft, access);
      const own = access.readable.filter((owner) => owner !== '');
      const theirs = as && (await readableBy(as === 'guest' ? '' : `group:${as}`));
      const readable = theirs ? own.filter((owner) => theirs.includes(owner)) : own;
      const answerer = withOverlay(draft === undefined ? {} : { draft });
      return tryQuestion(answerer, text, language, undefined, readable);
    },
    /** A KnowledgeArchive of a collection as a stream. @throws forbidden if it may not be changed */
    export: (collection: string, access: KnowledgeAccess): AsyncIterable<string> =>
      writeKnowledge(models, editableOwner(access, collection)),
    /** @throws forbidden if the collection may not be changed */
    import: (archive: AsyncIterable<Uint8Array>, collection: string, access: KnowledgeAccess) =>
      importKnowledge({ models, blobs, indexing }, archive, editableOwner(access, collection)),
    indexing,
  };
}
