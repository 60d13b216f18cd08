import type { PairModel } from '../answers/pairs/pair.ts';
import type { Collections } from '../collections/collections.ts';
import type { RecordModels } from '../records/record-models.ts';
import { createInbox } from './inbox.ts';
import { createInboxGroups } from './inbox-groups.ts';
import { createInboxSorter } from './inbox-sorter.ts';
import { createPairs } from './pairs.ts';
import type { UnansweredModel } from './unanswered.ts';

export type OpenInbox = ReturnType<typeof openInbox>;

/**
 * The wired unanswered inbox. Code that removes records uses `groups` before removing them, and
 * `inbox.forget` when it deletes an owner.
 * `key` is used for the inbox only, see `deriveKey`.
 */
export function openInbox(
  { records, unanswered }: Pick<RecordModels, 'records'> & { unanswered: UnansweredModel },
  pairModel: PairModel,
  key: Buffer,
  audienceOf: Collections['audienceOf'],
) {
  const groups = createInboxGroups(unanswered, records, key);
  const sorter = createInboxSorter(records, groups, audienceOf);
  const pairs = createPairs(pairModel);
  return { inbox: createInbox({ records, unanswered, groups, sorter, pairs }), groups, pairs };
}
