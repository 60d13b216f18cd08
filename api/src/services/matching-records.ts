import type { RecordFilter } from '../contract.ts';
import type { RecordDocument } from '../models/record.ts';
import type { PageRequest } from './conversations.ts';

/** Counting ends here: beyond, it is "more". */
export const mostCounted = 10_000;

/**
 * The owner's records that a filter finds, newest first by (createdAt, id); erased and hidden ones never. Every reading goes along an
 * index: of the rarest term that must occur, or of the date. All throw ambiguousContact for a name of several contacts.
 */
export interface MatchingRecords {
  /** @throws invalidRequest('cursor') for one of another filter. */
  page(
    owner: string,
    filter: RecordFilter,
    request: PageRequest,
  ): Promise<{ records: RecordDocument[]; nextCursor: string | null }>;
  /** Exact up to `mostCounted`. */
  count(owner: string, filter: RecordFilter): Promise<{ total: number; totalIsMore: boolean }>;
  /** All of them, in slices that leave room for other calls; only `fields` of them where given. */
  each<F extends keyof RecordDocument>(
    owner: string,
    filter: RecordFilter,
    fields: readonly F[],
  ): AsyncIterable<Pick<RecordDocument, F | '_id'>[]>;
}
