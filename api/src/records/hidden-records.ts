import { notFound } from '../errors/errors.ts';
import { toObjectId } from '../store/object-id.ts';
import type { DayRange } from '../text/day-range.ts';
import type { DeletionDocument, DeletionModel } from './deletion/deletion.ts';
import type { RecordDocument, RecordModel } from './record.ts';
import { everythingShown, type ShownTo } from './withdrawn-answers.ts';

/** A condition on records, to be spread into a query. */
export type RecordCondition = Record<string, unknown>;

/** The records of a range of days, up to that instant. */
export function inRange({ since, until, upTo }: DayRange & { upTo?: Date | null }): RecordCondition {
  if (!since && !until && !upTo) return {};
  const days = { ...(since ? { $gte: since } : {}), ...(until ? { $lt: until } : {}) };
  return { createdAt: { ...days, ...(upTo ? { $lte: upTo } : {}) } };
}

export type HiddenRecords = ReturnType<typeof createHiddenRecords>;

/**
 * The condition that every read of records needs besides `erasedBy: null`: records of a deletion are hidden
 * as soon as it is decided, before they are marked one by one. Usually `{}`. Records that were read must then pass
 * through `shownTo`, which withdraws answers.
 */
export function createHiddenRecords(deletions: DeletionModel, shownTo: ShownTo = everythingShown) {
  /** These deletions and, recursively, those that they exclude. */
  async function withExceptions(some: DeletionDocument[]): Promise<Map<string, DeletionDocument>> {
    const known = new Map(some.map((deletion) => [deletion._id.toHexString(), deletion]));
    for (let last = some; last.length > 0; ) {
      const missing = last.flatMap(({ except }) => except).filter((id) => !known.has(id.toHexString()));
      last = missing.length === 0 ? [] : await deletions.find({ _id: { $in: missing } }).lean();
      for (const deletion of last) known.set(deletion._id.toHexString(), deletion);
    }
    return known;
  }

  /** To be spread into a query of the owner's records; contains `$nor` or nothing. */
  async function notHidden(owner: string): Promise<RecordCondition> {
    const underWay = await deletions.find({ owner, state: 'erasing' }).lean();
    if (underWay.length === 0) return {};
    const known = await withExceptions(underWay);
    return { $nor: underWay.map((deletion) => named(deletion, known)) };
  }

  return {
    notHidden,
    shownTo,

    /** The condition of the owner's visible records: `owner`, `erasedBy: null` and `notHidden`. */
    visible: async (owner: string): Promise<RecordCondition> => {
      return { owner, erasedBy: null, ...(await notHidden(owner)) };
    },

    /** The records that it names, marked or not. Use it with the owner; it has `$nor` and plain fields. */
    async namedBy(deletion: DeletionDocument): Promise<RecordCondition> {
      return named(deletion, await withExceptions([deletion]));
    },
  };
}

/** Condition for the records it names, excluding those named by earlier deletions. */
function named(deletion: DeletionDocument, known: ReadonlyMap<string, DeletionDocument>): RecordCondition {
  // A purged deletion has no records left to exclude, and its criteria were cleared.
  const before = deletion.except
    .flatMap((id) => known.get(id.toHexString()) ?? [])
    .filter(({ forgetAt }) => forgetAt === null);
  const means = meaning(deletion);
  return before.length === 0 ? means : { ...means, $nor: before.map((other) => named(other, known)) };
}

/** Whether `ids` determine the named records. */
export function isByIds({ kind, isFixed }: Pick<DeletionDocument, 'kind' | 'isFixed'>): boolean {
  return kind === 'selection' || isFixed === true;
}

/** Condition for the records that match its criteria. */
export function meaning(
  deletion: Pick<
    DeletionDocument,
    'kind' | 'conversationId' | 'contactId' | 'since' | 'until' | 'upTo' | 'ids' | 'isFixed'
  >,
): RecordCondition {
  const { kind, conversationId, contactId, ids } = deletion;
  if (isByIds(deletion)) return { _id: { $in: ids } };
  if (kind === 'conversation') return { conversationId };
  // Questions for oneself have no contact and so no contact id.
  const contact = contactId === null ? {} : { 'contact.id': contactId === '' ? null : contactId };
  return { ...contact, ...inRange(deletion) };
}

type FieldsOfRecord = Partial<Record<keyof RecordDocument, 1>>;
export type FindRecord = ReturnType<typeof createFindRecord>;

/** Finds a visible record of the owner; only `fields` of it if given. @throws notFound('record') */
export function createFindRecord(records: RecordModel, hidden: HiddenRecords) {
  return async (owner: string, recordId: string, fields?: FieldsOfRecord) => {
    const _id = toObjectId(recordId, 'record');
    const record = await records.findOne({ _id, ...(await hidden.visible(owner)) }, fields).lean();
    if (!record) throw notFound('record');
    return record;
  };
}
