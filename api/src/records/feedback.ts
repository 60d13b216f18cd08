import type { FeedbackRequest } from '../contract/search.ts';
import { notFound } from '../errors/errors.ts';
import { toObjectId } from '../store/object-id.ts';
import { changeRecord } from './change-record.ts';
import type { HiddenRecords } from './hidden-records.ts';
import type { RecordModel } from './record.ts';

export type FeedbackGiver = ReturnType<typeof createFeedback>;

export function createFeedback(records: RecordModel, hidden: HiddenRecords) {
  return {
    /**
     * Stores the owner's rating of an answer; 0 withdraws it and its note. Without `note`, repeating the same
     * rating keeps the existing note.
     * @throws notFound('record')
     */
    async rate(owner: string, { recordId, rating, note }: FeedbackRequest): Promise<void> {
      const filter = { _id: toObjectId(recordId, 'record'), ...(await hidden.visible(owner)) };
      const rated = await changeRecord(records, filter, ({ feedback }) => {
        if (rating === 0) return { feedback: null };
        const kept = feedback?.rating === rating ? feedback.note : '';
        return { feedback: { rating, note: note ?? kept } };
      });
      if (!rated) throw notFound('record');
    },
  };
}
