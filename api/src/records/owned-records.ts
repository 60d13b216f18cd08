import type { OwnedCollection, OwnedData } from '../accounts/owned-data.ts';
import { isDuplicateKey } from '../store/store-failure.ts';
import { fixErasures } from './erasure/fix-erasures.ts';
import type { RecordModels } from './record-models.ts';

/** What must let go of an owner's records before they go: what it says of them goes with them. */
export interface BeforeRecords {
  forget(owner: string): Promise<void>;
}

/** Records with all that belongs to them; `more` are the owned collections of other domains: private passages, files, usage. */
export function createOwnedRecords(
  models: RecordModels,
  more: readonly OwnedCollection[] = [],
  inbox?: BeforeRecords,
): OwnedData {
  const { records, conversations, erasures, contacts } = models;

  async function giveRecords(from: string, to: string): Promise<void> {
    try {
      await records.updateMany({ owner: from }, { $set: { owner: to } });
    } catch (cause) {
      if (!isDuplicateKey(cause)) throw cause;
      // Both asked with the same client id. It only serves to repeat a call, so the guest's can go.
      await records.updateMany({ owner: from }, { $unset: { clientId: 1 } });
      await records.updateMany({ owner: from }, { $set: { owner: to } });
    }
  }

  /** Contacts that both have become one, with the name that was given last. */
  async function giveContacts(from: string, to: string): Promise<void> {
    for (;;) {
      const contact = await contacts.findOne({ owner: from }).lean();
      if (!contact) return;
      const { _id, contactId, name, lastUsedAt } = contact;
      try {
        await contacts.updateOne({ _id, owner: from }, { $set: { owner: to } });
      } catch (cause) {
        if (!isDuplicateKey(cause)) throw cause;
        const older = { owner: to, contactId, lastUsedAt: { $lt: lastUsedAt } };
        await contacts.updateOne(older, { $set: { lastUsedAt, ...(name === '' ? {} : { name }) } });
        if (name !== '') await contacts.updateOne({ owner: to, contactId, name: '' }, { $set: { name } });
        await contacts.deleteOne({ _id, owner: from });
      }
    }
  }

  return {
    async give(from, to) {
      if (await records.exists({ owner: from })) {
        await fixErasures(models, from);
        await fixErasures(models, to);
      }
      // Deletions first, so that what they hide is never to be seen; who marks records lets go of them until all are there.
      await erasures.updateMany({ owner: from }, { $set: { owner: to, isMoving: true } });
      await giveRecords(from, to);
      await giveContacts(from, to);
      await conversations.updateMany({ owner: from }, { $set: { owner: to } });
      for (const collection of more) await collection.updateMany({ owner: from }, { $set: { owner: to } });
      await erasures.updateMany({ owner: to, isMoving: true }, { $set: { isMoving: false } });
    },
    async remove(owner) {
      await records.updateMany({ owner, status: 'answering' }, { $set: { stopRequested: true } });
      await inbox?.forget(owner);
      await records.deleteMany({ owner });
      await contacts.deleteMany({ owner });
      await conversations.deleteMany({ owner });
      await erasures.deleteMany({ owner });
      for (const collection of more) await collection.deleteMany({ owner });
    },
  };
}
