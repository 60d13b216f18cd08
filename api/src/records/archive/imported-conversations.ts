import { type AnyBulkWriteOperation, Types } from 'mongoose';
import { tooLarge } from '../../contract/errors.ts';
import { isDuplicateKey } from '../../store/store-failure.ts';
import type { ConversationDocument } from '../conversation.ts';
import { conversationTitle } from '../conversation-title.ts';
import type { RecordModels } from '../record-models.ts';
import type { ArchiveConversation } from './archive-entries.ts';
import { createIdMap, idsToLookUp, type Planned } from './plan-import.ts';

/** How many records came of a conversation, and how many of them were written. */
interface Touched {
  came: number;
  written: number;
  isNew: boolean;
}

type Write = AnyBulkWriteOperation<ConversationDocument>;

/** Conversations are written in portions of this many. */
const portion = 200;
/** Conversations of one archive, at most, that come before their records: they have to be held until then. */
const mostHeld = 200_000;

export interface ImportedConversations {
  /** Under which id the owner has, or will have, each of these. */
  idMap(ids: readonly string[]): Promise<(id: string) => string>;
  /**
   * Makes sure that the conversations of written records are there, and carry what their latest record says. False when somebody else
   * took one of their ids meanwhile.
   */
  hold(planned: readonly Planned[], isFirstTry: boolean): Promise<boolean>;
  /** Keeps what an archive says of a conversation; it counts once a record of it has come. */
  add(conversation: ArchiveConversation): Promise<void>;
  flush(): Promise<void>;
  /** Counts the records of every conversation that came, also after a failure; none is left without any. */
  settle(): Promise<void>;
}

export function createImportedConversations(
  { conversations, records }: RecordModels,
  owner: string,
): ImportedConversations {
  /** By the owner's ids: what has come of conversations whose records have not. */
  const said = new Map<string, ArchiveConversation>();
  const touched = new Map<string, Touched>();
  let waiting: ArchiveConversation[] = [];

  async function idMap(ids: readonly string[]): Promise<(id: string) => string> {
    const known = await conversations.find({ _id: { $in: idsToLookUp(owner, ids) } }, { owner: 1 }).lean();
    return createIdMap(owner, known);
  }

  /** What is said of a conversation that is there counts at once; the others' is kept. */
  async function flush(): Promise<void> {
    const some = waiting;
    waiting = [];
    if (some.length === 0) return;
    const idOf = await idMap(some.map(({ id }) => id));
    const there = await find(some.map(({ id }) => idOf(id)));
    const byId = new Map(there.map((one) => [one._id.toHexString(), one]));
    const operations: Write[] = [];
    for (const conversation of some) {
      const before = byId.get(idOf(conversation.id));
      const createdAt = new Date(conversation.createdAt);
      if (!before) said.set(idOf(conversation.id), conversation);
      else if (before.title !== conversation.title || before.createdAt > createdAt) {
        const filter = { _id: before._id, owner, erasedBy: null };
        const update = { ...titled(conversation.title), $min: { createdAt } };
        operations.push({ updateOne: { filter, update } });
      }
    }
    if (operations.length > 0) await conversations.bulkWrite(operations);
    if (said.size > mostHeld) throw tooLarge();
  }

  async function settleSome(ids: readonly string[]): Promise<void> {
    const there = await find(ids);
    const operations: Write[] = [];
    for (const { _id, recordCount, updatedAt, revision } of there) {
      const { came, written, isNew } = touched.get(_id.toHexString()) ?? {
        came: 0,
        written: 0,
        isNew: false,
      };
      // An import that was cut short may have left records that nobody has counted.
      if (written === 0 && came <= recordCount) continue;
      const count = isNew
        ? written
        : await records.countDocuments({ owner, conversationId: _id, erasedBy: null });
      if (count === recordCount) continue;
      // A question that is put at this moment counts itself: then this count is not taken.
      const filter = { _id, owner, erasedBy: null, recordCount, updatedAt, revision: revision ?? null };
      const update = { $set: { recordCount: count }, $inc: { revision: 1 } };
      operations.push(count === 0 ? { deleteOne: { filter } } : { updateOne: { filter, update } });
    }
    if (operations.length > 0) await conversations.bulkWrite(operations, { ordered: false });
  }

  /** The owner's own of these, erased ones left out. Looked up by id alone, which is the shortest way. */
  async function find(ids: readonly string[]): Promise<ConversationDocument[]> {
    const _id = { $in: ids.map((id) => new Types.ObjectId(id)) };
    const found = await conversations.find({ _id }).lean();
    return found.filter((one) => one.owner === owner && one.erasedBy === null);
  }

  function touch(id: string, came: number, written: number, isNew: boolean): void {
    const before = touched.get(id) ?? { came: 0, written: 0, isNew };
    touched.set(id, {
      came: before.came + came,
      written: before.written + written,
      // Made here, of nothing but what was written here: then what was written is all there is.
      isNew: before.isNew && (isNew || touched.has(id)) && written === came,
    });
  }

  /** One that is there, with a record that is its latest now; null when there is none. */
  function newer(before: ConversationDocument, group: readonly Planned[]): Write | null {
    const { wanted } = latestOf(group);
    const updatedAt = new Date(wanted.createdAt);
    if (group.every(({ fate }) => fate === 'unchanged') || updatedAt < before.updatedAt) return null;
    const filter = { _id: before._id, owner, erasedBy: null, updatedAt: { $lte: updatedAt } };
    return { updateOne: { filter, update: { $set: { updatedAt, contact: wanted.contact } } } };
  }

  /** One that is new, or back from the bin: of what was in it only these records are there. */
  function made(id: string, group: readonly Planned[]): Write {
    const latest = latestOf(group).wanted;
    const oldest = group.reduce((one, other) =>
      other.wanted.createdAt < one.wanted.createdAt ? other : one,
    );
    const words = said.get(id);
    said.delete(id);
    const dates = [oldest.wanted.createdAt, ...(words ? [words.createdAt] : [])].sort();
    const { $set, ...unset } = titled(words?.title ?? conversationTitle(oldest.wanted.question));
    const update = {
      ...unset,
      $set: { ...$set, erasedBy: null, contact: latest.contact, updatedAt: new Date(latest.createdAt) },
      $setOnInsert: { recordCount: 0, revision: 0 },
      $min: { createdAt: new Date(dates[0] ?? latest.createdAt) },
    };
    return { updateOne: { filter: { _id: new Types.ObjectId(id), owner }, update, upsert: true } };
  }

  return {
    idMap,
    flush,
    async add(conversation) {
      waiting.push(conversation);
      if (waiting.length >= portion) await flush();
    },

    async hold(planned, isFirstTry) {
      await flush();
      const groups = Map.groupBy(planned, ({ wanted }) => wanted.conversationId);
      const there = await find([...groups.keys()]);
      const byId = new Map(there.map((one) => [one._id.toHexString(), one]));
      for (const { before, wanted } of planned) {
        const left = before?.conversationId.toHexString();
        if (left !== undefined && left !== wanted.conversationId) touch(left, 0, 1, false);
      }
      const operations: Write[] = [];
      for (const [id, group] of groups) {
        const before = byId.get(id);
        const written = group.filter(({ fate }) => fate !== 'unchanged').length;
        if (isFirstTry) touch(id, group.length, written, !before);
        else touch(id, 0, 1, false);
        const write = before ? newer(before, group) : made(id, group);
        if (write) operations.push(write);
      }
      if (operations.length === 0) return true;
      try {
        await conversations.bulkWrite(operations, { ordered: false });
        return true;
      } catch (cause) {
        if (isDuplicateKey(cause)) return false;
        throw cause;
      }
    },

    async settle() {
      const ids = [...touched.keys()];
      for (let at = 0; at < ids.length; at += portion) await settleSome(ids.slice(at, at + portion));
      touched.clear();
    },
  };
}

/** Whether it is made of a question is not known: whoever needs to know looks. */
function titled(title: string) {
  return { $set: { title }, $unset: { titleFrom: 1 } } as const;
}

function latestOf(group: readonly Planned[]): Planned {
  return group.reduce((one, other) => (other.wanted.createdAt > one.wanted.createdAt ? other : one));
}
