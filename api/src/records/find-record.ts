import { notFound } from '../errors/errors.ts';
import { toObjectId } from '../store/object-id.ts';
import type { HiddenRecords } from './hidden-records.ts';
import type { RecordDocument, RecordModel } from './record.ts';

/** Finds a visible record of the owner. @throws notFound('record') */
export type FindRecord = (owner: string, recordId: string) => Promise<RecordDocument>;

export function createFindRecord(records: RecordModel, hidden: HiddenRecords): FindRecord {
  return async (owner, recordId) => {
    const _id = toObjectId(recordId, 'record');
    const record = await records
      .findOne({ _id, owner, erasedBy: null, ...(await hidden.notHidden(owner)) })
      .lean();
    if (!record) throw notFound('record');
    return record;
  };
}
