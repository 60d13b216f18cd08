import type { Types } from 'mongoose';
import { notFound } from '../errors/errors.ts';
import { inSlices } from '../store/in-slices.ts';
import { toObjectId } from '../store/object-id.ts';
import { retryConflicts } from '../store/retry-conflicts.ts';
import { type ConversationDocument, conversationTitle } from './conversation.ts';
import type { HiddenRecords, RecordCondition } from './hidden-records.ts';
import type { RecordDocument, RecordModel } from './record.ts';
import type { RecordModels } from './record-models.ts';

/** The fields of a conversation that are derived from its records. */
type Summary = Pick<ConversationDocument, 'title' | 'titleFrom' | 'contact' | 'recordCount' | 'updatedAt'>;
type Edge = Pick<RecordDocument, '_id' | 'question' | 'contact' | 'createdAt'>;

const edgeFields = { question: 1, contact: 1, createdAt: 1 } as const;

/** Conversations read per batch, and written concurrently. */
const slice = 50;
const atOnce = 4;

export type ConversationSummaries = ReturnType<typeof createConversationSummaries>;

/** Maintains what conversations derive from their records: count, latest contact, title. */
export function createConversationSummaries(
  { conversations, records }: Pick<RecordModels, 'conversations' | 'records'>,
  hidden: HiddenRecords,
) {
  function edge(condition: RecordCondition, order: 1 | -1): Promise<Edge | null> {
    return records.findOne(condition, edgeFields).sort({ createdAt: order, _id: order }).lean<Edge | null>();
  }

  /** null if no record meets the condition. */
  async function summaryOf(conversation: ConversationDocument, condition: RecordCondition) {
    const [first, last] = await Promise.all([edge(condition, 1), edge(condition, -1)]);
    if (!first || !last) return null;
    const recordCount = await records.countDocuments(condition);
    const title = await titleOf(conversation, first, condition);
    return { ...title, contact: last.contact, recordCount, updatedAt: last.createdAt } satisfies Summary;
  }

  /** A title set by the owner stays. Another one is the newest version of the first question. */
  async function titleOf(
    { _id, owner, title, titleFrom }: ConversationDocument,
    first: Edge,
    condition: RecordCondition,
  ) {
    const isDerived =
      titleFrom === undefined ? await isDerivedFromQuestion(owner, _id, title) : titleFrom !== null;
    if (!isDerived) return { title, titleFrom: null };
    const newest = await edge({ ...condition, 'versionOf.recordId': first._id }, -1);
    return { title: conversationTitle((newest ?? first).question), titleFrom: first._id };
  }

  async function isDerivedFromQuestion(owner: string, conversationId: Types.ObjectId, title: string) {
    const first = await edge({ owner, conversationId }, 1);
    return first !== null && conversationTitle(first.question) === title;
  }

  /** Stores derived values; `purging` purges its records. false: a question was added concurrently. */
  async function write(owner: string, _id: Types.ObjectId, purging?: Types.ObjectId): Promise<boolean> {
    const before = await conversations.findOne({ _id, owner }).lean();
    if (!before) return true;
    const all = { owner, conversationId: _id };
    const shown = await summaryOf(before, { conversationId: _id, ...(await hidden.visible(owner)) });
    // No record is visible: the title is derived from records that could still be restored.
    const rest = purging ? { ...all, erasedBy: { $ne: purging } } : all;
    const summary = shown ?? (await summaryOf(before, rest));
    const erasedBy = shown ? null : summary || !purging ? await hiddenBy(before, rest) : purging;
    const { revision = null, recordCount, updatedAt } = before;
    const written = await conversations.updateOne(
      { _id, owner, revision, recordCount, updatedAt },
      { $set: { ...summary, erasedBy }, $inc: { revision: 1 } },
    );
    return written.matchedCount === 1;
  }

  /** One of the deletions that hide its records. */
  async function hiddenBy({ erasedBy }: ConversationDocument, rest: RecordCondition) {
    const marked = await records
      .findOne({ $and: [rest, { erasedBy: { $ne: null } }] }, { erasedBy: 1 })
      .lean();
    return marked?.erasedBy ?? erasedBy;
  }

  async function recount(owner: string, ids: readonly Types.ObjectId[], purging?: Types.ObjectId) {
    const one = (id: Types.ObjectId) => retryConflicts(async () => (await write(owner, id, purging)) || null);
    for (const some of inSlices(ids, atOnce)) await Promise.all(some.map(one));
  }

  /** Ids of the conversations that have a visible record. */
  const withRecords = async (owner: string, ids: readonly Types.ObjectId[]) =>
    conversationsOf(records, { conversationId: { $in: ids }, ...(await hidden.visible(owner)) });

  /** A running deletion may hide its records. `known`: the owner's condition, if it is known. */
  async function find(owner: string, _id: Types.ObjectId, known?: RecordCondition) {
    // Read first: a deletion that ends meanwhile has marked the conversation by then.
    const notHidden = known ?? (await hidden.notHidden(owner));
    const found = await conversations.findOne({ _id, owner, erasedBy: null }).lean();
    if (!found || Object.keys(notHidden).length === 0) return found;
    const visible = { owner, conversationId: _id, erasedBy: null, ...notHidden };
    return (await records.exists(visible)) ? found : null;
  }

  return {
    find,

    /** The same by the id of a request. @throws notFound('conversation') */
    async get(owner: string, id: string, known?: RecordCondition): Promise<ConversationDocument> {
      const found = await find(owner, toObjectId(id, 'conversation'), known);
      if (!found) throw notFound('conversation');
      return found;
    },

    /**
     * With the values of their visible records, if there are any. Reads nothing unless a deletion is running.
     * `notHidden` must be read before `some`.
     */
    async adjustToVisible(owner: string, some: ConversationDocument[], notHidden: RecordCondition) {
      if (Object.keys(notHidden).length === 0) return some;
      const adjusted = await Promise.all(
        some.map(async (conversation) => {
          const visible = { owner, conversationId: conversation._id, erasedBy: null, ...notHidden };
          const summary = await summaryOf(conversation, visible);
          return summary ? { ...conversation, ...summary } : null;
        }),
      );
      return adjusted.filter((conversation) => conversation !== null);
    },

    /**
     * Stores the values derived from their current records. Conversations without visible records are hidden.
     * Before the records of the deletion `purging` are purged, titles are derived from the remaining ones; without any
     * the conversation stays hidden by this deletion.
     */
    recount,

    /** The same after records were marked as deleted by `deletion`; faster if none remain. */
    async hide(owner: string, ids: readonly Types.ObjectId[], deletion: Types.ObjectId): Promise<void> {
      for (const some of inSlices(ids, slice)) {
        const visible = await withRecords(owner, some);
        const emptied = some.filter((id) => !visible.has(id.toHexString()));
        await conversations.updateMany(
          { _id: { $in: emptied }, owner, erasedBy: null },
          { $set: { erasedBy: deletion }, $inc: { revision: 1 } },
        );
        // Check again: a question may have been counted just before. From now on none will be.
        const again = await withRecords(owner, emptied);
        const seen = new Set([...visible, ...again]);
        const left = some.filter((id) => seen.has(id.toHexString()));
        await recount(owner, left);
      }
    },
  };
}

/** Ids of the conversations of the records that meet a condition. */
export async function conversationsOf(records: RecordModel, condition: RecordCondition) {
  const found: { _id: Types.ObjectId }[] = await records.aggregate([
    { $match: condition },
    { $group: { _id: '$conversationId' } },
  ]);
  return new Set(found.map(({ _id }) => _id.toHexString()));
}
