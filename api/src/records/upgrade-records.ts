import type { Types } from 'mongoose';
import type { AccountModels } from '../accounts/account-models.ts';
import { slicesById } from '../store/in-slices.ts';
import { unlessDuplicate } from '../store/store-failure.ts';
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
const setting = 'records_version';
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
  const { records, settings } = models;
  if ((await settings.findById(setting).lean())?.value === String(recordsVersion)) return 0;
  let upgraded = 0;
  for await (const range of idRanges(records, signal)) {
    const without = { ...range, erasedBy: null, terms: { $nin: outcomes.map(outcomeTerm) } };
    const some: { _id: Types.ObjectId; owner: string; contact: { id: string } | null }[] = await records
      .find(without, { owner: 1, contact: 1 })
      .lean();
    // Contacts first: records that have terms are not examined again.
    for (const [owner, found] of Map.groupBy(some, (record) => record.owner)) {
      await contacts.recount(
        owner,
        found.flatMap(({ contact }) => (contact ? [contact.id] : [])),
      );
    }
    for (const { _id } of some) {
      if (await changeRecord(records, { ...without, _id }, () => ({}))) upgraded += 1;
    }
    await records.updateMany(
      { ...range, why: { $ne: null }, hasWhy: { $exists: false } },
      { $set: { hasWhy: true } },
    );
    await records.updateMany(
      { ...range, isInInbox: true, audience: { $exists: false } },
      { $set: { inboxDue: true } },
    );
  }
  if (signal.aborted || !(await upgradeTitles(models, signal))) return upgraded;
  // false: another process has just stored it.
  await unlessDuplicate(
    settings.updateOne({ _id: setting }, { $set: { value: String(recordsVersion) } }, { upsert: true }),
  );
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
async function upgradeTitles(
  { conversations }: Pick<RecordModels, 'conversations'>,
  signal: AbortSignal,
): Promise<boolean> {
  const set = { titleFrom: null, titleTerms: { $exists: false } };
  for await (const some of slicesById<ConversationDocument>(conversations, slice, set, { title: 1 })) {
    if (signal.aborted) return false;
    await conversations.bulkWrite(
      some.map(({ _id, title }) => ({
        updateOne: { filter: { _id, title }, update: { $set: { titleTerms: titleTerms(title) } } },
      })),
      { ordered: false },
    );
  }
  return !signal.aborted;
}
