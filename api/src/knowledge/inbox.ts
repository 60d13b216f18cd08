import { Types } from 'mongoose';
import type { PairModel } from '../answers/pairs/pair.ts';
import {
  type Collections,
  deletedCollection,
  ownerOf,
  type QuestionAccess,
} from '../collections/collections.ts';
import { firstCollection } from '../contract/collections.ts';
import {
  type KnowledgePair,
  type UnansweredAnswer,
  type UnansweredPage,
  UnansweredQuestion,
  type UnansweredReason,
} from '../contract/knowledge.ts';
import type { Language } from '../contract/language.ts';
import { ApiError, notFound } from '../errors/errors.ts';
import { changeRecord, unchangedSince } from '../records/change-record.ts';
import type { RecordDocument, RecordModel } from '../records/record.ts';
import type { RecordModels } from '../records/record-models.ts';
import { isUnanswered } from '../records/unanswered-mark.ts';
import { type PageRequest, readPage } from '../store/cursor.ts';
import { databaseDate, databaseNow } from '../store/database-clock.ts';
import { describeAs } from '../store/describe-as.ts';
import { within } from '../store/within.ts';
import { createInboxGroups, type InboxGroupStore, inGroup } from './inbox-groups.ts';
import { createPairs } from './pairs.ts';
import type { UnansweredGroup, UnansweredModel } from './unanswered.ts';

export type Inbox = OpenInbox['inbox'];

/** Time limit for sorting due records before a list is read, in ms. */
const sortWithinMs = 1000;
/** Time, in ms, that an answer waits for the askers' records; the rest continues in the background. */
const answerWithinMs = 3000;
/** Age in ms after which a group that is being answered but has no pair counts as left over by a crash. */
const abandonedAfterMs = 60_000;
const slice = 50;

/** The field of a group that counts its records of a reason. */
const countOf = { not_found: 'notFound', not_helpful: 'notHelpful' } as const;

const shown = { state: 'open' as const, count: { $gt: 0 } };

const byFrequency = { count: -1, lastAskedAt: -1, _id: -1 } as const;

export type OpenInbox = ReturnType<typeof openInbox>;

/**
 * The unanswered inbox: questions without a good answer. It never reveals who asked. Code that removes records uses
 * `groups` before removing them, and `inbox.forget` when it deletes an owner.
 * `key` is used for the inbox only, see `deriveKey`.
 */
export function openInbox(
  { records, unanswered }: Pick<RecordModels, 'records'> & { unanswered: UnansweredModel },
  pairModel: PairModel,
  key: Buffer,
  audienceOf: Collections['audienceOf'],
) {
  const groups = createInboxGroups(unanswered, records, key);
  const sorter = createInboxSorter(records, groups, audienceOf);
  const pairs = createPairs(pairModel);

  /** Answers every asker's record and removes it from the group; the empty group is deleted. */
  async function answerRecords(id: string, { text, ...given }: NonNullable<UnansweredGroup['answer']>) {
    for (;;) {
      const group = await unanswered.findOne({ _id: id, state: 'answering' }, { revision: 1 }).lean();
      if (!group) return;
      const some = await records.find(inGroup(id), { _id: 1 }).limit(slice).lean();
      if (some.length === 0) {
        const gone = await unanswered.deleteOne({ _id: id, state: 'answering', revision: group.revision });
        if (gone.deletedCount === 1) return;
        continue;
      }
      const answeredSince = { ...given, answer: text };
      // Only by id and group: the owner of a record may change meanwhile.
      for (const { _id } of some)
        await changeRecord(records, { _id, inbox: id, erasedBy: null }, () => ({ answeredSince }));
      await sorter.sort(sortWithinMs);
    }
  }

  async function claim(id: string, answer: NonNullable<UnansweredGroup['answer']>, { seen }: QuestionAccess) {
    const taken = { $set: { state: 'answering', answer }, $inc: { revision: 1 } } as const;
    const open = { ...shown, ...seen, _id: id };
    const claimed = await unanswered.findOneAndUpdate(open, taken, { returnDocument: 'after' }).lean();
    if (claimed) return claimed;
    throw await missing(id, seen);
  }

  /** Why an open question was not found. */
  async function missing(id: string, seen: QuestionAccess['seen']): Promise<ApiError> {
    const isTaken = await unanswered.exists({ ...seen, _id: id, state: 'answering' });
    return isTaken ? new ApiError('conflict') : notFound('question');
  }

  async function giveBack(id: string): Promise<void> {
    const opened = { $set: { state: 'open', answer: null, isDue: true }, $inc: { revision: 1 } } as const;
    await unanswered.updateOne({ _id: id, state: 'answering' }, opened);
    await groups.recalculate([id]);
  }

  async function resumeGroup({ _id, answer }: UnansweredGroup): Promise<void> {
    if (answer && (await pairs.has(answer.pairId))) await answerRecords(_id, answer);
    else if (!answer || databaseNow() - Date.parse(answer.at) > abandonedAfterMs) await giveBack(_id);
  }

  const inbox = {
    /**
     * Most frequent first; with `reason` only groups with that reason, with `isAnswerable` only groups that have an answer now.
     * @throws invalidRequest('cursor')
     */
    async list(
      request: PageRequest,
      { seen, targets }: QuestionAccess,
      reason?: UnansweredReason,
      isAnswerable = false,
    ): Promise<UnansweredPage> {
      await sorter.sort(sortWithinMs);
      const open = {
        ...shown,
        ...seen,
        answerableAt: isAnswerable ? { $ne: null } : null,
        ...(reason && { [countOf[reason]]: { $gt: 0 } }),
      };
      const kind = isAnswerable ? 'answerable' : 'unanswered';
      const name = reason ? `${kind} ${reason}` : kind;
      const { page, nextCursor } = await readPage(unanswered, byFrequency, name, request, open, { keys: 0 });
      const [askingAgain, answerable] = await Promise.all([
        unanswered.countDocuments({ ...seen, asksAgain: true }),
        unanswered.countDocuments({ ...shown, ...seen, answerableAt: { $ne: null } }),
      ]);
      return {
        questions: page.map(({ audience = [], ...group }) => {
          const alike = group.ways.slice(1);
          return describeAs(UnansweredQuestion, { ...group, alike, collections: targets(audience) });
        }),
        total: await unanswered.countDocuments(open),
        nextCursor,
        ...(askingAgain > 0 ? { askingAgain } : {}),
        ...(answerable > 0 ? { answerable } : {}),
      };
    },

    /** The most frequent questions, except for questions that have an answer now. */
    async mostFrequent(limit: number, { seen }: QuestionAccess) {
      await sorter.sort(sortWithinMs);
      return unanswered
        .find({ ...shown, ...seen, answerableAt: null }, { question: 1, language: 1 })
        .sort(byFrequency)
        .limit(limit)
        .lean();
    },

    async count({ seen }: QuestionAccess): Promise<number> {
      await sorter.sort(sortWithinMs);
      return unanswered.countDocuments({ ...shown, ...seen, answerableAt: null });
    },

    /**
     * Creates a curated pair from a group and adds the answer to the records of all askers. The group is then
     * deleted.
     * @throws notFound('question') if it does not exist, forbidden for another collection than `UnansweredQuestion.collections`, conflict if it is being answered by another editor,
     * pair_exists if another pair has a variant.
     */
    async answer(
      id: string,
      { answer: text, variants, collectionId = firstCollection }: UnansweredAnswer,
      access: QuestionAccess,
    ): Promise<KnowledgePair> {
      await sorter.sort(sortWithinMs);
      const asked = await unanswered.findOne({ ...access.seen, _id: id }, { audience: 1 }).lean();
      if (!asked) throw notFound('question');
      if (!access.targets(asked.audience ?? []).includes(collectionId)) throw new ApiError('forbidden');
      const at = databaseDate().toISOString();
      const into = collectionId === firstCollection ? {} : { collectionId };
      const answer = { pairId: new Types.ObjectId().toHexString(), ...into, text, at };
      const { question } = await claim(id, answer, access);
      try {
        const ways = await groups.phrasings(id);
        const request = { question, variants, answer: text };
        const pair = await pairs.putFor(answer.pairId, request, ways, ownerOf(collectionId));
        const given = { ...answer, pairId: pair.id };
        await unanswered.updateOne({ _id: id, state: 'answering' }, { $set: { answer: given } });
        const answering = answerRecords(id, given).catch(() => undefined);
        await within(answerWithinMs, answering);
        return pair;
      } catch (cause) {
        await giveBack(id);
        throw cause;
      }
    },

    /** Hides it, and future questions that are the same. @throws notFound('question'), conflict */
    async dismiss(id: string, { seen }: QuestionAccess): Promise<void> {
      const hidden = { $set: { state: 'dismissed', isDue: true }, $inc: { revision: 1 } } as const;
      const dismissed = await unanswered.updateOne({ ...shown, ...seen, _id: id }, hidden);
      if (dismissed.matchedCount === 0) throw await missing(id, seen);
    },

    /** Marks all questions for which nothing was found to be asked again. Returns their number. */
    async askAgain({ seen }: QuestionAccess): Promise<number> {
      await sorter.sort(sortWithinMs);
      const missed = { ...shown, ...seen, notHelpful: 0, answerableAt: null, asksAgain: { $ne: true } };
      return (await unanswered.updateMany(missed, { $set: { asksAgain: true } })).modifiedCount;
    },

    /** Asks the marked questions; questions that `isAnswered` are hidden. */
    async runAgain(
      isAnswered: (question: string, language: Language, audience: readonly string[]) => Promise<boolean>,
      signal: AbortSignal,
    ): Promise<void> {
      while (!signal.aborted) {
        const fields = { question: 1, language: 1, audience: 1 } as const;
        const group = await unanswered.findOne({ asksAgain: true }, fields).lean();
        if (!group) return;
        const { _id, question, language, audience = [] } = group;
        const answerableAt =
          question !== '' && (await isAnswered(question, language, audience)) ? databaseDate() : null;
        await unanswered.updateOne({ _id }, { $set: { asksAgain: false, answerableAt } });
      }
    },

    /** Shows a hidden question again. @throws notFound('question') */
    async reopen(id: string, { seen }: QuestionAccess): Promise<void> {
      const hidden = { ...shown, ...seen, _id: id };
      const { matchedCount } = await unanswered.updateOne(hidden, { $set: { answerableAt: null } });
      if (matchedCount === 0) throw notFound('question');
    },

    /** Questions by readers of a collection that is being deleted are then shown only to people who may read everything. */
    async hideCollection(id: string): Promise<void> {
      await unanswered.updateMany({ audience: id }, { $addToSet: { audience: deletedCollection } });
    },

    /** Whether there is work for `resume`. */
    async isDue(): Promise<boolean> {
      const found = await Promise.all([
        records.exists({ inboxDue: true }),
        unanswered.exists({ $or: [{ state: 'answering' }, { isDue: true }] }),
      ]);
      return found.some((one) => one !== null);
    },

    /** Sorts due records, and continues sorting that a crash interrupted. */
    async resume(): Promise<void> {
      await sorter.sort(sortWithinMs);
      const left = await unanswered.find({ state: 'answering' }).limit(slice).lean();
      for (const group of left) await resumeGroup(group);
    },

    async forget(owner: string): Promise<void> {
      const there = await records.find({ owner, isInInbox: true }, { inbox: 1 }).lean();
      // Excluded from all counts immediately, also for a concurrent sort; the owner's records are deleted
      // afterwards.
      const gone = { $set: { erasedBy: new Types.ObjectId(), inboxDue: true } };
      await records.updateMany({ inboxDue: true, owner }, gone);
      await records.updateMany({ owner, isInInbox: true }, gone);
      await groups.recalculate(there.flatMap(({ inbox }) => inbox ?? []));
    },
  };
  return { inbox, groups, pairs };
}

/** Projection without the answer. */
const withoutAnswer = { answer: 0, citations: 0, reasoning: 0 } as const;
type Due = Omit<RecordDocument, keyof typeof withoutAnswer>;

/** Adds and removes records by the mark that every change of a record sets, see `inboxMark`. */
export function createInboxSorter(
  records: RecordModel,
  groups: InboxGroupStore,
  audienceOf: Collections['audienceOf'],
) {
  let last: Promise<unknown> = Promise.resolve();

  /** Optimistic filter: a record changed since it was read stays due. */
  const seen = (record: Due): Record<string, unknown> => {
    return { _id: record._id, ...unchangedSince(record), inboxDue: true };
  };

  async function enter(record: Due): Promise<string> {
    const audience = await audienceOf(record);
    const id = await groups.find(record.question, audience);
    await groups.markDue(id, { ...record, audience }, record.question);
    const left = record.inbox && record.inbox !== id ? record.inbox : null;
    if (left) await groups.markDue(left, record);
    const $set = { inbox: id, isInInbox: true, audience };
    await records.updateOne(seen(record), { $set, $unset: { inboxDue: 1 } });
    if (left) await groups.recalculate([left]);
    return id;
  }

  async function sortSome(due: readonly Due[]): Promise<void> {
    // Also groups that existed before: their counts or reasons may have changed meanwhile.
    const entering = due.filter(isUnanswered);
    const leaving = due.filter((record) => !isUnanswered(record) && record.inbox);
    const entered = new Set<string>();
    const again = new Set<string>();
    for (const record of entering) {
      const id = await enter(record);
      // A new group is updated immediately because the next question may be similar; others are updated
      // together.
      if (entered.has(id)) again.add(id);
      else await groups.recalculate([id]);
      entered.add(id);
    }
    await groups.recalculate(again);
    // The group is recalculated without them first: after a crash they are still due, and nothing of them
    // remains.
    await groups.recalculate(leaving.map(({ inbox }) => inbox!));
    for (const record of due) {
      if (entering.includes(record)) continue;
      const left = leaving.includes(record) ? { inbox: 1, isInInbox: 1 } : {};
      await records.updateOne(seen(record), { $unset: { inboxDue: 1, ...left } });
    }
  }

  async function sortAll(ms: number): Promise<void> {
    const end = Date.now() + ms;
    await groups.recalculateDue();
    do {
      const due = await records.find({ inboxDue: true }, withoutAnswer).sort({ _id: 1 }).limit(slice).lean();
      if (due.length === 0) return;
      await sortSome(due);
    } while (Date.now() < end);
  }

  return {
    /**
     * Sorts due records for at most `ms`, including time spent waiting for others; the rest stays due. Can be
     * interrupted at any point and run in several processes.
     */
    sort(ms: number): Promise<void> {
      const work = last.then(() => sortAll(ms));
      last = work.catch(() => undefined);
      return within(ms, work);
    },
  };
}
