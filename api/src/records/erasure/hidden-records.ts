import type { ErasureDocument, ErasureModel } from './erasure.ts';

/** A condition on records, to be spread into a query. */
export type RecordCondition = Record<string, unknown>;

/**
 * What every read of records asks besides `erasedBy: null`: the records of a deletion are hidden from the moment it is decided, while
 * they are still being marked one by one. `{}` almost always.
 */
export interface HiddenRecords {
  /** To be spread into a query of the owner's records; has `$nor` and nothing else, or nothing. */
  notHidden(owner: string): Promise<RecordCondition>;
  /** The records that an erasure names, marked or not. To be held together with the owner; `$nor` and plain fields. */
  namedBy(erasure: ErasureDocument): Promise<RecordCondition>;
}

export function createHiddenRecords(erasures: ErasureModel): HiddenRecords {
  /** These erasures, and those that they make an exception of, however far back. */
  async function withExceptions(some: ErasureDocument[]): Promise<Map<string, ErasureDocument>> {
    const known = new Map(some.map((erasure) => [erasure._id.toHexString(), erasure]));
    for (let last = some; last.length > 0; ) {
      const missing = last.flatMap(({ except }) => except).filter((id) => !known.has(id.toHexString()));
      last = missing.length === 0 ? [] : await erasures.find({ _id: { $in: missing } }).lean();
      for (const erasure of last) known.set(erasure._id.toHexString(), erasure);
    }
    return known;
  }

  return {
    async notHidden(owner) {
      const underWay = await erasures.find({ owner, state: 'erasing' }).lean();
      if (underWay.length === 0) return {};
      const known = await withExceptions(underWay);
      return { $nor: underWay.map((erasure) => named(erasure, known)) };
    },

    async namedBy(erasure) {
      return named(erasure, await withExceptions([erasure]));
    },
  };
}

/** What it means, without what the deletions before it had named: that was not there any more. */
function named(erasure: ErasureDocument, known: ReadonlyMap<string, ErasureDocument>): RecordCondition {
  // One that is purged has left nothing to make an exception of, and has forgotten what it named.
  const before = erasure.except
    .flatMap((id) => known.get(id.toHexString()) ?? [])
    .filter(({ forgetAt }) => forgetAt === null);
  const means = meaning(erasure);
  return before.length === 0 ? means : { ...means, $nor: before.map((other) => named(other, known)) };
}

/** Whether `ids` say which records it names. */
export function isByIds({ kind, isFixed }: Pick<ErasureDocument, 'kind' | 'isFixed'>): boolean {
  return kind === 'selection' || isFixed === true;
}

/** The records that fit its description. */
export function meaning(
  erasure: Pick<
    ErasureDocument,
    'kind' | 'conversationId' | 'contactId' | 'since' | 'until' | 'upTo' | 'ids' | 'isFixed'
  >,
): RecordCondition {
  const { kind, conversationId, contactId, since, until, upTo, ids } = erasure;
  if (isByIds(erasure)) return { _id: { $in: ids } };
  if (kind === 'conversation') return { conversationId };
  // Who asked for himself has no contact, and so no id of one.
  const contact = contactId === null ? {} : { 'contact.id': contactId === '' ? null : contactId };
  const days = { ...(since ? { $gte: since } : {}), ...(until ? { $lt: until } : {}) };
  const asked = { ...days, ...(upTo ? { $lte: upTo } : {}) };
  return { ...contact, ...(Object.keys(asked).length > 0 ? { createdAt: asked } : {}) };
}
