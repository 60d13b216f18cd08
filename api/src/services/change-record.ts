import type { Types } from 'mongoose';
import type { RecordDocument, RecordModel } from '../models/record.ts';
import { recordTerms } from './record-terms.ts';

/**
 * Changes a record and writes its terms along; an erased one has none. `change` sees it as it is and says what becomes of it, null for
 * nothing; it is asked again when somebody else was faster.
 *
 * @param filter what must hold, beside the id.
 * @returns the record as it is then; null when there is none, or nothing to change.
 */
export async function changeRecord(
  records: RecordModel,
  filter: { _id: Types.ObjectId } & Record<string, unknown>,
  change: (record: RecordDocument) => Partial<RecordDocument> | null,
): Promise<RecordDocument | null> {
  for (;;) {
    const record = await records.findOne(filter).lean();
    const changes = record && change(record);
    if (!changes) return null;
    const changed: RecordDocument = { ...record, ...changes };
    const terms = record.erasedBy ? {} : { terms: recordTerms(changed) };
    const written = await records.updateOne(
      { $and: [filter, asItWas(record)] },
      { $set: { ...changes, ...terms } },
    );
    if (written.matchedCount === 1) return changed;
  }
}

/** To be held to when a record is written as it was read: whatever changes its terms changes one of these. */
export function asItWas({
  erasedBy,
  status,
  begun,
  answeredAt,
  feedback,
}: RecordDocument): Record<string, unknown> {
  return { erasedBy, status, begun, answeredAt, 'feedback.rating': feedback?.rating ?? null };
}
