import { Types } from 'mongoose';
import type { RecordFilter } from '../../contract/search.ts';
import { invalidRequest, notFound } from '../../errors/errors.ts';
import { inSlices } from '../../store/in-slices.ts';
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

export type ExportedRecords = ReturnType<typeof createExportedRecords>;

export function createExportedRecords(deps: {
  records: RecordModel;
  matching: Pick<MatchingRecords, 'each'>;
  hidden: HiddenRecords;
}) {
  const { records, matching, hidden } = deps;

  /** Newest first. */
  async function find(owner: string, ids: readonly string[]): Promise<Types.ObjectId[]> {
    const wanted = new Set(ids);
    if ([...wanted].some((id) => !/^[0-9a-f]{24}$/.test(id))) throw notFound('record');
    const _id = { $in: [...wanted].map((id) => new Types.ObjectId(id)) };
    const found = await records
      .find({ _id, ...(await hidden.visible(owner)) }, { _id: 1 })
      .sort({ createdAt: -1, _id: -1 })
      .lean();
    if (found.length < wanted.size) throw notFound('record');
    return found.map((record) => record._id);
  }

  async function* readByIds(owner: string, ids: readonly Types.ObjectId[]): AsyncGenerator<RecordDocument[]> {
    for (const some of inSlices(ids, slice)) {
      const found = await records.find({ _id: { $in: some }, ...(await hidden.visible(owner)) }).lean();
      const byId = new Map(found.map((record) => [record._id.toHexString(), record]));
      yield some.flatMap((id) => byId.get(id.toHexString()) ?? []);
    }
  }

  async function* shown(
    owner: string,
    all: AsyncIterable<RecordDocument[]>,
  ): AsyncGenerator<RecordDocument[]> {
    for await (const some of all) yield await hidden.shownTo(owner, some);
  }

  return {
    /**
     * The owner's records, newest first, read in slices on demand, so that only one slice is in memory. Records
     * deleted during the read are omitted from then on.
     * @throws notFound('record') immediately if an id is not one of the owner's, and whatever MatchingRecords
     * throws for a filter.
     */
    async read(owner: string, { ids, filter }: Selection): Promise<AsyncIterable<RecordDocument[]>> {
      if (ids) return shown(owner, readByIds(owner, await find(owner, ids)));
      if (!filter) throw invalidRequest('filter');
      return shown(owner, matching.each(owner, filter, null));
    },
  };
}
