import type { Types } from 'mongoose';
import type { HiddenRecords } from '../records/hidden-records.ts';
import type { RecordModel } from '../records/record.ts';
import type { HandoverDocument, HandoverModel } from './handover.ts';

/** Maximum number of handovers that are read of a conversation: the latest. */
const maxOfConversation = 50;

/** The latest visible handovers of a conversation, oldest first. */
export async function handoversOf(
  deps: { handovers: HandoverModel; records: RecordModel; hidden: HiddenRecords },
  owner: string,
  conversationId: Types.ObjectId,
): Promise<HandoverDocument[]> {
  const found = await deps.handovers
    .find({ owner, conversationId, erasedBy: null })
    .sort({ createdAt: -1 })
    .limit(maxOfConversation)
    .lean();
  return visibleHandovers(deps, owner, found.reverse());
}

/** Handovers whose record is visible: a running deletion hides records before it marks their handovers. */
export async function visibleHandovers<T extends Pick<HandoverDocument, 'recordId'>>(
  { records, hidden }: { records: RecordModel; hidden: HiddenRecords },
  owner: string,
  some: readonly T[],
): Promise<T[]> {
  if (some.length === 0) return [];
  const _id = { $in: some.map(({ recordId }) => recordId) };
  const found = await records.find({ _id, ...(await hidden.visible(owner)) }, { _id: 1 }).lean();
  const shown = new Set(found.map(({ _id }) => _id.toHexString()));
  return some.filter(({ recordId }) => shown.has(recordId.toHexString()));
}
