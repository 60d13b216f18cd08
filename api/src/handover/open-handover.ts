import type { Guests } from '../accounts/guests.ts';
import type { OpenChat } from '../chat/open-chat.ts';
import type { ResponseTime } from '../contract/handover.ts';
import type { RecordStats } from '../contract/search.ts';
import type { Pairs } from '../knowledge/pairs.ts';
import type { OpenRecords } from '../records/open-records.ts';
import type { RecordModels } from '../records/record-models.ts';
import { databaseNow } from '../store/database-clock.ts';
import type { HandoverModel } from './handover.ts';
import { createHandoverChanges } from './handover-changes.ts';
import { createHandoverInbox } from './handover-inbox.ts';
import { createHandovers } from './handovers.ts';

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

export type OpenHandover = ReturnType<typeof openHandover>;

export function openHandover(deps: {
  models: Pick<RecordModels, 'records' | 'conversations'> & { handovers: HandoverModel };
  records: Pick<OpenRecords, 'hidden' | 'findRecord' | 'createRecord' | 'summaries'>;
  accounts: { guests: Guests };
  chat: Pick<OpenChat, 'expectAnswer'>;
  pairs: Pick<Pairs, 'putFor'>;
}) {
  const { models, records, accounts, chat, pairs } = deps;
  const changes = createHandoverChanges(models.handovers);
  const inbox = createHandoverInbox({ ...models, hidden: records.hidden, pairs, changes });
  const { expectAnswer } = chat;
  const { guests } = accounts;
  const readResponseTime = createReadResponseTime(models.handovers);
  return {
    handovers: createHandovers({ ...records, ...models, expectAnswer, guests, changes }),
    inbox,
    changes,
    readResponseTime,
    /** Figures of all visitors' handovers, for statistics. */
    async figures(): Promise<NonNullable<RecordStats['handovers']>> {
      const [open, { medianMinutes }] = await Promise.all([inbox.countOpen(), readResponseTime()]);
      return { open, medianMinutes };
    },
  };
}
