import type { ErasureDocument, ErasureModel } from '../models/erasure.ts';

/** A condition on records, to be spread into a query. */
export type RecordCondition = Record<string, unknown>;

/**
 * What every read of records asks besides `erasedBy: null`: the records of a deletion are hidden from the moment it is decided, while
 * they are still being marked one by one. `{}` almost always.
 */
export interface HiddenRecords {
  /** To be spread into a query of the owner's records; has `$nor` and nothing else, or nothing. */
  notHidden(owner: string): Promise<RecordCondition>;
}

export function createHiddenRecords(erasures: ErasureModel): HiddenRecords {
  return {
    async notHidden(owner) {
      const underWay = await erasures.find({ owner, state: 'erasing' }).lean();
      return underWay.length === 0 ? {} : { $nor: underWay.map(meantBy) };
    },
  };
}

/** The records that an erasure means, marked or not. To be held together with the owner. */
export function meantBy(erasure: ErasureDocument): RecordCondition {
  const { kind, conversationId, contactId, since, until, ids, createdAt } = erasure;
  if (kind === 'selection') return { _id: { $in: ids } };
  const upTo = { createdAt: { $lte: createdAt } };
  if (kind === 'conversation') return { conversationId };
  const contact =
    contactId === null ? {} : contactId === '' ? { contact: null } : { 'contact.id': contactId };
  if (kind === 'contact') return { ...contact, ...upTo };
  return { ...contact, createdAt: { $gte: since, $lt: until, $lte: createdAt } };
}
