import { setTimeout as delay } from 'node:timers/promises';
import type { OwnedCollection, OwnedData } from '../accounts/guests.ts';
import { unlessDuplicate } from '../store/store-failure.ts';
import { createContactChanges } from './contact-book/contact-changes.ts';
import { transferNotes } from './contact-book/contact-notes.ts';
import { createContacts } from './contacts.ts';
import { createConversationSummaries } from './conversation-summaries.ts';
import type { DeletionDocument } from './deletion/deletion.ts';
import { checkEveryMs } from './deletion/deletion-phases.ts';
import { createHiddenRecords } from './hidden-records.ts';
import type { RecordModels } from './record-models.ts';

/**
 * Records with all that belongs to them. `more` are the owned collections of other domains (private passages, files,
 * usage); `inbox` is called before an owner's records are deleted, for data derived from them.
 */
export function createOwnedRecords(
  models: RecordModels,
  more: readonly OwnedCollection[] = [],
  inbox?: { forget(owner: string): Promise<void> },
): OwnedData {
  const { records, conversations, deletions, contacts, contactUndos, shares, countedDays } = models;

  async function transferRecords(from: string, to: string): Promise<void> {
    const transfer = () => records.updateMany({ owner: from }, { $set: { owner: to } });
    if (await unlessDuplicate(transfer())) return;
    // Both used the same client id. It is only needed to repeat a request, so the guest's is removed.
    await records.updateMany({ owner: from }, { $unset: { clientId: 1 } });
    await transfer();
  }

  /** Merges contacts that both have, with the latest name. */
  async function transferContacts(from: string, to: string): Promise<void> {
    for (;;) {
      const contact = await contacts.findOne({ owner: from }).lean();
      if (!contact) return;
      const { _id, contactId, name, lastUsedAt } = contact;
      const written = contacts.updateOne({ _id, owner: from }, { $set: { owner: to } });
      if (!(await unlessDuplicate(written))) {
        const older = { owner: to, contactId, lastUsedAt: { $lt: lastUsedAt } };
        await contacts.updateOne(older, { $set: { lastUsedAt, ...(name === '' ? {} : { name }) } });
        if (name !== '') await contacts.updateOne({ owner: to, contactId, name: '' }, { $set: { name } });
        await contacts.deleteOne({ _id, owner: from });
      }
    }
  }

  return {
    async transfer(from, to) {
      // A merge must not affect records that the other owner has of the same contact.
      const hidden = createHiddenRecords(deletions);
      const people = createContacts(models, hidden);
      const summaries = createConversationSummaries(models, hidden);
      await createContactChanges(models, people, summaries).finishAll(from);
      if (await records.exists({ owner: from })) {
        await fixDeletions(models, from);
        await fixDeletions(models, to);
      }
      // Deletions first, so that hidden records never become visible; processes that mark records pause until
      // all are transferred.
      await deletions.updateMany({ owner: from }, { $set: { owner: to, isMoving: true } });
      await transferRecords(from, to);
      await countedDays.deleteMany({ owner: from });
      await transferContacts(from, to);
      await transferNotes(models, from, to);
      const others: OwnedCollection[] = [contactUndos, conversations, shares, ...more];
      for (const collection of others) await collection.updateMany({ owner: from }, { $set: { owner: to } });
      await deletions.updateMany({ owner: to, isMoving: true }, { $set: { isMoving: false } });
    },
    async remove(owner) {
      // First: from now on nobody else can read any of it.
      await shares.deleteMany({ owner });
      await records.updateMany({ owner, status: 'answering' }, { $set: { stopRequested: true } });
      await inbox?.forget(owner);
      const first: OwnedCollection[] = [records, countedDays, contacts, models.contactCards, contactUndos];
      const rest: OwnedCollection[] = [...first, conversations, deletions, ...more];
      for (const one of rest) await one.deleteMany({ owner });
    },
  };
}

/**
 * Replaces the criteria of running deletions by the ids of the records they name, before two owners are
 * merged: otherwise a deletion by contact or date would also match records of the other. No process works on
 * them until `isMoving` is cleared.
 */
async function fixDeletions(
  { deletions, records }: Pick<RecordModels, 'deletions' | 'records'>,
  owner: string,
): Promise<void> {
  const underWay = {
    owner,
    state: 'erasing',
    kind: { $in: ['contact', 'date'] },
    isFixed: { $ne: true },
  } as const;
  if (!(await deletions.exists(underWay))) return;
  await deletions.updateMany(underWay, { $set: { isMoving: true } });
  // A process that works on one checks its lease in this interval; wait slightly longer.
  await delay(checkEveryMs + 50);
  const hidden = createHiddenRecords(deletions);
  const named: { _id: DeletionDocument['_id']; ids: DeletionDocument['ids'] }[] = [];
  for (const deletion of await deletions.find(underWay).lean<DeletionDocument[]>()) {
    const condition = { $and: [{ owner, erasedBy: null }, await hidden.namedBy(deletion)] };
    const found = await records.find(condition, { _id: 1 }).lean();
    named.push({ _id: deletion._id, ids: found.map(({ _id }) => _id) });
  }
  for (const { _id, ids } of named) await deletions.updateOne({ _id }, { $set: { ids, isFixed: true } });
}
