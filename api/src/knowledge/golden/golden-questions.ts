import { parse } from 'csv-parse/sync';
import { Types } from 'mongoose';
import { collectionOf } from '../../answers/index/document.ts';
import type { PairModel } from '../../answers/pairs/pair.ts';
import { analyseQuestion } from '../../answers/retrieve/analyse-question.ts';
import { questionKey } from '../../answers/retrieve/question-key.ts';
import { editableOwner, type KnowledgeAccess, ownerOf } from '../../collections/collections.ts';
import { firstCollection } from '../../contract/collections.ts';
import {
  type GoldenImport,
  type GoldenImportReply,
  type GoldenList,
  GoldenQuestion,
  GoldenRequest,
  maxGoldenQuestions,
  type NewGolden,
  type RatedQuestions,
} from '../../contract/golden.ts';
import { ApiError, invalidRequest, notFound } from '../../errors/errors.ts';
import { delimiterOf } from '../../files/extraction/delimiter-of.ts';
import { maskWithin } from '../../records/pdf/mask-contact.ts';
import type { Search } from '../../records/search/search.ts';
import { databaseDate } from '../../store/database-clock.ts';
import { describeAs } from '../../store/describe-as.ts';
import { orConflict } from '../../store/store-failure.ts';
import { type GoldenDocument, type GoldenModels, ownedBy, pairsFor } from './golden-model.ts';
import type { GoldenRuns } from './golden-runs.ts';

/** Maximum number of rated questions that are offered. */
const maxRated = 20;
/** Marks a question in a table that must not be answered. */
const refused = '-';

/** The golden questions of the desk, which editors write, import, or take from the inbox and from answers rated as helpful. */
export function createGoldenQuestions(deps: {
  models: GoldenModels & { pairs: PairModel };
  runs: GoldenRuns;
  search: Pick<Search, 'page'>;
}) {
  const { models, runs, search } = deps;
  const { goldenQuestions, pairs } = models;

  async function insert(request: GoldenRequest, owner: GoldenDocument['owner']): Promise<GoldenDocument> {
    if ((await goldenQuestions.countDocuments()) >= maxGoldenQuestions)
      throw new ApiError('too_many_golden', { count: maxGoldenQuestions });
    const _id = new Types.ObjectId().toHexString();
    const golden = { _id, owner, ...fieldsOf(request, owner), ...unasked, createdAt: databaseDate() };
    await orConflict(() => goldenQuestions.create(golden), 'golden_exists');
    return golden;
  }

  async function putRow(request: GoldenRequest, owner: GoldenDocument['owner']) {
    const { key, ...fields } = fieldsOf(request, owner);
    const { matchedCount } = await goldenQuestions.updateOne({ key }, { $set: { ...fields, ...unasked } });
    if (matchedCount > 0) return 'changed';
    try {
      await insert(request, owner);
      return 'added';
    } catch (cause) {
      if (cause instanceof ApiError) return null;
      throw cause;
    }
  }

  return {
    async list({ editable }: KnowledgeAccess): Promise<GoldenList> {
      const found = await goldenQuestions
        .find(ownedBy(editable))
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

    /** @throws forbidden for a collection that may not be changed, golden_exists, too_many_golden */
    async add({ collectionId = firstCollection, ...request }: NewGolden, access: KnowledgeAccess) {
      const golden = await insert(request, editableOwner(access, collectionId));
      await runs.askNew();
      return toGoldenQuestion(golden);
    },

    /** @throws notFound('question'), golden_exists */
    async change(id: string, request: GoldenRequest, { editable }: KnowledgeAccess): Promise<GoldenQuestion> {
      const own = { _id: id, ...ownedBy(editable) };
      const before = await goldenQuestions.findOne(own, { owner: 1 }).lean();
      const change = { $set: { ...fieldsOf(request, before?.owner ?? ''), ...unasked } };
      const write = () => goldenQuestions.findOneAndUpdate(own, change, { returnDocument: 'after' }).lean();
      const changed = await orConflict(write, 'golden_exists');
      if (!changed) throw notFound('question');
      await runs.askNew();
      return toGoldenQuestion(changed);
    },

    /** @throws notFound('question') */
    async remove(id: string, { editable }: KnowledgeAccess): Promise<void> {
      const { deletedCount } = await goldenQuestions.deleteOne({ _id: id, ...ownedBy(editable) });
      if (deletedCount === 0) throw notFound('question');
    },

    /** Deletes the golden questions of a deleted collection. */
    async forget(collectionId: string): Promise<void> {
      await goldenQuestions.deleteMany({ owner: ownerOf(collectionId) });
    },

    /** A document that is expected has a new title. That of the first collection may be expected in each. */
    async retitle(collectionId: string | undefined, before: string, after: string): Promise<void> {
      const within = collectionId === undefined ? {} : { owner: ownerOf(collectionId) };
      const expecting = { ...within, 'expected.cites': before };
      await goldenQuestions.updateMany(expecting, { $set: { 'expected.cites': after } });
    },

    /** A document has left the collection of `owner`, whose editors may not read it now. Questions that are being asked are asked again. */
    async withdraw(title: string, owner: GoldenDocument['owner']): Promise<void> {
      const within = owner === '' ? {} : { owner };
      await goldenQuestions.updateMany(within, { $set: { revision: new Types.ObjectId().toHexString() } });
      for (const cited of ['result.cited', 'before.cited'])
        await goldenQuestions.updateMany({ ...within, [cited]: title }, { $pull: { [cited]: title } });
    },

    /** @throws forbidden for a collection that may not be changed, invalidRequest('csv') */
    async import({ csv, collectionId = firstCollection }: GoldenImport, access: KnowledgeAccess) {
      const owner = editableOwner(access, collectionId);
      const rows = rowsOf(csv);
      const hasHead = rows[0]?.[1]?.toLowerCase() === 'cites';
      const reply: GoldenImportReply = { added: 0, changed: 0, refused: [] };
      for (const [at, [question = '', cites = '', contains = '']] of rows.entries()) {
        if (at === 0 && hasHead) continue;
        const expected =
          cites === refused ? { outcome: 'refused' } : { outcome: 'answered', cites, contains };
        const row = GoldenRequest.safeParse({ question, expected });
        const done = row.success ? await putRow(row.data, owner) : null;
        if (done) reply[done] += 1;
        else reply.refused.push(at + 1);
      }
      if (reply.added + reply.changed > 0) await runs.askNew();
      return reply;
    },

    /** Questions of `owner` that are no golden questions yet, with the sources of their answers. */
    async rated(owner: string): Promise<RatedQuestions> {
      const { records } = await search.page(owner, { feedback: 'up' }, { limit: maxRated });
      const rated = new Map<string, RatedQuestions['rated'][number]>();
      for (const { question, contact, citations, source, files } of records) {
        if (source === 'none' || files.length > 0) continue;
        const text = maskWithin(question, contact ? [contact] : []);
        const key = questionKey(text);
        if (rated.has(key) || (await goldenQuestions.exists({ key }))) continue;
        const ofPair = { keys: questionKey(question), ...pairsFor() };
        const pair = source === 'curated' ? await pairs.findOne(ofPair).lean() : null;
        const cites = pair?.question ?? citations.find(({ isPrivate }) => !isPrivate)?.title ?? '';
        rated.set(key, { question: text, expected: { outcome: 'answered', cites, contains: '' } });
      }
      return { rated: [...rated.values()] };
    },
  };
}

/** The fields of a golden question that has not been asked yet. */
const unasked = { result: null, before: null } as const;

function fieldsOf({ question, expected }: GoldenRequest, owner: GoldenDocument['owner']) {
  const { outcome, cites = '', contains = '' } = expected;
  return {
    key: owner ? `${owner}\n${questionKey(question)}` : questionKey(question),
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

function toGoldenQuestion(golden: GoldenDocument): GoldenQuestion {
  return describeAs(GoldenQuestion, { ...golden, collectionId: collectionOf(golden.owner ?? '') });
}
