import type { Types } from 'mongoose';
import { retryConflicts } from '../store/retry-conflicts.ts';
import type { RecordDocument, RecordModel } from './record.ts';
import { recordTerms } from './search/record-terms.ts';
import { inboxMark } from './unanswered-mark.ts';

/**
 * Changes a record and writes its terms along, and the mark of the unanswered inbox; an erased one has no terms. `change` sees it as it is
 * and says what becomes of it, null for nothing; it is asked again when somebody else was faster.
 *
 * @param filter what must hold, beside the id.
 * @throws unavailable when others change it all the time.
 * @returns the record as it is then; null when there is none, or nothing to change.
 */
export async function changeRecord(
  records: RecordModel,
  filter: { _id: Types.ObjectId } & Record<string, unknown>,
  change: (record: RecordDocument) => Partial<RecordDocument> | null,
): Promise<RecordDocument | null> {
  const { changed } = await retryConflicts(async () => {
    const record = await records.findOne(filter).lean();
    const changes = record && change(record);
    if (!changes) return { changed: null };
    const changed: RecordDocument = { ...record, ...changes };
    const terms = record.erasedBy ? {} : { terms: recordTerms(changed) };
    const written = await records.updateOne(
      { $and: [filter, asItWas(record)] },
      { $set: { ...changes, ...terms, ...inboxMark(changed) } },
    );
    return written.matchedCount === 1 ? { changed } : null;
  });
  return changed;
}

/** To be held to when a record is written as it was read: whatever changes its terms, or its place in the inbox, changes one of these. */
export function asItWas({
  erasedBy,
  status,
  begun,
  answeredAt,
  feedback,
  inbox,
}: Pick<RecordDocument, 'erasedBy' | 'status' | 'begun' | 'answeredAt' | 'feedback' | 'inbox'>): Record<
  string,
  unknown
> {
  const rating = feedback?.rating ?? null;
  return { erasedBy, status, begun, answeredAt, 'feedback.rating': rating, inbox: inbox ?? null };
}
