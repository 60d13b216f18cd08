import { createHash } from 'node:crypto';
import type { Contact } from '../contract/records.ts';
import type { ContactPage } from '../contract/search.ts';
import { ApiError } from '../errors/errors.ts';
import {
  after,
  cutPage,
  type PageRequest,
  type Position,
  readCursor,
  readPage,
  writeCursor,
} from '../store/cursor.ts';
import { retryConflicts } from '../store/retry-conflicts.ts';
import { unlessDuplicate } from '../store/store-failure.ts';
import { fold } from '../text/fold.ts';
import type { ContactDocument } from './contact.ts';
import { forgetNotes, hideNote, restoreNotes } from './contact-book/contact-notes.ts';
import { contactId, contactName } from './contact-id.ts';
import type { HiddenRecords, RecordCondition } from './hidden-records.ts';
import type { RecordModels } from './record-models.ts';

/** Maximum number of contacts listed for an ambiguous name. */
const maxChoices = 20;

/** Substring search covers this many most recently used contacts; older ones are found by prefix only. */
const maxSearched = 2000;
const maxOlder = 200;

const newestFirst = { lastUsedAt: -1, _id: -1 } as const;

export type Contacts = ReturnType<typeof createContacts>;

/** Contacts of an owner. One exists while a record that is not deleted names it. */
export function createContacts(models: RecordModels, hidden: HiddenRecords) {
  const { contacts, records, deletions } = models;

  /**
   * Contacts that still have records after the running deletions, which recalculate contacts only at their end.
   * `notHidden` must be read before `found`.
   */
  async function visible(owner: string, found: ContactDocument[], notHidden: RecordCondition) {
    if (found.length === 0 || Object.keys(notHidden).length === 0) return found;
    const running = await deletions
      .find({ owner, state: 'erasing', kind: 'contact', isFixed: { $ne: true } }, { contactId: 1, upTo: 1 })
      .lean();
    const isBeingDeleted = ({ contactId, lastUsedAt }: ContactDocument) =>
      running.some(({ contactId: id, upTo }) => id === contactId && upTo !== null && lastUsedAt <= upTo);
    const newest = await Promise.all(
      found.map((one) => !isBeingDeleted(one) && newestRecord(owner, one.contactId, notHidden)),
    );
    return found.filter((_, at) => newest[at]);
  }

  async function newestRecord(owner: string, id: string, notHidden: RecordCondition) {
    return records
      .findOne({ 'contact.id': id, owner, erasedBy: null, ...notHidden }, { contact: 1, createdAt: 1 })
      .sort({ createdAt: -1 })
      .lean();
  }

  /**
   * Finds the contact for a new record: by id, otherwise the only one with that name, otherwise a new one;
   * null for the owner. `name` sets its name; without it the existing name stays.
   * @throws ambiguous_contact if several contacts have that name.
   */
  async function resolve(owner: string, written: string = '', name: string = ''): Promise<Contact | null> {
    const id = contactId(written);
    if (id === '') return null;
    const given = contactName(name);
    const notHidden = await hidden.notHidden(owner);
    const known = await contacts.findOne({ owner, contactId: id }).lean();
    const [there] = known ? await visible(owner, [known], notHidden) : [];
    if (there) return { id, name: given || there.name };
    const sameName = await contacts
      .find({ owner, name: contactName(written) })
      .sort({ contactId: 1 })
      .limit(maxChoices)
      .lean();
    const named = (await visible(owner, sameName, notHidden)).map(toContact);
    if (named.length > 1) throw new ApiError('ambiguous_contact', { choices: named });
    const [only] = named;
    return only ? { id: only.id, name: given || only.name } : { id, name: given };
  }

  /** Writes one contact from its newest record. false: it was changed concurrently. */
  async function recalculate(owner: string, id: string): Promise<boolean> {
    const before = await contacts.findOne({ owner, contactId: id }).lean();
    const newest = await newestRecord(owner, id, await hidden.notHidden(owner));
    const derived = newest?.contact ? { name: newest.contact.name, lastUsedAt: newest.createdAt } : null;
    if (before) {
      const seen = { _id: before._id, lastUsedAt: before.lastUsedAt };
      if (derived) return (await contacts.updateOne(seen, { $set: derived })).matchedCount === 1;
      return (await contacts.deleteOne(seen)).deletedCount === 1;
    }
    if (!derived) return true;
    return unlessDuplicate(contacts.create({ owner, contactId: id, ...derived }));
  }

  /** Recalculates these contacts from the existing records, after a deletion, an undo or an import. */
  async function recount(owner: string, contactIds: readonly string[]): Promise<void> {
    for (const id of new Set(contactIds)) {
      if (id === '') continue;
      await retryConflicts(async () => (await recalculate(owner, id)) || null);
      if (!(await contacts.exists({ owner, contactId: id }))) await hideNote(models, owner, id);
    }
  }

  /** Latest use first, without duplicates: matches among the latest, then older ones that begin with `q`. */
  async function search(owner: string, q: string): Promise<ContactDocument[]> {
    const recent = await contacts.find({ owner }).sort(newestFirst).limit(maxSearched).lean();
    const fits = fitting(q);
    const found = recent.filter(fits);
    const oldest = recent.length < maxSearched ? undefined : recent.at(-1);
    if (!oldest) return found;
    const older = after('lastUsedAt', { at: oldest.lastUsedAt, id: oldest._id });
    const beginnings = [{ contactId: startingWith(contactId(q)) }, { name: startingWith(contactName(q)) }];
    const lists = await Promise.all(
      beginnings.map((beginning) =>
        contacts
          .find({ owner, ...beginning, ...older })
          .limit(maxOlder)
          .lean(),
      ),
    );
    const others = new Map(lists.flat().map((contact) => [contact.contactId, contact]));
    return [...found, ...[...others.values()].sort(byLastUse)];
  }

  async function searchPage(owner: string, q: string, { limit, cursor }: PageRequest) {
    const name = `contacts ${hashOf(fold(q.trim()))}`;
    const from = cursor === undefined ? null : readCursor(name, cursor);
    const found = (await search(owner, q)).filter((contact) => !from || isAfter(contact, from));
    return cutPage(found, limit, (last) => writeCursor(name, { at: last.lastUsedAt, id: last._id }));
  }

  return {
    resolve,

    /** The same for a filter or a deletion: returns the contact's id, '' for the owner. */
    async idOf(owner: string, written: string): Promise<string> {
      return (await resolve(owner, written))?.id ?? '';
    },

    /** Records that a contact was used by a new record. */
    async used(owner: string, contact: Contact | null, at: Date): Promise<void> {
      if (!contact) return;
      const write = () =>
        contacts.updateOne(
          { owner, contactId: contact.id },
          {
            ...(contact.name === '' ? { $setOnInsert: { name: '' } } : { $set: { name: contact.name } }),
            $max: { lastUsedAt: at },
          },
          { upsert: true },
        );
      // Of two concurrent first questions, the other one may have inserted it, so that it can be updated now.
      if (!(await unlessDuplicate(write()))) await write();
    },

    recount,

    /** The same after records were restored: notes deleted with them are restored, too. */
    async restore(owner: string, contactIds: readonly string[]): Promise<void> {
      await recount(owner, contactIds);
      await restoreNotes(models, owner, contactIds);
    },

    /** The same after records were purged: notes deleted with them are purged, too. */
    async purge(owner: string, contactIds: readonly string[]): Promise<void> {
      await recount(owner, contactIds);
      await forgetNotes(models, owner, contactIds);
    },

    /** Most recently used first. `q` is a part of the id or name. @throws invalidRequest('cursor') */
    async list(owner: string, q: string, request: PageRequest): Promise<ContactPage> {
      const notHidden = await hidden.notHidden(owner);
      const { page, nextCursor } =
        fold(q.trim()) === ''
          ? await readPage(contacts, 'lastUsedAt', 'contacts', request, { owner })
          : await searchPage(owner, q, request);
      return { contacts: (await visible(owner, page, notHidden)).map(toContact), nextCursor };
    },
  };
}

function toContact({ contactId: id, name }: ContactDocument): Contact {
  return { id, name };
}

/** Whether a contact's folded id or name contains `q`; a phone number's without spaces and dashes. */
function fitting(q: string): (contact: ContactDocument) => boolean {
  const text = fold(q.trim());
  const id = fold(contactId(q));
  const digits = text.replace(/[\s\p{Pd}]/gu, '');
  const phone = /^\+?\d+$/.test(digits) ? digits : text;
  return (contact) => {
    const theirs = fold(contact.contactId);
    return [text, id, phone].some((part) => theirs.includes(part)) || fold(contact.name).includes(text);
  };
}

function startingWith(text: string): { $gte: string; $lt: string } {
  return { $gte: text, $lt: `${text}\u{10ffff}` };
}

function byLastUse(a: ContactDocument, b: ContactDocument): number {
  return (
    b.lastUsedAt.getTime() - a.lastUsedAt.getTime() || (a._id.toHexString() < b._id.toHexString() ? 1 : -1)
  );
}

function isAfter({ lastUsedAt, _id }: ContactDocument, { at, id }: Position): boolean {
  const later = lastUsedAt.getTime() - at.getTime();
  return later < 0 || (later === 0 && _id.toHexString() < id.toHexString());
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 16);
}
