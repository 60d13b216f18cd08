import type { ErasureDocument, ErasureModel } from './erasure/erasure.ts';

/** A condition on records, to be spread into a query. */
export type RecordCondition = Record<string, unknown>;

export type HiddenRecords = ReturnType<typeof createHiddenRecords>;

/**
 * The condition that every read of records needs besides `erasedBy: null`: records of a deletion are hidden
 * as soon as it is decided, before they are marked one by one. Usually `{}`.
 */
export function createHiddenRecords(erasures: ErasureModel) {
  /** These erasures and, recursively, those that they exclude. */
  async function withExceptions(some: ErasureDocument[]): Promise<Map<string, ErasureDocument>> {
    const known = new Map(some.map((erasure) => [erasure._id.toHexString(), erasure]));
    for (let last = some; last.length > 0; ) {
      const missing = last.flatMap(({ except }) => except).filter((id) => !known.has(id.toHexString()));
      last = missing.length === 0 ? [] : await erasures.find({ _id: { $in: missing } }).lean();
      for (const erasure of last) known.set(erasure._id.toHexString(), erasure);
    }
    return known;
  }

  /** To be spread into a query of the owner's records; contains `$nor` or nothing. */
  async function notHidden(owner: string): Promise<RecordCondition> {
    const underWay = await erasures.find({ owner, state: 'erasing' }).lean();
    if (underWay.length === 0) return {};
    const known = await withExceptions(underWay);
    return { $nor: underWay.map((erasure) => named(erasure, known)) };
  }

  return {
    notHidden,

    /** The condition of the owner's visible records: `owner`, `erasedBy: null` and `notHidden`. */
    visible: async (owner: string): Promise<RecordCondition> => ({
      owner,
      erasedBy: null,
      ...(await notHidden(owner)),
    }),

    /**
     * Condition for the records that an erasure names, marked or not. Combine it with the owner; contains
     * `$nor` and plain fields.
     */
    async namedBy(erasure: ErasureDocument): Promise<RecordCondition> {
      return named(erasure, await withExceptions([erasure]));
    },
  };
}

/** Condition for the records it names, excluding those named by earlier deletions. */
function named(erasure: ErasureDocument, known: ReadonlyMap<string, ErasureDocument>): RecordCondition {
  // A purged deletion has no records left to exclude, and its criteria were cleared.
  const before = erasure.except
    .flatMap((id) => known.get(id.toHexString()) ?? [])
    .filter(({ forgetAt }) => forgetAt === null);
  const means = meaning(erasure);
  return before.length === 0 ? means : { ...means, $nor: before.map((other) => named(other, known)) };
}

/** Whether `ids` determine the named records. */
export function isByIds({ kind, isFixed }: Pick<ErasureDocument, 'kind' | 'isFixed'>): boolean {
  return kind === 'selection' || isFixed === true;
}

/** Condition for the records that match its criteria. */
export function meaning(
  erasure: Pick<
    ErasureDocument,
    'kind' | 'conversationId' | 'contactId' | 'since' | 'until' | 'upTo' | 'ids' | 'isFixed'
  >,
): RecordCondition {
  const { kind, conversationId, contactId, since, until, upTo, ids } = erasure;
  if (isByIds(erasure)) return { _id: { $in: ids } };
  if (kind === 'conversation') return { conversationId };
  // Questions for oneself have no contact and so no contact id.
  const contact = contactId === null ? {} : { 'contact.id': contactId === '' ? null : contactId };
  const days = { ...(since ? { $gte: since } : {}), ...(until ? { $lt: until } : {}) };
  const asked = { ...days, ...(upTo ? { $lte: upTo } : {}) };
  return { ...contact, ...(Object.keys(asked).length > 0 ? { createdAt: asked } : {}) };
}
