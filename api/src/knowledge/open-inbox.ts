import type { PairModel } from '../answers/pair.ts';
import type { RecordModels } from '../records/record-models.ts';
import { createInbox, type Inbox } from './inbox.ts';
import { createInboxGroups, type InboxGroupStore } from './inbox-groups.ts';
import { createInboxSorter } from './inbox-sorter.ts';
import { createPairs, type Pairs } from './pairs.ts';
import type { UnansweredModel } from './unanswered.ts';

/**
 * The wired unanswered inbox. Code that removes records uses `groups` before removing them, and
 * `inbox.forget` when it deletes an owner.
 */
export interface OpenInbox {
  inbox: Inbox;
  groups: InboxGroupStore;
  pairs: Pairs;
}

/** `key` is used for the inbox only, see `deriveKey`. */
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
