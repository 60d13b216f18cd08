import type { Types } from 'mongoose';
import type { AccountModels } from '../../accounts/account-models.ts';
import { guestIdOf } from '../../accounts/guests.ts';
import type { ConversationDeletion, Deletion } from '../../contract/deletions.ts';
import type { RecordFilter } from '../../contract/search.ts';
import { ApiError, notFound } from '../../errors/errors.ts';
import { databaseDate } from '../../store/database-clock.ts';
import type { Jobs } from '../../store/jobs/jobs.ts';
import { toObjectId } from '../../store/object-id.ts';
import type { ThisProcess } from '../../store/process-lease.ts';
import { retryConflicts } from '../../store/retry-conflicts.ts';
import { secureDelete, secureDeleteTimeoutMs } from '../../store/secure-delete.ts';
import { dayRange } from '../../text/day-range.ts';
import type { ContactWork } from '../contact-book/contact-changes.ts';
import type { RecordModels } from '../record-models.ts';
import type { MatchingRecords } from '../search/matching-records.ts';
import { createAudits } from './audits.ts';
import { createBinReader } from './bin.ts';
import type { DeletionDocument } from './deletion.ts';
import { type Criteria, createDeletionDecision, type Matched } from './deletion-decision.ts';
import { createDeletionPhases, createDeletionWork } from './deletion-phases.ts';

/** Maximum number of ids in one call, and of records found by a filter. */
const maxIds = 5000;
const maxFound = 50_000;
/** Expired deletions per read. */
const expiredSlice = 1000;
/** Maximum time to wait for merges of the owner's contacts, in ms. */
const maxMergeMs = 30_000;
/** Maximum response time of a deletion in ms: a large one continues in the background. */
const answerWithinMs = 800;

/** A deletion by days: whole days, both inclusive, in a time zone. */
export interface Days {
  from: string;
  to: string;
  tz: string;
}

export type Deletions = ReturnType<typeof createDeletions>;

/** All methods that delete return the same result; `dryRun` only counts. They throw ambiguous_contact for an ambiguous name. */
export function createDeletions(
  deps: Omit<Parameters<typeof createDeletionPhases>[0], 'audits'> & {
    models: RecordModels & Pick<AccountModels, 'guests'>;
    matching: MatchingRecords;
    contactWork: Pick<ContactWork, 'finish'>;
    self: ThisProcess;
    jobs: Jobs;
    /** Used for the audit log of deletions only, see `deriveKey`. */
    auditKey: Buffer;
    undoDays: number;
  },
) {
  const { models, hidden, contacts, matching, summaries, contactWork, auditKey, undoDays } = deps;
  const { deletions } = models;
  const audits = createAudits(models.audits, auditKey);
  const phases = createDeletionPhases({ ...deps, audits });
  const work = createDeletionWork({ ...deps, deletions, phases });
  const decision = createDeletionDecision(models, hidden, audits, undoDays);
  const nothingDeleted = { deleted: 0, undoToken: null, undoUntil: null, undoDays };

  /** `known` is the result of `decision.match` if it has been read already. */
  async function deleteMatching(owner: string, about: Criteria, dryRun: boolean, known?: Matched) {
    if (dryRun) {
      const { matched, ...preview } = await decision.preview(owner, about);
      return { matched, ...nothingDeleted, preview };
    }
    const matched = known ?? (await decision.match(owner, about));
    if (matched.count === 0) return { matched: 0, ...nothingDeleted };
    const deletion = await decision.decide(owner, about, matched);
    await refuseWhileMerging(deletion);
    return execute(deletion);
  }

  /**
   * A merge changes the contact of records, by which a deletion names them. A merge waits for running deletions, and a
   * deletion waits for running merges first; if a merge began after that, the deletion is withdrawn.
   */
  async function refuseWhileMerging({ _id, owner, contactId }: DeletionDocument): Promise<void> {
    if (!contactId || !(await models.contactCards.exists({ owner, 'change.id': { $exists: true } }))) return;
    const back = await deletions.deleteOne({ _id, owner, state: 'erasing', lease: null });
    if (back.deletedCount === 1) throw new ApiError('unavailable', { retryAfter: 1 });
  }

  /** After an account has adopted a guest, the records no longer belong to the guest: the deletion is withdrawn. */
  async function refuseAdopted({ _id, owner }: DeletionDocument): Promise<void> {
    const guestId = guestIdOf(owner);
    if (guestId === null || !(await models.guests.exists({ _id: guestId, adoptedBy: { $ne: null } }))) return;
    // A deletion that was adopted with the records belongs to the account and continues.
    const back = await deletions.deleteOne({ _id, owner, state: 'erasing', isMoving: { $ne: true } });
    if (back.deletedCount === 1) throw new ApiError('conflict');
  }

  async function execute(deletion: DeletionDocument): Promise<ConversationDeletion> {
    const { matched, undoToken, undoUntil } = deletion;
    await refuseAdopted(deletion);
    await work.finish(deletion, answerWithinMs);
    return { matched, deleted: matched, undoToken, undoUntil: undoUntil.toISOString(), undoDays };
  }

  /** Resolves one of the owner's contacts to the stored criteria of a deletion. */
  async function criteriaOf(owner: string, written: string) {
    if (!(await contactWork.finish({ owner }, maxMergeMs)))
      throw new ApiError('unavailable', { retryAfter: 10 });
    const contactId = await contacts.idOf(owner, written);
    const known = await models.contacts.findOne({ owner, contactId }, { name: 1 }).lean();
    return { contactId, contactName: known?.name ?? '' };
  }

  /** A deletion that can still be undone. */
  async function undoableDeletion(owner: string, undoToken: string): Promise<DeletionDocument> {
    const deletion = await deletions.findOne({ undoToken, owner }).lean();
    if (!deletion) throw notFound('undo');
    const { state, ending, undoUntil } = deletion;
    if (state === 'restoring' || state === 'restored') throw new ApiError('undo_used');
    if (state === 'purging' || state === 'purged' || ending || undoUntil <= databaseDate())
      throw new ApiError('expired');
    return deletion;
  }

  /** Changes a deletion that can be undone, waits for the result, and returns the number of its records. */
  async function changeState(
    owner: string,
    undoToken: string,
    changeOf: (state: DeletionDocument['state']) => Partial<DeletionDocument>,
  ): Promise<number> {
    return retryConflicts(async () => {
      const deletion = await undoableDeletion(owner, undoToken);
      const { _id, state } = deletion;
      // An undo comes after unfinished deletions of the owner.
      await work.resume({ owner });
      const marked = { owner, erasedBy: _id };
      const count = state === 'erased' ? await models.records.countDocuments(marked) : deletion.matched;
      const turned = await deletions.updateOne(
        { _id, owner, state, ending: null },
        { $set: { ...changeOf(state), turnedAt: databaseDate() } },
      );
      // Changed since it was read: it was fully marked, or changed by another request.
      if (turned.modifiedCount === 0) return null;
      await work.finish(deletion, secureDeleteTimeoutMs);
      return count;
    });
  }

  async function idsFound(owner: string, filter: RecordFilter): Promise<Types.ObjectId[]> {
    const ids: Types.ObjectId[] = [];
    for await (const some of matching.each(owner, filter, ['_id'])) {
      for (const { _id } of some) ids.push(_id);
      if (ids.length > maxFound) throw new ApiError('too_many_found');
    }
    return ids;
  }

  return {
    /** Hides a conversation and its records everywhere until undone or expired. @throws notFound('conversation') */
    async deleteConversation(owner: string, id: string): Promise<ConversationDeletion> {
      const { _id: conversationId } = await summaries.get(owner, id);
      const about: Criteria = { kind: 'conversation', conversationId };
      return execute(await decision.decide(owner, about, await decision.match(owner, about)));
    },

    /** Deletes every record of one contact; '' is the owner. */
    async deleteContact(owner: string, contact: string, dryRun: boolean): Promise<Deletion> {
      return deleteMatching(owner, { kind: 'contact', ...(await criteriaOf(owner, contact)) }, dryRun);
    },

    /** Deletes every record of a range of days, optionally of one contact. */
    async deleteDays(owner: string, { from, to, tz }: Days, contact: string | undefined, dryRun: boolean) {
      const who = contact === undefined ? {} : await criteriaOf(owner, contact);
      return deleteMatching(owner, { kind: 'date', from, to, tz, ...dayRange(from, to, tz), ...who }, dryRun);
    },

    /** @throws notFound('record') if one is not the owner's, tooManyRecords above `maxIds`; nothing is deleted then. */
    async deleteIds(owner: string, given: readonly string[], dryRun: boolean): Promise<Deletion> {
      if (given.length > maxIds) throw new ApiError('too_many_ids');
      const ids = [...new Set(given)].map((id) => toObjectId(id, 'record'));
      const about: Criteria = { kind: 'selection', ids };
      const matched = await decision.match(owner, about);
      if (matched.count < ids.length) throw notFound('record');
      return deleteMatching(owner, about, dryRun, matched);
    },

    /** Deletes everything that a filter finds. @throws tooManyRecords above 50,000 */
    async deleteFound(owner: string, filter: RecordFilter, dryRun: boolean): Promise<Deletion> {
      const { contact, text } = filter;
      const by = {
        contact: contact === undefined ? null : await contacts.idOf(owner, contact),
        text: text ? text : null,
      };
      return deleteMatching(owner, { kind: 'selection', ids: await idsFound(owner, filter), by }, dryRun);
    },

    /** Restores exactly what the deletion hid. Returns the number of records. @throws notFound, undo_used, expired */
    undo: (owner: string, undoToken: string) => changeState(owner, undoToken, () => ({ state: 'restoring' })),

    /** Deletes permanently, immediately. Returns the number of records. @throws notFound, undo_used, expired */
    purge: (owner: string, undoToken: string) =>
      changeState(owner, undoToken, (state) => ({
        ending: 'purge',
        ...(state === 'erased' ? { state: 'purging' } : {}),
      })),

    /** Deletions that can still be undone, newest first. @throws invalidRequest('cursor') */
    bin: createBinReader(models, undoDays),

    /** Continues deletions that were decided by a process that was killed. */
    resume: () => work.resume(),

    /** Purges what can no longer be undone. */
    async sweep(signal: AbortSignal): Promise<void> {
      for (let isMore = true; isMore && !signal.aborted; ) {
        const over = await deletions
          .find({ state: 'erased', undoUntil: { $lt: databaseDate() } }, { owner: 1 })
          .limit(expiredSlice)
          .lean();
        isMore = over.length === expiredSlice;
        for (const { _id, owner } of over) {
          if (signal.aborted) break;
          const change = { state: 'purging', ending: 'expire', turnedAt: databaseDate() } as const;
          const turned = await deletions.updateOne({ _id, state: 'erased' }, { $set: change });
          if (turned.modifiedCount === 1) await work.finish({ _id, owner }, Number.POSITIVE_INFINITY);
        }
        const last = over.at(-1);
        const same = { $set: { ending: 'expire' } } as const;
        if (last) await deletions.updateOne({ _id: last._id }, same, { writeConcern: secureDelete });
      }
    },
  };
}
