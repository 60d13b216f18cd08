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
  const params = { limit, ...(query && { q: query }) };
  const { data } = await http.get<ContactPage>('/api/contacts', { params, ...(signal && { signal }) });
  return data.contacts;
}
