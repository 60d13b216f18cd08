import type { Types } from 'mongoose';
import { retryConflicts } from '../store/retry-conflicts.ts';
import type { RecordDocument, RecordModel } from './record.ts';
import { recordTerms } from './search/record-terms.ts';
import { inboxMark } from './unanswered-mark.ts';

/**
 * Changes a record together with its terms and the mark of the unanswered inbox; deleted records have no
 * terms. `change` gets the current record and returns the update, or null for none; it is called again after
 * a concurrent write.
 * @param known the record as last seen: it is read only if it has changed since.
 * @param filter additional condition besides the id. @throws unavailable if concurrent writes continue.
 * @returns the updated record; null if there is none or nothing to change.
 */
export async function changeRecord(
  records: RecordModel,
  filter: { _id: Types.ObjectId } & Record<string, unknown>,
  change: (record: RecordDocument) => Partial<RecordDocument> | null,
  known?: RecordDocument,
): Promise<RecordDocument | null> {
  let seen = known ?? null;
  const { changed } = await retryConflicts(async () => {
    const record = seen ?? (await records.findOne(filter).lean());
    seen = null;
    const changes = record && change(record);
    if (!changes) return { changed: null };
    const changed: RecordDocument = { ...record, ...changes };
    const terms = record.erasedBy ? {} : { terms: recordTerms(changed) };
    const written = await records.updateOne(
      { $and: [filter, unchangedSince(record)] },
      { $set: { ...changes, ...terms, ...inboxMark(changed, record) } },
    );
    return written.matchedCount === 1 ? { changed } : null;
  });
  return changed;
}

/** For optimistic locking: all that affects a record's terms or place in the inbox changes a field of it. */
export function unchangedSince(
  record: Pick<
    RecordDocument,
    'erasedBy' | 'status' | 'begun' | 'answeredAt' | 'feedback' | 'inbox' | 'contact' | 'answeredByPerson'
  >,
) {
  return {
    erasedBy: record.erasedBy,
    status: record.status,
    begun: record.begun,
    answeredAt: record.answeredAt,
    'feedback.rating': record.feedback?.rating ?? null,
    inbox: record.inbox ?? null,
    answeredByPerson: record.answeredByPerson ?? null,
    'contact.id': record.contact?.id ?? null,
  };
}
