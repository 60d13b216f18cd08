import type { Contact } from '../contract.ts';
import { ambiguousContact } from '../errors.ts';
import type { RecordModel } from '../models/record.ts';
import { contactId, contactName } from './contact-id.ts';

/** That many contacts of one name are offered to choose from. */
const mostChoices = 20;

/**
 * The contact that an owner means by `written`: one of the owner's by id, else the only one of that name, else a new one; null for
 * oneself. `name` gives it a name; without one it keeps the name it was last used with.
 *
 * @throws ambiguousContact when several of the owner's contacts have that name.
 */
export async function resolveContact(
  records: RecordModel,
  owner: string,
  written = '',
  name = '',
): Promise<Contact | null> {
  const id = contactId(written);
  if (id === '') return null;
  const given = contactName(name);
  const known = await lastUsed(records, owner, id);
  if (known) return { id, name: given || known.name };
  const named = await contactsNamed(records, owner, contactName(written));
  if (named.length > 1) throw ambiguousContact(named);
  const [only] = named;
  return only ? { id: only.id, name: given || only.name } : { id, name: given };
}

async function lastUsed(records: RecordModel, owner: string, id: string): Promise<Contact | null> {
  const record = await records
    .findOne({ owner, erasedBy: null, 'contact.id': id }, { contact: 1 })
    .sort({ createdAt: -1 })
    .lean();
  return record?.contact ?? null;
}

/** Steps over the index from one id to the next: as many reads as there are contacts of that name, however many records they have. */
async function contactsNamed(records: RecordModel, owner: string, name: string): Promise<Contact[]> {
  const found: Contact[] = [];
  let behind = '';
  while (found.length < mostChoices) {
    const record = await records
      .findOne({ owner, erasedBy: null, 'contact.name': name, 'contact.id': { $gt: behind } }, { contact: 1 })
      .sort({ 'contact.id': 1 })
      .lean();
    if (!record?.contact) break;
    behind = record.contact.id;
    found.push({ id: record.contact.id, name: record.contact.name });
  }
  return found;
}
