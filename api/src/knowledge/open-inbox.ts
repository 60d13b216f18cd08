import type { PairModel } from '../answers/pair.ts';
import type { RecordModels } from '../records/record-models.ts';
import { createInbox, type Inbox } from './inbox.ts';
import { createInboxGroups, type InboxGroupStore } from './inbox-groups.ts';
import { createInboxSorter } from './inbox-sorter.ts';
import { createPairs, type Pairs } from './pairs.ts';
import type { UnansweredModel } from './unanswered.ts';

/** The unanswered inbox with all that it rests on. Whoever removes records needs it: `groups` before they go, `inbox.forget` for an owner's. */
export interface OpenInbox {
  inbox: Inbox;
  groups: InboxGroupStore;
  pairs: Pairs;
}

/** `key` serves the inbox alone, see `deriveKey`. */
export function openInbox(
  { records, unanswered }: Pick<RecordModels, 'records'> & { unanswered: UnansweredModel },
  pairModel: PairModel,
  key: Buffer,
): OpenInbox {
  const groups = createInboxGroups(unanswered, records, key);
  const sorter = createInboxSorter(records, groups);
  const pairs = createPairs(pairModel);
  return { inbox: createInbox({ records, unanswered, groups, sorter, pairs }), groups, pairs };
}
