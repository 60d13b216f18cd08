import type { ContactSearch } from 'api/contract/contacts';
import type { Contact } from 'api/contract/records';
import type { ContactPage } from 'api/contract/search';
import type { Http } from 'host/contract';

/** The visitor's contacts whose id or name contains `query`, most recently used first; at most `limit` (1–100). */
export async function findContacts(
  http: Http,
  query: string,
  limit: number,
  signal?: AbortSignal,
): Promise<Contact[]> {
  const body: ContactSearch = { limit, ...(query && { q: query }) };
  const { data } = await http.post<ContactPage>('/api/contacts/search', body, signal && { signal });
  return data.contacts;
}
