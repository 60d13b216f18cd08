import type { Types } from 'mongoose';
import { inSlices } from '../store/in-slices.ts';
import { retryConflicts } from '../store/retry-conflicts.ts';
import type { ConversationDocument } from './conversation.ts';
import { conversationTitle } from './conversation-title.ts';
import type { HiddenRecords, RecordCondition } from './erasure/hidden-records.ts';
import type { RecordDocument } from './record.ts';
import type { RecordModels } from './record-models.ts';

/** How conversations stand with their records: how many are left, whom the latest was for, what the title is made of. */
export interface ConversationStanding {
  /** One that can be seen: a deletion under way may have left none of its records. */
  find(owner: string, _id: Types.ObjectId): Promise<ConversationDocument | null>;
  /** These as the records that can be seen make them; those without any are left out. Costs nothing unless a deletion is under way. */
  asTheyStand(owner: string, some: ConversationDocument[]): Promise<ConversationDocument[]>;
  /** Writes them as their records are now. Those with nothing left to be seen are hidden. */
  recount(owner: string, ids: readonly Types.ObjectId[]): Promise<void>;
  /** The same after records were marked as erased by `erasure`; quicker where nothing is left. */
  hide(owner: string, ids: readonly Types.ObjectId[], erasure: Types.ObjectId): Promise<void>;
  /** The same before the records of `erasure` go for good: titles are made of the others, without others it is hidden by this one. */
  leave(owner: string, ids: readonly Types.ObjectId[], erasure: Types.ObjectId): Promise<void>;
}

/** What of a conversation follows from its records. */
type Standing = Pick<ConversationDocument, 'title' | 'titleFrom' | 'contact' | 'recordCount' | 'updatedAt'>;
type Edge = Pick<RecordDocument, '_id' | 'question' | 'contact' | 'createdAt'>;

const edgeFields = { question: 1, contact: 1, createdAt: 1 } as const;
/** Conversations that are looked at in one go, and those that are written at the same time. */
const slice = 50;
const atOnce = 4;

export function createConversationStanding(
  { conversations, records }: Pick<RecordModels, 'conversations' | 'records'>,
  hidden: HiddenRecords,
): ConversationStanding {
  function edge(condition: RecordCondition, order: 1 | -1): Promise<Edge | null> {
    return records.findOne(condition, edgeFields).sort({ createdAt: order, _id: order }).lean<Edge | null>();
  }

  /** Null when no record meets the condition. */
  async function standingOf(conversation: ConversationDocument, condition: RecordCondition) {
    const [first, last] = await Promise.all([edge(condition, 1), edge(condition, -1)]);
    if (!first || !last) return null;
    const recordCount = await records.countDocuments(condition);
    const title = await titleOf(conversation, first);
    return { ...title, contact: last.contact, recordCount, updatedAt: last.createdAt } satisfies Standing;
  }

  /** A title that its owner gave stays. */
  async function titleOf({ _id, owner, title, titleFrom }: ConversationDocument, first: Edge) {
    const isMade = titleFrom === undefined ? await isOfAQuestion(owner, _id, title) : titleFrom !== null;
    return isMade
      ? { title: conversationTitle(first.question), titleFrom: first._id }
      : { title, titleFrom: null };
  }

  async function isOfAQuestion(owner: string, conversationId: Types.ObjectId, title: string) {
    const first = await edge({ owner, conversationId }, 1);
    return first !== null && conversationTitle(first.question) === title;
  }

  /** Writes one as it stands; `leaving` is an erasure whose records go. false: a question came in between. */
  async function write(owner: string, _id: Types.ObjectId, leaving?: Types.ObjectId): Promise<boolean> {
    const before = await conversations.findOne({ _id, owner }).lean();
    if (!before) return true;
    const all = { owner, conversationId: _id };
    const shown = await standingOf(before, { ...all, erasedBy: null, ...(await hidden.notHidden(owner)) });
    // Nothing of it can be seen: then its title is made of what could still come back.
    const rest = leaving ? { ...all, erasedBy: { $ne: leaving } } : all;
    const standing = shown ?? (await standingOf(before, rest));
    const erasedBy = shown ? null : standing || !leaving ? await hiddenBy(before, rest) : leaving;
    const { revision = null, recordCount, updatedAt } = before;
    const written = await conversations.updateOne(
      { _id, owner, revision, recordCount, updatedAt },
      { $set: { ...standing, erasedBy }, $inc: { revision: 1 } },
    );
    return written.matchedCount === 1;
  }

  /** One of the erasures that hold its records. */
  async function hiddenBy({ erasedBy }: ConversationDocument, rest: RecordCondition) {
    const marked = await records
      .findOne({ $and: [rest, { erasedBy: { $ne: null } }] }, { erasedBy: 1 })
      .lean();
    return marked?.erasedBy ?? erasedBy;
  }

  async function writeAll(owner: string, ids: readonly Types.ObjectId[], leaving?: Types.ObjectId) {
    const one = (id: Types.ObjectId) => retryConflicts(async () => (await write(owner, id, leaving)) || null);
    for (const some of inSlices(ids, atOnce)) await Promise.all(some.map(one));
  }

  /** Those that have a record to be seen. */
  async function withRecords(owner: string, ids: readonly Types.ObjectId[]): Promise<Set<string>> {
    const seen = { owner, conversationId: { $in: ids }, erasedBy: null, ...(await hidden.notHidden(owner)) };
    const found: { _id: Types.ObjectId }[] = await records.aggregate([
      { $match: seen },
      { $group: { _id: '$conversationId' } },
    ]);
    return new Set(found.map(({ _id }) => _id.toHexString()));
  }

  return {
    async find(owner, _id) {
      const found = await conversations.findOne({ _id, owner, erasedBy: null }).lean();
      if (!found) return null;
      const notHidden = await hidden.notHidden(owner);
      if (Object.keys(notHidden).length === 0) return found;
      const seen = { owner, conversationId: _id, erasedBy: null, ...notHidden };
      return (await records.exists(seen)) ? found : null;
    },

    async asTheyStand(owner, some) {
      const notHidden = await hidden.notHidden(owner);
      if (Object.keys(notHidden).length === 0) return some;
      const standing = await Promise.all(
        some.map(async (conversation) => {
          const seen = { owner, conversationId: conversation._id, erasedBy: null, ...notHidden };
          const stands = await standingOf(conversation, seen);
          return stands ? { ...conversation, ...stands } : null;
        }),
      );
      return standing.filter((conversation) => conversation !== null);
    },

    recount: (owner, ids) => writeAll(owner, ids),

    async hide(owner, ids, erasure) {
      for (const some of inSlices(ids, slice)) {
        const seen = await withRecords(owner, some);
        const emptied = some.filter((id) => !seen.has(id.toHexString()));
        await conversations.updateMany(
          { _id: { $in: emptied }, owner, erasedBy: null },
          { $set: { erasedBy: erasure }, $inc: { revision: 1 } },
        );
        // Once more: a question may have been counted in just before. From now on none is.
        const again = await withRecords(owner, emptied);
        await writeAll(
          owner,
          some.filter((id) => seen.has(id.toHexString()) || again.has(id.toHexString())),
        );
      }
    },

    leave: (owner, ids, erasure) => writeAll(owner, ids, erasure),
  };
}
