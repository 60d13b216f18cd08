import type { Contact } from 'api/contract/records';
import type { Http } from 'host/contract';
import { isSameContact } from '../history/same-contact.ts';
import { asContactQuery } from './contact-label.ts';
import { findContacts } from './contacts.ts';

interface FoundContact {
  /** The part of the text that names it. */
  typed: string;
  /** One contact, or all contacts with this name. */
  contacts: Contact[];
}

/**
 * Looks for contacts whose whole id or name equals one of `candidates`, in this order; undefined if there is none.
 * @throws HttpFailure
 */
export async function findContact(
  http: Http,
  candidates: readonly string[],
  signal: AbortSignal,
): Promise<FoundContact | undefined> {
  const found = await Promise.all(
    candidates.map(async (typed) => ({ typed, contacts: await named(http, typed, signal) })),
  );
  return found.find(({ contacts }) => contacts.length > 0);
}

async function named(http: Http, typed: string, signal: AbortSignal): Promise<Contact[]> {
  const query = asContactQuery(typed);
  const isSame = (text: string) => text.normalize('NFKC').toLowerCase() === query.toLowerCase();
  const contacts = await findContacts(http, query, 100, signal);
  const byId = contacts.filter(({ id }) => isSameContact(query, id));
  return byId.length > 0 ? byId : contacts.filter(({ name }) => isSame(name));
}
