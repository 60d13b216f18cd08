import type { Types } from 'mongoose';
import { changeRecord } from '../records/change-record.ts';
import type { RecordModel } from '../records/record.ts';
import type { SettingModel } from '../store/setting.ts';
import { unlessDuplicate } from '../store/store-failure.ts';
import type { HandoverDocument, HandoverModel } from './handover.ts';

/** Stored once the records of handovers that earlier versions replied to are marked. */
const setting = 'handovers_version';
const version = '1';
/** Handovers per read. */
const slice = 100;

/**
 * Marks the record of a handover that has a reply as answered by a person. A handover of a whole conversation belongs
 * to its latest record, which may be another question: it counts only if the desk had no answer. Can be repeated.
 */
export async function markAnswered(
  records: RecordModel,
  { recordId, isOfConversation }: Pick<HandoverDocument, 'recordId' | 'isOfConversation'>,
): Promise<void> {
  await changeRecord(records, { _id: recordId, answeredByPerson: null }, ({ source }) =>
    isOfConversation && source !== 'none' ? null : { answeredByPerson: true },
  );
}

/** Marks the records of replies that were sent before records had the mark. Continues after an interruption. */
export async function markEarlierReplies(
  models: { handovers: HandoverModel; records: RecordModel; settings: SettingModel },
  signal: AbortSignal,
): Promise<void> {
  const { handovers, records, settings } = models;
  if ((await settings.findById(setting).lean())?.value === version) return;
  for (let after: Types.ObjectId | null = null; ; ) {
    const some: Pick<HandoverDocument, '_id' | 'recordId' | 'isOfConversation'>[] = await handovers
      .find(
        { firstReplyAt: { $ne: null }, ...(after ? { _id: { $gt: after } } : {}) },
        { recordId: 1, isOfConversation: 1 },
      )
      .sort({ _id: 1 })
      .limit(slice)
      .lean();
    for (const handover of some) {
      if (signal.aborted) return;
      await markAnswered(records, handover);
    }
    after = some.at(-1)?._id ?? null;
    if (some.length < slice) break;
  }
  // false: another process has just stored it.
  await unlessDuplicate(settings.updateOne({ _id: setting }, { $set: { value: version } }, { upsert: true }));
}
