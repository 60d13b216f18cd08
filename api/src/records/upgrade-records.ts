import type { Types } from 'mongoose';
import type { AccountModels } from '../accounts/account-models.ts';
import { slicesById } from '../store/in-slices.ts';
import { upgradeOnce } from '../store/setting.ts';
import { changeRecord } from './change-record.ts';
import type { Contacts } from './contacts.ts';
import { type ConversationDocument, titleTerms } from './conversation.ts';
import type { RecordModel } from './record.ts';
import type { RecordModels } from './record-models.ts';
import { outcomeTerm } from './search/record-terms.ts';

/**
 * Schema version of records: 1 has terms and contacts, 2 the words of titles that owners have set, 3 terms for outcomes,
 * 4 a mark of those with an explanation, 5 the audience of unanswered ones. Stored once all are upgraded.
 */
export const recordsVersion = 5;
const outcomes = ['answered', 'related', 'nothing'] as const;
/** Records per read. */
const slice = 200;

/**
 * Upgrades records of earlier versions: adds missing terms, and contacts that they name. Works in slices in
 * the background; after an interruption the next start continues. Returns the number of changed records.
 * @param signal stops it after the current slice.
 */
export async function upgradeRecords(
  models: Pick<RecordModels, 'records' | 'conversations'> & Pick<AccountModels, 'settings'>,
  contacts: Contacts,
  signal: AbortSignal,
): Promise<number> {
  let upgraded = 0;
  await upgradeOnce(models.settings, 'records_version', String(recordsVersion), async () => {
    upgraded = await upgradeFields(models, contacts, signal);
    return !signal.aborted && upgradeTitles(models, signal);
  });
  return upgraded;
}

async function upgradeFields(
  { records }: Pick<RecordModels, 'records'>,
  contacts: Contacts,
  signal: AbortSignal,
) {
  let upgraded = 0;
  for await (const range of idRanges(records, signal)) {
    const without = { ...range, erasedBy: null, terms: { $nin: outcomes.map(outcomeTerm) } };
    const some: { _id: Types.ObjectId; owner: string; contact: { id: string } | null }[] = await records
      .find(without, { owner: 1, contact: 1 })
      .lean();
    // Contacts first: records that have terms are not examined again.
    for (const [owner, found] of Map.groupBy(some, (record) => record.owner)) {
      const named = found.flatMap(({ contact }) => (contact ? [contact.id] : []));
      await contacts.recount(owner, named);
    }
    for (const { _id } of some)
      if (await changeRecord(records, { ...without, _id }, () => ({}))) upgraded += 1;
    const explained = { ...range, why: { $ne: null }, hasWhy: { $exists: false } };
    await records.updateMany(explained, { $set: { hasWhy: true } });
    const waiting = { ...range, isInInbox: true, audience: { $exists: false } };
    await records.updateMany(waiting, { $set: { inboxDue: true } });
  }
  return upgraded;
}

/**
 * Conditions that each match at most `slice` records, and together all of them: a query for the few records to upgrade
 * would read the whole collection.
 */
async function* idRanges(records: RecordModel, signal: AbortSignal) {
  for (let from: Record<string, Types.ObjectId> = {}; !signal.aborted; ) {
    const last = await records
      .findOne(from.$gt ? { _id: from } : {}, { _id: 1 })
      .sort({ _id: 1 })
      .skip(slice - 1)
      .lean();
    const range = { ...from, ...(last ? { $lte: last._id } : {}) };
    yield Object.keys(range).length > 0 ? { _id: range } : {};
    if (!last) return;
    from = { $gt: last._id };
  }
}

/** false if it was stopped. */
async function upgradeTitles({ conversations }: Pick<RecordModels, 'conversations'>, signal: AbortSignal) {
  const set = { titleFrom: null, titleTerms: { $exists: false } };
  for await (const some of slicesById<ConversationDocument>(conversations, slice, set, { title: 1 })) {
    if (signal.aborted) return false;
    const changes = some.map(({ _id, title }) => ({
      updateOne: { filter: { _id, title }, update: { $set: { titleTerms: titleTerms(title) } } },
    }));
    await conversations.bulkWrite(changes, { ordered: false });
  }
  return !signal.aborted;
}
