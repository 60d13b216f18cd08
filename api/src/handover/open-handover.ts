import type { AccountModels } from '../accounts/account-models.ts';
import type { Guests } from '../accounts/guests.ts';
import type { OpenChat } from '../chat/open-chat.ts';
import type { RecordStats } from '../contract/search.ts';
import type { Pairs } from '../knowledge/pairs.ts';
import type { OpenRecords } from '../records/open-records.ts';
import type { RecordModels } from '../records/record-models.ts';
import { markEarlierReplies } from './answered-records.ts';
import type { HandoverModel } from './handover.ts';
import { createHandoverChanges } from './handover-changes.ts';
import { createHandoverInbox } from './handover-inbox.ts';
import { createHandovers } from './handovers.ts';
import { createReadResponseTime } from './response-time.ts';

export type OpenHandover = ReturnType<typeof openHandover>;

/** Questions that people answer. */
export function openHandover(deps: {
  models: Pick<RecordModels, 'records' | 'conversations'> &
    Pick<AccountModels, 'settings'> & { handovers: HandoverModel };
  records: Pick<OpenRecords, 'hidden' | 'findRecord' | 'createRecord' | 'summaries'>;
  accounts: { guests: Guests };
  chat: Pick<OpenChat, 'expectAnswer'>;
  pairs: Pick<Pairs, 'putFor'>;
}) {
  const { models, records, accounts, chat, pairs } = deps;
  const changes = createHandoverChanges(models.handovers);
  const parts = { ...models, hidden: records.hidden, pairs, changes };
  const inbox = createHandoverInbox(parts);
  const readResponseTime = createReadResponseTime(models.handovers);
  return {
    handovers: createHandovers({
      ...records,
      ...models,
      expectAnswer: chat.expectAnswer,
      guests: accounts.guests,
      changes,
    }),
    inbox,
    changes,
    readResponseTime,
    /** Adds to the records of replies by earlier versions what this version stores with them. */
    upgrade: (signal: AbortSignal): Promise<void> => markEarlierReplies(models, signal),
    /** Figures of all visitors' handovers, for statistics. */
    async figures(): Promise<NonNullable<RecordStats['handovers']>> {
      const [open, { medianMinutes }] = await Promise.all([inbox.countOpen(), readResponseTime()]);
      return { open, medianMinutes };
    },
  };
}
