import type { Logger } from 'pino';
import type { AccountModels } from '../accounts/account-models.ts';
import type { Guests } from '../accounts/guests.ts';
import type { ResponseTime } from '../contract/handover.ts';
import type { RecordStats } from '../contract/search.ts';
import type { Pairs } from '../knowledge/pairs.ts';
import type { OpenRecords } from '../records/open-records.ts';
import type { RecordModels } from '../records/record-models.ts';
import { markEarlierReplies } from './answered-records.ts';
import type { HandoverModel } from './handover.ts';
import { createHandoverChanges, type HandoverChanges } from './handover-changes.ts';
import { createHandoverInbox, type HandoverInbox } from './handover-inbox.ts';
import { createHandovers, type Handovers } from './handovers.ts';
import { createReadResponseTime } from './response-time.ts';

/** Questions that people answer. */
export interface OpenHandover {
  handovers: Handovers;
  inbox: HandoverInbox;
  changes: HandoverChanges;
  readResponseTime(): Promise<ResponseTime>;
  /** Adds to the records of replies by earlier versions what this version stores with them. */
  upgrade(signal: AbortSignal): Promise<void>;
  /** Figures of all visitors' handovers, for statistics. */
  figures(): Promise<NonNullable<RecordStats['handovers']>>;
}

export function openHandover(deps: {
  models: Pick<RecordModels, 'records' | 'conversations'> &
    Pick<AccountModels, 'settings'> & { handovers: HandoverModel };
  records: Pick<OpenRecords, 'hidden' | 'findRecord' | 'createRecord' | 'summaries'>;
  accounts: { guests: Guests };
  pairs: Pick<Pairs, 'putFor'>;
  log: Logger;
}): OpenHandover {
  const { models, records, accounts, pairs, log } = deps;
  const changes = createHandoverChanges(models.handovers, log);
  const parts = { ...models, hidden: records.hidden, pairs, changes };
  const inbox = createHandoverInbox(parts);
  const readResponseTime = createReadResponseTime(models.handovers);
  return {
    handovers: createHandovers({ ...records, ...models, guests: accounts.guests, changes }),
    inbox,
    changes,
    readResponseTime,
    upgrade: (signal) => markEarlierReplies(models, signal),
    async figures() {
      const [open, { medianMinutes }] = await Promise.all([inbox.countOpen(), readResponseTime()]);
      return { open, medianMinutes };
    },
  };
}
