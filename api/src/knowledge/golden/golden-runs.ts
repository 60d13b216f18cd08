import { countingId } from '../../answers/index/shared-counts.ts';
import type { KnowledgeModels } from '../../answers/knowledge-models.ts';
import type { KnowledgeOverlay } from '../../answers/pairs/match-pair.ts';
import { questionKey } from '../../answers/retrieve/question-key.ts';
import type { KnowledgeAccess } from '../../collections/collections.ts';
import type { ChangedGolden, GoldenResult, TriedQuestion } from '../../contract/knowledge.ts';
import type { Language } from '../../contract/language.ts';
import { databaseDate, databaseNow } from '../../store/database-clock.ts';
import type { Jobs } from '../../store/jobs/jobs.ts';
import { unlessDuplicate } from '../../store/store-failure.ts';
import { fold } from '../../text/fold.ts';
import { compareAnswers, tryQuestion, type WithOverlay } from '../try-question.ts';
import { type GoldenDocument, type GoldenModels, ownedBy, pairsFor } from './golden-model.ts';

const kind = 'run golden questions';
/** Time without a change before a run, in ms. */
const quietMs = 5000;
/** Interval of checks whether documents are still being indexed, and the maximum time to wait for that, in ms. */
const busyEveryMs = 3000;
const maxBusyMs = 120_000;
/** Maximum time for one question, in ms. */
const questionMs = 30_000;
const maxCited = 3;

export type GoldenRuns = ReturnType<typeof createGoldenRuns>;
type AskedResult = Pick<GoldenResult, 'outcome' | 'cited'>;

/** The collections besides the first one that a question is answered from. */
const readableOf = ({ owner }: Pick<GoldenDocument, 'owner'>) => (owner ? [owner] : []);

/** Whether outcome and first citation are the same. */
const isSameResult = (before: AskedResult, after: AskedResult) =>
  before.outcome === after.outcome && before.cited[0] === after.cited[0];

type Knowledge = Pick<KnowledgeModels, 'documents' | 'pairs' | 'termCounts'>;

/**
 * Asks all golden questions again when documents, pairs or settings that answers depend on have changed: one run at a time, as a job
 * of one process. Each question keeps its result of the previous run. New questions are asked without another run.
 */
export function createGoldenRuns(deps: {
  models: GoldenModels & Knowledge;
  withOverlay: WithOverlay;
  jobs: Jobs;
  /** Settings that answers depend on besides documents and pairs, as text. */
  settings(): string;
  /** Settings of this process's configuration that answers depend on: compared only at a start, since processes may differ. */
  configuration: string;
  /** Progress of embedding passages. */
  embedded(): Promise<{ done: number; total: number }>;
}) {
  const { models, withOverlay, jobs, settings, configuration, embedded } = deps;
  const { goldenQuestions, goldenRuns, documents, pairs, termCounts } = models;

  const latest = () => goldenRuns.findById('latest').lean();

  /** Differs after every change of documents, pairs or settings. */
  async function basis(): Promise<string> {
    const ofEditors = { source: { $ne: 'handbook' } } as const;
    const [counts, pair, pairCount] = await Promise.all([
      termCounts.findById(countingId, { version: 1 }).lean(),
      pairs.findOne(ofEditors, { updatedAt: 1 }).sort({ updatedAt: -1 }).lean(),
      pairs.estimatedDocumentCount(),
    ]);
    return JSON.stringify([counts?.version ?? 0, pair?.updatedAt ?? null, pairCount, settings()]);
  }

  async function request(delayMs: number): Promise<void> {
    const $set = { requestedAt: databaseDate() };
    const idle = { _id: 'latest', requestedAt: null } as const;
    await unlessDuplicate(goldenRuns.updateOne(idle, { $set }, { upsert: true }));
    await jobs.add(kind, { delayMs });
  }

  async function isBusy(): Promise<boolean> {
    const asked = await goldenQuestions.find({}, { owner: 1 }).lean();
    const owners = [...new Set(asked.map(({ owner }) => owner ?? ''))];
    if (await documents.exists({ owner: { $in: owners }, source: 'upload', status: 'indexing' })) return true;
    const { done, total } = await embedded();
    return done < total;
  }

  async function run(signal: AbortSignal): Promise<number | undefined> {
    const before = await latest();
    if (!before || before.requestedAt) {
      const waitedMs = before?.requestedAt ? databaseNow() - before.requestedAt.getTime() : 0;
      if (waitedMs < maxBusyMs && (await isBusy())) {
        if (!before) await request(busyEveryMs);
        return busyEveryMs;
      }
      const started = { startedAt: databaseDate(), endedAt: null, requestedAt: null };
      const $set = { ...started, basis: await basis(), configuration };
      await goldenRuns.updateOne({ _id: 'latest' }, { $set, $inc: { number: 1 } }, { upsert: true });
    }
    const { number = 0 } = (await latest()) ?? {};
    const answerer = withOverlay({});
    for (;;) {
      signal.throwIfAborted();
      const next = await goldenQuestions.findOne({ 'result.run': { $ne: number } }).lean();
      if (!next) break;
      const end = AbortSignal.any([signal, AbortSignal.timeout(questionMs)]);
      const tried = await tryQuestion(answerer, next.question, next.language, end, readableOf(next));
      const result = { ...(await judgeGolden(pairs, tried, next)), run: number };
      const same = { _id: next._id, revision: next.revision };
      await goldenQuestions.updateOne(same, { $set: { result, before: next.result } });
    }
    await goldenRuns.updateOne({ _id: 'latest', number }, { $set: { endedAt: databaseDate() } });
    return undefined;
  }

  async function state(): Promise<{ ranAt: string | null; isRunning: boolean }> {
    const run = await latest();
    if (!run) return { ranAt: null, isRunning: false };
    const isRunning = run.requestedAt !== null || run.endedAt === null;
    return { ranAt: run.startedAt?.toISOString() ?? null, isRunning };
  }

  jobs.define({ kind, run: (_, signal) => run(signal) });

  return {
    /** Asks all of them again now. */
    request: () => request(0),

    /** Asks the questions that have no result. */
    askNew: () => jobs.add(kind),

    /** Requests a run if something has changed since the latest one. `isStart` also compares the configuration. */
    async notice(isStart = false): Promise<void> {
      if (!(await goldenQuestions.exists({}))) return;
      const [now, run] = [await basis(), await latest()];
      if (run?.requestedAt) await jobs.ensure(kind);
      else if (run?.basis !== now || (isStart && run.configuration !== configuration)) await request(quietMs);
    },

    /** Golden questions, of collections that the editor may change, whose result a change of the knowledge base would alter; worse results first. Stops asking when `end` aborts. */
    async preview(overlay: KnowledgeOverlay, end: AbortSignal, { editable }: KnowledgeAccess) {
      const { isRunning } = await state();
      const found = await goldenQuestions.find(ownedBy(editable)).sort({ createdAt: -1 }).lean();
      const { checked, changed, isPartial } = await compareAnswers(
        found.map((one) => ({ ...one, readable: readableOf(one) })),
        { withOverlay, overlay, end },
        (one, tried, change) => judgeGolden(pairs, tried, one, change),
        (before, after) => isSameResult(before, after) && before.passes === after.passes,
        ({ result }) => (isRunning || !result ? null : toGoldenResult(result)),
      );
      const gain = ({ before, after }: ChangedGolden) => Number(after.passes) - Number(before.passes);
      const golden = changed.toSorted((one, other) => gain(one) - gain(other));
      return { golden, goldenChecked: checked, isPartial };
    },

    /** Like `preview`, for questions that are not golden questions. */
    async previewOthers(
      questions: readonly { question: string; language: Language }[],
      overlay: KnowledgeOverlay,
      end: AbortSignal,
    ) {
      const { changed } = await compareAnswers(
        questions.map((one) => ({ ...one, readable: [] })),
        { withOverlay, overlay, end },
        async (_, tried, change) => {
          const { outcome, cited } = await answeredBy(pairs, tried, change);
          return { outcome, cited };
        },
        isSameResult,
      );
      return changed;
    },

    state,
  };
}

/** Compares an answer with its expectations. `overlay` is the change of the knowledge base that it was given with. */
async function judgeGolden(
  pairs: Knowledge['pairs'],
  tried: TriedQuestion,
  { expected, owner }: Pick<GoldenDocument, 'expected' | 'owner'>,
  overlay: KnowledgeOverlay = {},
): Promise<GoldenResult> {
  const { outcome, cited, keys } = await answeredBy(pairs, tried, overlay, owner);
  const isAnswered = outcome === 'answered';
  const passes =
    expected.outcome === 'refused'
      ? !isAnswered
      : isAnswered &&
        (expected.cites === '' || keys.includes(questionKey(expected.cites))) &&
        bare(tried.answer).includes(bare(expected.contains));
  return { outcome, cited, passes };
}

/** The sources of an answer; `keys` are the `questionKey` of each title, or of each way to ask the pair. */
async function answeredBy(
  pairs: Knowledge['pairs'],
  { outcome, source, citations, why }: TriedQuestion,
  overlay: KnowledgeOverlay = {},
  owner?: GoldenDocument['owner'],
): Promise<AskedResult & { keys: string[] }> {
  let cited = [...new Set(citations.map(({ title }) => title))];
  let keys = cited.map(questionKey);
  if (source === 'curated' && why?.pair) {
    const key = questionKey(why.pair.question);
    const same = { keys: key, ...pairsFor(owner) };
    const changed = overlay.pair?.keys.includes(key) ? overlay.pair : null;
    const pair = changed ?? (await pairs.findOne(same).sort({ source: 1 }).lean());
    cited = [pair?.question ?? why.pair.question];
    keys = pair?.keys ?? [key];
  }
  return { outcome, cited: cited.slice(0, maxCited), keys };
}

function toGoldenResult({ outcome, cited, passes }: GoldenResult): GoldenResult {
  return { outcome, cited, passes };
}

/** The text without Markdown syntax. */
function bare(text: string): string {
  return fold(text).replace(/[\s*_`~\\]+/gu, '');
}
