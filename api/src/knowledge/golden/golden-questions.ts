import { parse } from 'csv-parse/sync';
import { Types } from 'mongoose';
import type { PairModel } from '../../answers/pairs/pair.ts';
import { analyseQuestion } from '../../answers/retrieve/analyse-question.ts';
import { questionKey } from '../../answers/retrieve/question-key.ts';
import {
  type GoldenImportReply,
  type GoldenList,
  type GoldenQuestion,
  GoldenRequest,
  maxGoldenQuestions,
  type RatedQuestions,
} from '../../contract/golden.ts';
import { ApiError, invalidRequest, notFound } from '../../errors/errors.ts';
import { delimiterOf } from '../../files/extraction/delimiter-of.ts';
import { maskWithin } from '../../records/pdf/mask-contact.ts';
import type { Search } from '../../records/search/search.ts';
import { databaseDate } from '../../store/database-clock.ts';
import { isDuplicateKey } from '../../store/store-failure.ts';
import { type GoldenDocument, type GoldenModels, ofAll } from './golden-model.ts';
import { type GoldenRuns, toGoldenResult } from './golden-runs.ts';

/** Maximum number of rated questions that are offered. */
const maxRated = 20;
/** Marks a question in a table that must not be answered. */
const refused = '-';

export type GoldenQuestions = ReturnType<typeof createGoldenQuestions>;

/** The golden questions of the desk, which editors write, import, or take from the inbox and from answers rated as helpful. */
export function createGoldenQuestions(deps: {
  models: GoldenModels & { pairs: PairModel };
  runs: GoldenRuns;
  search: Pick<Search, 'page'>;
}) {
  const { models, runs, search } = deps;
  const { goldenQuestions, pairs } = models;

  /** @throws golden_exists */
  async function unique<T>(write: () => Promise<T>): Promise<T> {
    try {
      return await write();
    } catch (cause) {
      throw isDuplicateKey(cause) ? new ApiError('golden_exists') : cause;
    }
  }

  async function insert(request: GoldenRequest): Promise<GoldenDocument> {
    if ((await goldenQuestions.countDocuments()) >= maxGoldenQuestions)
      throw new ApiError('too_many_golden', { count: maxGoldenQuestions });
    const golden: GoldenDocument = {
      _id: new Types.ObjectId().toHexString(),
      ...fieldsOf(request),
      result: null,
      before: null,
      createdAt: databaseDate(),
    };
    await unique(() => goldenQuestions.create(golden));
    return golden;
  }

  async function putRow(request: GoldenRequest): Promise<'added' | 'changed' | null> {
    const { key, ...fields } = fieldsOf(request);
    const { matchedCount } = await goldenQuestions.updateOne({ key }, { $set: { ...fields, ...unasked } });
    if (matchedCount > 0) return 'changed';
    try {
      await insert(request);
      return 'added';
    } catch (cause) {
      if (cause instanceof ApiError) return null;
      throw cause;
    }
  }

  return {
    async list(): Promise<GoldenList> {
      const found = await goldenQuestions
        .find()
        .sort({ createdAt: -1, _id: -1 })
        .limit(maxGoldenQuestions)
        .lean();
      const { ranAt, isRunning } = await runs.state();
      return {
        golden: found.map(toGoldenQuestion),
        ranAt,
        isRunning: found.length > 0 && (isRunning || found.some(({ result }) => result === null)),
      };
    },

    /** @throws golden_exists, too_many_golden */
    async add(request: GoldenRequest): Promise<GoldenQuestion> {
      const golden = await insert(request);
      await runs.askNew();
      return toGoldenQuestion(golden);
    },

    /** @throws notFound('question'), golden_exists */
    async change(id: string, request: GoldenRequest): Promise<GoldenQuestion> {
      const change = { $set: { ...fieldsOf(request), ...unasked } };
      const changed = await unique(() =>
        goldenQuestions.findOneAndUpdate({ _id: id }, change, { returnDocument: 'after' }).lean(),
      );
      if (!changed) throw notFound('question');
      await runs.askNew();
      return toGoldenQuestion(changed);
    },

    /** @throws notFound('question') */
    async remove(id: string): Promise<void> {
      const { deletedCount } = await goldenQuestions.deleteOne({ _id: id });
      if (deletedCount === 0) throw notFound('question');
    },

    /** A document that is expected has a new title. */
    async retitle(before: string, after: string): Promise<void> {
      await goldenQuestions.updateMany({ 'expected.cites': before }, { $set: { 'expected.cites': after } });
    },

    /** @throws invalidRequest('csv') */
    async import(csv: string): Promise<GoldenImportReply> {
      const rows = rowsOf(csv);
      const hasHead = rows[0]?.[1]?.toLowerCase() === 'cites';
      const reply: GoldenImportReply = { added: 0, changed: 0, refused: [] };
      for (const [at, [question = '', cites = '', contains = '']] of rows.entries()) {
        if (at === 0 && hasHead) continue;
        const expected =
          cites === refused ? { outcome: 'refused' } : { outcome: 'answered', cites, contains };
        const row = GoldenRequest.safeParse({ question, expected });
        const done = row.success ? await putRow(row.data) : null;
        if (done) reply[done] += 1;
        else reply.refused.push(at + 1);
      }
      if (reply.added + reply.changed > 0) await runs.askNew();
      return reply;
    },

    /** Questions of `owner` that are no golden questions yet, with what answered them. */
    async rated(owner: string): Promise<RatedQuestions> {
      const { records } = await search.page(
        owner,
        { feedback: 'up' },
        { limit: maxRated, cursor: undefined },
      );
      const rated = new Map<string, RatedQuestions['rated'][number]>();
      for (const { question, contact, citations, source, files } of records) {
        if (source === 'none' || files.length > 0) continue;
        const text = maskWithin(question, contact ? [contact] : []);
        const key = questionKey(text);
        if (rated.has(key) || (await goldenQuestions.exists({ key }))) continue;
        const pair =
          source === 'curated' ? await pairs.findOne({ keys: questionKey(question), ...ofAll }).lean() : null;
        const cites = pair?.question ?? citations.find(({ isPrivate }) => !isPrivate)?.title ?? '';
        rated.set(key, { question: text, expected: { outcome: 'answered', cites, contains: '' } });
      }
      return { rated: [...rated.values()] };
    },
  };
}

/** The fields of a golden question that has not been asked yet. */
const unasked = { result: null, before: null } as const;

function fieldsOf({ question, expected }: GoldenRequest) {
  const { outcome, cites = '', contains = '' } = expected;
  return {
    key: questionKey(question),
    question,
    language: analyseQuestion(question, 'zh').language,
    expected: outcome === 'refused' ? { outcome, cites: '', contains: '' } : { outcome, cites, contains },
    revision: new Types.ObjectId().toHexString(),
  };
}

function rowsOf(csv: string): string[][] {
  const delimiter = delimiterOf(csv.slice(0, 64 * 1024), true) ?? ',';
  const options = { delimiter, relax_column_count: true, relax_quotes: true, skip_empty_lines: true };
  try {
    return parse(csv, { ...options, trim: true, bom: true });
  } catch {
    throw invalidRequest('csv');
  }
}

function toGoldenQuestion({ _id, question, expected, result, before }: GoldenDocument): GoldenQuestion {
  const { outcome, cites, contains } = expected;
  return {
    id: _id,
    question,
    expected: { outcome, cites, contains },
    result: result && toGoldenResult(result),
    before: before && toGoldenResult(before),
  };
}
