import type { Deletion } from 'api/contract/deletions';
import type { Contact } from 'api/contract/records';
import type { FoundRecord, RecordFilter, SearchPage } from 'api/contract/search';
import type { Http } from 'host/contract';
import type { Targets } from './targets.ts';

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
  tz: string | undefined,
  signal: AbortSignal,
): Promise<ErasePreview> {
  const { url, body } = eraseCall(scope, tz);
  const about: RecordFilter | null =
    scope.by === 'selection'
      ? null
      : { ...(scope.by === 'date' ? dates(scope, tz) : { contact: scope.contact }) };
  const [deletion, page] = await Promise.all([
    http.post<Deletion>(url, { ...body, dryRun: true }, { signal }),
    about && http.post<SearchPage>('/api/search', { ...about, limit: SHOWN }, { signal }),
  ]);
  const sample = page?.data.records ?? [];
  const contact = scope.by === 'contact' ? (sample[0]?.contact ?? null) : null;
  return { deletion: deletion.data, sample, contact };
}

/** The request that deletes `scope`. */
export function eraseCall(scope: EraseScope, tz: string | undefined): { url: string; body: object } {
  if (scope.by === 'contact') return { url: '/api/delete_by_contact', body: { contact: scope.contact } };
  if (scope.by === 'date') return { url: '/api/delete_by_date', body: dates(scope, tz) };
  return { url: '/api/delete_by_ids', body: scope.targets };
}

function dates({ from, to, contact }: EraseScope & { by: 'date' }, tz: string | undefined) {
  return { from, to, ...(tz && { tz }), ...(contact !== undefined && { contact }) };
}
