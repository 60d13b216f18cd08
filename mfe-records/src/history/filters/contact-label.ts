import type { ContactSearch } from 'api/contract/contacts';
import type { Contact } from 'api/contract/records';
import type { ContactPage } from 'api/contract/search';
import type { Http } from 'host/contract';

/** Formats a mobile number in groups, 138 0013 8000; returns any other id unchanged. */
export function spacedId(id: string): string {
  return /^1\d{10}$/.test(id) ? `${id.slice(0, 3)} ${id.slice(3, 7)} ${id.slice(7)}` : id;
}

/** A contact's name and id. */
export function fullContactLabel({ id, name }: Contact): string {
  return [name !== id && name, spacedId(id)].filter(Boolean).join(' ');
}

/** A contact's name, or else its id. */
export function contactLabel({ id, name }: Contact): string {
  return name || spacedId(id);
}

/** Normalises typed text like an id: removes spaces and dashes of a phone number, and a leading +86. */
export function asContactQuery(text: string): string {
  const trimmed = text.normalize('NFKC').trim();
  if (!/^\+?[\d\s()-]+$/.test(trimmed)) return trimmed;
  return trimmed.replace(/[\s()-]/g, '').replace(/^(?:\+86|0086)(?=1\d{10}$)/, '');
}

/** Whether id or name contains the normalised text of a query. */
export function hasText({ id, name }: Contact, query: string): boolean {
  return [id, name].some((text) => text.toLowerCase().includes(query.toLowerCase()));
}

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

/** The address of a contact's page; of all contacts without an id. */
export function contactAddress(id?: string | null): string {
  return id ? `/contacts#id=${encodeURIComponent(id)}` : '/contacts';
}
