import type { ResponseTime } from '../contract/handover.ts';
import { databaseNow } from '../store/database-clock.ts';
import type { HandoverModel } from './handover.ts';

const periodMs = 30 * 86_400_000;
/** Minimum number of replies for a median. */
const minReplies = 3;
/** Maximum number of replies: the latest ones. */
const maxReplies = 500;

/** Reads the median time until the first reply, in whole minutes, at least one. */
export function createReadResponseTime(handovers: HandoverModel): () => Promise<ResponseTime> {
  return async () => {
    const replied = await handovers
      .find({ firstReplyAt: { $gt: new Date(databaseNow() - periodMs) } }, { _id: 0, firstReplyMs: 1 })
      .sort({ firstReplyAt: -1 })
      .limit(maxReplies)
      .lean<{ firstReplyMs: number }[]>();
    if (replied.length < minReplies) return { medianMinutes: null };
    const sorted = replied.map(({ firstReplyMs }) => firstReplyMs).sort((a, b) => a - b);
    const upper = Math.floor(sorted.length / 2);
    const lower = Math.ceil(sorted.length / 2) - 1;
    const medianMs = (sorted[lower]! + sorted[upper]!) / 2;
    return { medianMinutes: Math.max(1, Math.round(medianMs / 60_000)) };
  };
}
