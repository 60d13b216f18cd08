import type { RecordFilter, SearchPage } from 'api/contract/search';
import type { Http } from 'host/contract';
import type { Selection } from './selection.ts';

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
