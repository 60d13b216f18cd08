import type { AnswerReason } from '../contract/answers.ts';
import type { DeskRecord, RecordPage } from '../contract/records.ts';
import { notFound } from '../errors/errors.ts';
import { after, cutPage, readCursor, writeCursor } from '../store/cursor.ts';
import { toObjectId } from '../store/object-id.ts';
import type { PageRequest } from './conversations.ts';
import type { HiddenRecords } from './hidden-records.ts';
import { toDeskRecord } from './record.ts';
import type { RecordModels } from './record-models.ts';

export interface RecordList {
  /**
   * The owner's records of all conversations, newest first by (createdAt, id). @throws
   * invalidRequest('cursor')
   */
  page(owner: string, request: PageRequest): Promise<RecordPage>;
  /** One of the owner's records. @throws notFound('record') */
  find(owner: string, id: string): Promise<DeskRecord>;
  /** The explanation of an answer. @throws notFound('record'), notFound('why') if none was stored. */
  why(owner: string, id: string): Promise<AnswerReason>;
}

/**
 * Reads along the index (owner, erasedBy, createdAt, _id): the cost of a page does not depend on the number
 * of records.
 */
export function createRecordList(
  { records }: Pick<RecordModels, 'records'>,
  hidden: HiddenRecords,
): RecordList {
  return {
    async page(owner, { limit, cursor }) {
      const from = cursor === undefined ? {} : after('createdAt', readCursor('records', cursor));
      const read = await records
        .find({ owner, erasedBy: null, ...from, ...(await hidden.notHidden(owner)) })
        .sort({ createdAt: -1, _id: -1 })
        .limit(limit + 1)
        .lean();
      const { page, nextCursor } = cutPage(read, limit, (last) =>
        writeCursor('records', { at: last.createdAt, id: last._id }),
      );
      return { records: page.map(toDeskRecord), nextCursor };
    },

    async find(owner, id) {
      const _id = toObjectId(id, 'record');
      const record = await records
        .findOne({ _id, owner, erasedBy: null, ...(await hidden.notHidden(owner)) })
        .lean();
      if (!record) throw notFound('record');
      return toDeskRecord(record);
    },

    async why(owner, id) {
      const _id = toObjectId(id, 'record');
      const record = await records
        .findOne({ _id, owner, erasedBy: null, ...(await hidden.notHidden(owner)) }, { why: 1 })
        .lean();
      if (!record) throw notFound('record');
      if (!record.why) throw notFound('why');
      return record.why;
    },
  };
}
