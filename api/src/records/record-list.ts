import type { AnswerReason } from '../contract/answers.ts';
import type { DeskRecord, RecordPage } from '../contract/records.ts';
import type { FeedbackRequest } from '../contract/search.ts';
import type { IncompleteSource } from '../contract/sources.ts';
import { notFound } from '../errors/errors.ts';
import { type PageRequest, readPage } from '../store/cursor.ts';
import { toObjectId } from '../store/object-id.ts';
import { changeRecord } from './change-record.ts';
import type { FindRecord, HiddenRecords } from './hidden-records.ts';
import { type RecordDocument, type RecordModel, toDeskRecord } from './record.ts';

type WithSources = Pick<RecordDocument, 'owner' | 'citations' | 'files'>;
/** What could not be read of the sources of an answer. */
export type FindIncompleteSources = (record: WithSources) => Promise<IncompleteSource[]>;

export type RecordList = ReturnType<typeof createRecordList>;

/** Reads by the index (owner, erasedBy, createdAt, _id): a page costs the same at any depth. */
export function createRecordList(
  records: RecordModel,
  hidden: HiddenRecords,
  findRecord: FindRecord,
  findIncompleteSources: FindIncompleteSources,
) {
  return {
    /** Newest first by (createdAt, id). @throws invalidRequest('cursor') */
    async page(owner: string, request: PageRequest): Promise<RecordPage> {
      const visible = await hidden.visible(owner);
      const { page, nextCursor } = await readPage(records, 'createdAt', 'records', request, visible);
      return { records: (await hidden.shownTo(owner, page)).map(toDeskRecord), nextCursor };
    },

    /** One of the owner's records. @throws notFound('record') */
    async find(owner: string, id: string): Promise<DeskRecord> {
      const [shown] = await hidden.shownTo(owner, [await findRecord(owner, id)]);
      return toDeskRecord(shown!);
    },

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

    /** The explanation of an answer. @throws notFound('record'), notFound('why') if none was stored. */
    async why(owner: string, id: string): Promise<AnswerReason> {
      const fields = { why: 1, owner: 1, citations: 1, files: 1, collections: 1 } as const;
      const record = await findRecord(owner, id, fields);
      const [shown] = await hidden.shownTo(owner, [record]);
      if (!shown?.why) throw notFound('why');
      const incomplete = await findIncompleteSources(record);
      return { ...shown.why, ...(incomplete.length > 0 ? { incomplete } : {}) };
    },
  };
}
