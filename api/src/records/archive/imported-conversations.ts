import { type AnyBulkWriteOperation, Types } from 'mongoose';
import { ApiError } from '../../errors/errors.ts';
import { inSlices } from '../../store/in-slices.ts';
import { unlessDuplicate } from '../../store/store-failure.ts';
import {
  type ConversationDocument,
  type ConversationPlace,
  conversationTitle,
  titleTerms,
} from '../conversation.ts';
import type { RecordModels } from '../record-models.ts';
import type { ArchiveConversation } from './archive-entries.ts';
import { createIdMap, idsToLookUp, type Planned } from './plan-import.ts';

/** Number of records received for a conversation, and how many of them were written. */
interface Touched {
  received: number;
  written: number;
  isNew: boolean;
}

type Write = AnyBulkWriteOperation<ConversationDocument>;

/** Conversations per write. */
const portion = 200;

/** Conversations of one archive that precede their records, which are held in memory until then. */
const maxHeld = 200_000;

export type ImportedConversations = ReturnType<typeof createImportedConversations>;

export function createImportedConversations({ conversations, records }: RecordModels, owner: string) {
  /** By the owner's id: conversations received before their records. */
  const said = new Map<string, ArchiveConversation>();
  const touched = new Map<string, Touched>();
  let waiting: ArchiveConversation[] = [];

  /** Returns the id that the owner has or will have for each of these. */
  async function idMap(ids: readonly string[]): Promise<(id: string) => string> {
    const known = await conversations.find({ _id: { $in: idsToLookUp(owner, ids) } }, { owner: 1 }).lean();
    return createIdMap(owner, known);
  }

  /** Updates existing conversations immediately; remembers the others. */
  async function flush(): Promise<void> {
    const some = waiting;
    waiting = [];
    if (some.length === 0) return;
    const idOf = await idMap(some.map(({ id }) => id));
    const there = await find(some.map(({ id }) => idOf(id)));
    const operations: Write[] = [];
    for (const conversation of some) {
      const before = there.get(idOf(conversation.id));
      const createdAt = new Date(conversation.createdAt);
      if (!before) said.set(idOf(conversation.id), conversation);
      else if (
        before.title !== conversation.title ||
        before.createdAt > createdAt ||
        (placed(conversation).place ?? before.place) !== before.place
      ) {
        const filter = { _id: before._id, owner, erasedBy: null };
        const { $set, ...unset } = titled(conversation.title);
        const update = { ...unset, $set: { ...$set, ...placed(conversation) }, $min: { createdAt } };
        operations.push({ updateOne: { filter, update } });
      }
    }
    if (operations.length > 0) await conversations.bulkWrite(operations);
    if (said.size > maxHeld) throw new ApiError('too_large');
  }

  async function settleSome(ids: readonly string[]): Promise<void> {
    const operations: Write[] = [];
    for (const [id, { _id, recordCount, updatedAt, revision }] of await find(ids)) {
      const { received, written, isNew } = touched.get(id)!;
      // An interrupted import may have left records that are not counted.
      if (written === 0 && received <= recordCount) continue;
      const count = isNew
        ? written
        : await records.countDocuments({ owner, conversationId: _id, erasedBy: null });
      if (count === recordCount) continue;
      // A concurrent question increments the count itself; in that case this count is not written.
      const filter = { _id, owner, erasedBy: null, recordCount, updatedAt, revision: revision ?? null };
      const update = { $set: { recordCount: count }, $inc: { revision: 1 } };
      operations.push(count === 0 ? { deleteOne: { filter } } : { updateOne: { filter, update } });
    }
    if (operations.length > 0) await conversations.bulkWrite(operations, { ordered: false });
  }

  /** The owner's conversations among these, except deleted ones. Looked up by id only, which is fastest. */
  async function find(ids: readonly string[]): Promise<Map<string, ConversationDocument>> {
    const _id = { $in: ids.map((id) => new Types.ObjectId(id)) };
    const found = await conversations.find({ _id }).lean();
    const own = found.filter((one) => one.owner === owner && one.erasedBy === null);
    return new Map(own.map((one) => [one._id.toHexString(), one]));
  }

  function touch(id: string, received: number, written: number, isNew: boolean): void {
    const before = touched.get(id) ?? { received: 0, written: 0, isNew };
    touched.set(id, {
      received: before.received + received,
      written: before.written + written,
      // Created by this import from these records only: then the written records are all there are.
      isNew: before.isNew && (isNew || touched.has(id)) && written === received,
    });
  }

  /** The update for an existing conversation if one of the records is now its latest, otherwise null. */
  function newer(before: ConversationDocument, group: readonly Planned[]): Write | null {
    const { wanted } = latestOf(group);
    const updatedAt = new Date(wanted.createdAt);
    if (group.every(({ outcome }) => outcome === 'unchanged') || updatedAt < before.updatedAt) return null;
    const filter = { _id: before._id, owner, erasedBy: null, updatedAt: { $lte: updatedAt } };
    return { updateOne: { filter, update: { $set: { updatedAt, contact: wanted.contact } } } };
  }

  /** A conversation that is new, or restored from the bin: it contains only these records. */
  function made(id: string, group: readonly Planned[]): Write {
    const latest = latestOf(group).wanted;
    const oldest = group.reduce((one, other) =>
      other.wanted.createdAt < one.wanted.createdAt ? other : one,
    );
    const words = said.get(id);
    said.delete(id);
    const dates = [oldest.wanted.createdAt, ...(words ? [words.createdAt] : [])].sort();
    const { $set, ...unset } = titled(words?.title ?? conversationTitle(oldest.wanted.question));
    const { contact } = latest;
    const updatedAt = new Date(latest.createdAt);
    const update = {
      ...unset,
      $set: { ...$set, ...(words ? placed(words) : {}), erasedBy: null, contact, updatedAt },
      $setOnInsert: { recordCount: 0, revision: 0 },
      $min: { createdAt: new Date(dates[0] ?? latest.createdAt) },
    };
    return { updateOne: { filter: { _id: new Types.ObjectId(id), owner }, update, upsert: true } };
  }

  return {
    idMap,
    flush,
    /** Remembers a conversation of the archive; it is stored once a record of it arrives. */
    async add(conversation: ArchiveConversation): Promise<void> {
      waiting.push(conversation);
      if (waiting.length >= portion) await flush();
    },

    /** Makes the conversations of written records match them. False: another owner has taken an id. */
    async hold(planned: readonly Planned[], isFirstTry: boolean): Promise<boolean> {
      await flush();
      const groups = Map.groupBy(planned, ({ wanted }) => wanted.conversationId);
      const there = await find([...groups.keys()]);
      for (const { before, wanted } of planned) {
        const left = before?.conversationId.toHexString();
        if (left !== undefined && left !== wanted.conversationId) touch(left, 0, 1, false);
      }
      const operations: Write[] = [];
      for (const [id, group] of groups) {
        const before = there.get(id);
        const written = group.filter(({ outcome }) => outcome !== 'unchanged').length;
        if (isFirstTry) touch(id, group.length, written, !before);
        else touch(id, 0, 1, false);
        const write = before ? newer(before, group) : made(id, group);
        if (write) operations.push(write);
      }
      if (operations.length === 0) return true;
      return unlessDuplicate(conversations.bulkWrite(operations, { ordered: false }));
    },

    /** Recounts the records of every conversation received, also after an error; none is left without records. */
    async settle(): Promise<void> {
      const ids = [...touched.keys()];
      for (const some of inSlices(ids, portion)) await settleSome(some);
      touched.clear();
    },
  };
}

/** Whether the title was derived from a question is unknown; code that needs this must check. */
function titled(title: string) {
  return { $set: { title, titleTerms: titleTerms(title) }, $unset: { titleFrom: 1 } } as const;
}

/** Archives of earlier versions lack both fields, so that only a pinned or archived conversation is moved. */
function placed({ pinned, archived }: ArchiveConversation): { place?: ConversationPlace } {
  if (pinned) return { place: 'pinned' };
  return archived ? { place: 'archived' } : {};
}

function latestOf(group: readonly Planned[]): Planned {
  return group.reduce((one, other) => (other.wanted.createdAt > one.wanted.createdAt ? other : one));
}
