import { changeRecord } from '../records/change-record.ts';
import type { RecordModel } from '../records/record.ts';
import { slicesById } from '../store/in-slices.ts';
import { type SettingModel, upgradeOnce } from '../store/setting.ts';
import type { HandoverDocument, HandoverModel } from './handover.ts';

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
  const replied = { firstReplyAt: { $ne: null } };
  const fields = { recordId: 1, isOfConversation: 1 } as const;
  // Stored once the records of handovers that earlier versions replied to are marked.
  await upgradeOnce(settings, 'handovers_version', '1', async () => {
    for await (const some of slicesById<HandoverDocument>(handovers, slice, replied, fields))
      for (const handover of some) {
        if (signal.aborted) return false;
        await markAnswered(records, handover);
      }
    return true;
  });
}
