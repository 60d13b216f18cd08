import { Types } from 'mongoose';
import type {
  ContactChange,
  ContactDetails,
  ContactUndo,
  ContactUndoReply,
} from '../../contract/contacts.ts';
import { ApiError, invalidRequest, notFound } from '../../errors/errors.ts';
import { databaseDate, databaseNow } from '../../store/database-clock.ts';
import { orConflict, unlessDuplicate } from '../../store/store-failure.ts';
import { contactId, contactName } from '../contact-id.ts';
import type { RecordModels } from '../record-models.ts';
import type { ContactCardDocument } from './contact-card.ts';
import type { ContactWork } from './contact-changes.ts';
import type { ContactReader } from './contact-details.ts';
import { forgetExpiredUndos } from './contact-notes.ts';

/** Maximum response time of a rename or merge in ms: a large one continues in the background. */
const answerWithinMs = 10_000;
const day = 86_400_000;

/** Reads, changes and merges an owner's contacts. All methods throw notFound('contact'). */
export function createContactBook(deps: {
  models: RecordModels;
  undoDays: number;
  reader: ContactReader;
  work: ContactWork;
}) {
  const { models, undoDays, reader, work } = deps;
  const { contactCards: cards, contactUndos: undos } = models;

  const undoable = () => {
    return { undo: new Types.ObjectId(), undoUntil: new Date(databaseNow() + undoDays * day) };
  };

  /** To be spread into a reply. */
  async function undoOf(_id: Types.ObjectId | undefined): Promise<{ undo?: ContactUndo }> {
    const prepared = _id && (await undos.findOne({ _id }).lean());
    if (!prepared) return {};
    return { undo: { undoToken: prepared.undoToken, undoUntil: prepared.undoUntil.toISOString() } };
  }

  const finish = (owner: string, contactId: string) => work.finish({ owner, contactId }, answerWithinMs);

  async function readOr404(owner: string, id: string): Promise<ContactDetails> {
    const contact = await reader.read(owner, id);
    if (!contact) throw notFound('contact');
    return contact;
  }

  /** Decides a change of a contact; false if another one is under way. */
  const begin = (owner: string, contactId: string, change: ContactCardDocument['change']) =>
    unlessDuplicate(
      cards.updateOne(
        { owner, contactId, 'change.id': { $exists: false } },
        { $set: { change }, $setOnInsert: { note: '', revision: 0, isErased: false, mergedInto: '' } },
        { upsert: true },
      ),
    );

  /** The merge is decided once this resolves. Returns the id of its undo. */
  async function decideMerge(owner: string, from: ContactDetails, into: ContactDetails) {
    const { id } = from;
    const change = { id: into.id, name: into.name || from.name, ...undoable() };
    if (!(await begin(owner, id, change))) {
      const there = await cards.findOne({ owner, contactId: id }).lean();
      if (there?.change?.id !== into.id) throw new ApiError('conflict');
      return there.change.undo ?? change.undo;
    }
    // Two merges of the same contacts in opposite directions would never end. Both check after their decision.
    const others = [
      { owner, contactId: into.id, 'change.id': { $exists: true } },
      { owner, 'change.id': id, contactId: { $ne: id } },
    ];
    for (const other of others) {
      if (!(await cards.exists(other))) continue;
      await cards.updateOne({ owner, contactId: id, 'change.id': into.id }, { $unset: { change: 1 } });
      throw new ApiError('conflict');
    }
    return change.undo;
  }

  return {
    list: reader.list,

    find: (owner: string, written: string): Promise<ContactDetails> => reader.find(owner, contactId(written)),

    /** @throws conflict if `revision` is not the current one. */
    async change(owner: string, { id: given, name, note, revision }: ContactChange) {
      const id = contactId(given);
      await finish(owner, id);
      const there = await readOr404(owner, id);
      const renamed = name === undefined ? there.name : contactName(name);
      const change = renamed === there.name ? undefined : { id, name: renamed, ...undoable() };
      const set: Partial<ContactCardDocument> = {
        mergedInto: '',
        ...(note === undefined ? {} : { note, isErased: false }),
        ...(change ? { change } : {}),
      };
      const expected = { owner, contactId: id, revision, 'change.id': { $exists: false } };
      const update = { $set: set, $inc: { revision: 1 } };
      const write = () => cards.updateOne(expected, update, { upsert: revision === 0 });
      const written = await orConflict(write, 'conflict_contact');
      if (written.matchedCount + written.upsertedCount === 0) throw new ApiError('conflict_contact');
      await finish(owner, id);
      return { ...(await readOr404(owner, id)), ...(await undoOf(change?.undo)) };
    },

    /** Can be repeated. @throws invalidRequest('into') for the same contact, conflict during a merge */
    async merge(owner: string, written: string, intoWritten: string, dryRun: boolean) {
      const [id, intoId] = [contactId(written), contactId(intoWritten)];
      if (id === intoId) throw invalidRequest('into');
      const from = await reader.read(owner, id);
      const into = await readOr404(owner, intoId);
      if (!from) {
        const card = await cards.findOne({ owner, contactId: id }).lean();
        if (card?.mergedInto !== intoId) throw notFound('contact');
        return { records: 0, conversations: 0, contact: into };
      }
      const counts = { records: from.recordCount, conversations: from.conversationCount };
      if (dryRun) return { ...counts, contact: into };
      const undoId = await decideMerge(owner, from, into);
      await finish(owner, id);
      return { ...counts, contact: await readOr404(owner, intoId), ...(await undoOf(undoId)) };
    },

    /**
     * Undoes a merge or rename. Records that were added since stay. @throws notFound('undo'), undo_used, expired,
     * unavailable while the contact is being changed.
     */
    async undo(owner: string, undoToken: string): Promise<ContactUndoReply> {
      const prepared = await undos.findOne({ owner, undoToken }).lean();
      if (!prepared) throw notFound('undo');
      if (prepared.state === 'undone') throw new ApiError('undo_used');
      if (prepared.undoUntil <= databaseDate()) throw new ApiError('expired');
      const { _id, from } = prepared;
      await finish(owner, from.id);
      const count = await models.records.countDocuments({ owner, 'moved.undo': _id, erasedBy: null });
      if (!(await begin(owner, from.id, { ...from, undo: _id, isUndo: true })))
        throw new ApiError('unavailable', { retryAfter: 1 });
      await finish(owner, from.id);
      return { records: count, contact: await reader.read(owner, from.id) };
    },

    /** Forgets what can no longer be undone. */
    sweep: (): Promise<void> => forgetExpiredUndos(models),

    /** Finishes changes that were decided by a process that was killed. */
    resume: (): Promise<void> => work.resume(),
  };
}
