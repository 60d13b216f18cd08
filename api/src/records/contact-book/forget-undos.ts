import type { Types } from 'mongoose';
import { databaseDate } from '../../store/database-clock.ts';
import type { RecordModels } from '../record-models.ts';
import type { Moved } from './contact-undo.ts';

/** Records per write. */
const slice = 200;

type Models = Pick<RecordModels, 'contactUndos' | 'records' | 'deletions'>;

/** Forgets merges and renames that can no longer be undone. */
export async function forgetExpiredUndos(models: Models): Promise<void> {
  await forget(models, { undoUntil: { $lt: databaseDate() } });
}

/** Forgets those of an owner's contacts that would restore no record: all have been deleted for good. */
export async function forgetEmptyUndos(models: Models, owner: string, contactIds: readonly string[]) {
  const named = [{ 'from.id': { $in: contactIds } }, { 'into.id': { $in: contactIds } }];
  for (const { _id } of await models.contactUndos
    .find({ owner, state: 'changed', $or: named }, { _id: 1 })
    .lean())
    if (!(await models.records.exists({ owner, 'moved.undo': _id }))) await forget(models, { _id });
}

async function forget(
  { contactUndos, records, deletions }: Models,
  condition: Record<string, unknown>,
): Promise<void> {
  for (const { _id, owner } of await contactUndos.find(condition, { owner: 1 }).limit(1000).lean()) {
    const named = { owner, 'moved.undo': _id };
    const without = <T extends { _id: Types.ObjectId; moved?: Moved[] }>({ _id: id, moved = [] }: T) => ({
      updateOne: {
        filter: { ...named, _id: id },
        update: { $set: { moved: moved.filter(({ undo }) => !undo.equals(_id)) } },
      },
    });
    for (;;) {
      const some = await records.find(named, { moved: 1 }).limit(slice).lean();
      if (some.length === 0) break;
      await records.bulkWrite(some.map(without));
    }
    const naming = await deletions.find(named, { moved: 1 }).lean();
    if (naming.length > 0) await deletions.bulkWrite(naming.map(without));
    await contactUndos.deleteOne({ _id });
  }
}
