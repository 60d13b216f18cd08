import type { Deletion } from 'api/contract/deletions';
import type { Contact } from 'api/contract/records';
import type { FoundRecord, RecordFilter, SearchPage } from 'api/contract/search';
import type { Http } from 'host/contract';
import { inTimeZone } from './filters/filter.ts';
import type { Selection } from './selection.ts';

/** What to delete. Days are YYYY-MM-DD, inclusive. */
export type EraseScope =
  | { by: 'selection'; targets: Targets }
  | { by: 'contact'; contact: string }
  | { by: 'date'; from: string; to: string; contact?: string };

interface ErasePreview {
  deletion: Deletion;
  /** The newest of the records to be deleted. */
  sample: FoundRecord[];
  /** The contact whose records they are, if the scope is a contact. */
  contact: Contact | null;
}

const SHOWN = 3;

/**
 * Counts the records to be deleted and returns the newest. Rejects with an HttpFailure, with `choices` if a name matches several contacts.
 */
export async function previewErasure(
  http: Http,
  scope: EraseScope,
  signal: AbortSignal,
): Promise<ErasePreview> {
  const { url, body } = eraseCall(scope);
  const [deletion, page] = await Promise.all([
    http.post<Deletion>(url, { ...body, dryRun: true }, { signal }),
    scope.by !== 'selection' && http.post<SearchPage>('/api/search', { ...body, limit: SHOWN }, { signal }),
  ]);
  const sample = page ? page.data.records : [];
  const contact = scope.by === 'contact' ? (sample[0]?.contact ?? null) : null;
  return { deletion: deletion.data, sample, contact };
}

/** The request that deletes `scope`. */
export function eraseCall(scope: EraseScope): { url: string; body: object } {
  if (scope.by === 'contact') return { url: '/api/delete_by_contact', body: { contact: scope.contact } };
  if (scope.by === 'date') return { url: '/api/delete_by_date', body: dates(scope) };
  return { url: '/api/delete_by_ids', body: scope.targets };
}

function dates({ from, to, contact }: EraseScope & { by: 'date' }) {
  return { from, to, ...inTimeZone(), ...(contact !== undefined && { contact }) };
}

/** The records that a call applies to: at most 5,000 ids, or all that match a filter. */
export type Targets = { ids: string[] } | { filter: RecordFilter };

export const MAX_IDS = 5000;
const PAGE = 100;

/**
 * The selection in the API's format. All matching records with exceptions cannot be expressed as a filter, so their ids are loaded first.
 * @throws Error with the message `tooMany` above 5,000 ids.
 */
export async function targetsOf(
  selection: Selection,
  filter: RecordFilter,
  { http, signal, tooMany }: { http: Http; signal: AbortSignal; tooMany: string },
): Promise<Targets> {
  if (selection.kind === 'some') return { ids: bounded([...selection.ids], tooMany) };
  if (selection.except.size === 0) return { filter };
  const ids: string[] = [];
  let cursor: string | null = null;
  do {
    const body = { ...filter, limit: PAGE, ...(cursor === null ? {} : { cursor }) };
    const page: SearchPage = (await http.post<SearchPage>('/api/search', body, { signal })).data;
    ids.push(...page.records.map(({ id }) => id).filter((id) => !selection.except.has(id)));
    bounded(ids, tooMany);
    cursor = page.nextCursor;
  } while (cursor !== null);
  return { ids };
}

function bounded(ids: string[], tooMany: string): string[] {
  if (ids.length > MAX_IDS) throw new Error(tooMany);
  return ids;
}
