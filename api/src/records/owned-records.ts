import type { OwnedCollection, OwnedData } from '../accounts/owned-data.ts';
import { isDuplicateKey } from '../store/store-failure.ts';
import { fixErasures } from './erasure/fix-erasures.ts';
import type { RecordModels } from './record-models.ts';

/** Called before an owner's records are deleted, for data derived from them. */
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
      // Both used the same client id. It is only needed to repeat a request, so the guest's is removed.
      await records.updateMany({ owner: from }, { $unset: { clientId: 1 } });
      await records.updateMany({ owner: from }, { $set: { owner: to } });
    }
  }

  /** Merges contacts that both have, with the latest name. */
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
      // Deletions first, so that hidden records never become visible; processes that mark records pause until
      // all are transferred.
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
