import type { Contact } from 'api/contract/records';

/** A mobile number in its groups, 138 0013 8000; any other id as it is. */
export function spacedId(id: string): string {
  return /^1\d{10}$/.test(id) ? `${id.slice(0, 3)} ${id.slice(3, 7)} ${id.slice(7)}` : id;
}

/** A contact's name, or its id where it has none. */
export function contactLabel({ id, name }: Contact): string {
  return name || spacedId(id);
}

/** What is typed for a contact as its id would be written: a phone number loses its spaces and dashes, and a leading +86. */
export function asContactQuery(text: string): string {
  const trimmed = text.normalize('NFKC').trim();
  if (!/^\+?[\d\s()-]+$/.test(trimmed)) return trimmed;
  return trimmed.replace(/[\s()-]/g, '').replace(/^(?:\+86|0086)(?=1\d{10}$)/, '');
}
