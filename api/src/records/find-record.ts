import { notFound } from '../errors/errors.ts';
import { toObjectId } from '../store/object-id.ts';
import type { HiddenRecords } from './hidden-records.ts';
import type { RecordDocument, RecordModel } from './record.ts';

/** Finds a visible record of the owner; only `fields` of it if given. @throws notFound('record') */
export type FindRecord = (
  owner: string,
  recordId: string,
  fields?: Partial<Record<keyof RecordDocument, 1>>,
) => Promise<RecordDocument>;

export function createFindRecord(records: RecordModel, hidden: HiddenRecords): FindRecord {
  return async (owner, recordId, fields) => {
    const _id = toObjectId(recordId, 'record');
    const record = await records.findOne({ _id, ...(await hidden.visible(owner)) }, fields).lean();
    if (!record) throw notFound('record');
    return record;
  };
}
