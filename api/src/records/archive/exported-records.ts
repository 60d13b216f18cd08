import type { RecordFilter } from '../../contract/search.ts';
import { notFound } from '../../errors/errors.ts';
import { inSlices } from '../../store/in-slices.ts';
import { toObjectId } from '../../store/object-id.ts';
import type { HiddenRecords } from '../hidden-records.ts';
import type { RecordDocument, RecordModel } from '../record.ts';
import type { MatchingRecords } from '../search/matching-records.ts';

/** The records to export: by ids or by filter, exactly one of them. */
export interface Selection {
  ids?: readonly string[] | undefined;
  filter?: RecordFilter | undefined;
}

/** Records per read. */
const slice = 100;
const newestFirst = { createdAt: -1, _id: -1 } as const;

export type ReadSelected = ReturnType<typeof createReadSelected>;

export function createReadSelected(deps: {
  records: RecordModel;
  matching: Pick<MatchingRecords, 'each'>;
  hidden: HiddenRecords;
}) {
  const { records, matching, hidden } = deps;

  async function* byIds(owner: string, ids: readonly string[]): AsyncGenerator<RecordDocument[]> {
    const wanted = [...new Set(ids)].map((id) => toObjectId(id, 'record'));
    const condition = { _id: { $in: wanted }, ...(await hidden.visible(owner)) };
    const found = await records.find(condition, { _id: 1 }).sort(newestFirst).lean();
    if (found.length < wanted.length) throw notFound('record');
    for (const some of inSlices(found, slice)) {
      const _id = { $in: some.map((record) => record._id) };
      yield await records
        .find({ _id, ...(await hidden.visible(owner)) })
        .sort(newestFirst)
        .lean();
    }
  }

  /**
   * The owner's records, newest first, read in slices on demand, so that only one slice is in memory. Records
   * deleted during the read are omitted from then on.
   * @throws notFound('record') with the first slice if an id is not one of the owner's, and whatever
   * MatchingRecords throws for a filter.
   */
  return async function* readSelected(owner: string, { ids, filter = {} }: Selection) {
    const all = ids ? byIds(owner, ids) : matching.each(owner, filter, null);
    for await (const some of all) yield await hidden.shownTo(owner, some);
  };
}
