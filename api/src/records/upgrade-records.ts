import type { Types } from 'mongoose';
import type { AccountModels } from '../accounts/account-models.ts';
import { isDuplicateKey } from '../store/store-failure.ts';
import { changeRecord } from './change-record.ts';
import type { Contacts } from './contacts.ts';
import type { RecordModels } from './record-models.ts';

/** What the records of a desk have: 1, terms and contacts. Written once all of them do. */
const version = '1';
const setting = 'records_version';
/** Records read in one go. */
const slice = 200;

/**
 * Brings up the records of earlier data: those without terms get them, and the contacts that they name get an entry. Goes slice by slice,
 * beside the desk's work; cut short, it goes on with what is left at the next start. Returns the number of records it changed.
 *
 * @param signal ends it after the slice that it is at.
 */
export async function upgradeRecords(
  { records, settings }: Pick<RecordModels, 'records'> & Pick<AccountModels, 'settings'>,
  contacts: Contacts,
  signal: AbortSignal,
): Promise<number> {
  if ((await settings.findById(setting).lean())?.value === version) return 0;
  let upgraded = 0;
  for (let behind: Types.ObjectId | null = null; !signal.aborted; ) {
    const without = { erasedBy: null, terms: { $exists: false } };
    const some: { _id: Types.ObjectId; owner: string; contact: { id: string } | null }[] = await records
      .find({ ...without, ...(behind ? { _id: { $gt: behind } } : {}) }, { owner: 1, contact: 1 })
      .sort({ _id: 1 })
      .limit(slice)
      .lean();
    // Contacts first: what has terms is not looked at again.
    for (const [owner, found] of Map.groupBy(some, (record) => record.owner)) {
      await contacts.recount(
        owner,
        found.flatMap(({ contact }) => (contact ? [contact.id] : [])),
      );
    }
    for (const { _id } of some) {
      if (await changeRecord(records, { _id, ...without }, () => ({}))) upgraded += 1;
    }
    behind = some.at(-1)?._id ?? null;
    if (some.length < slice) {
      await finish(settings);
      break;
    }
  }
  return upgraded;
}

async function finish(settings: AccountModels['settings']): Promise<void> {
  const write = () => settings.updateOne({ _id: setting }, { $set: { value: version } }, { upsert: true });
  await write().catch((cause: unknown) => {
    // Another process of the same desk has written it just now.
    if (!isDuplicateKey(cause)) throw cause;
  });
}
