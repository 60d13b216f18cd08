import type { Contact, ContactPage } from '../contract.ts';
import type { PageRequest } from './conversations.ts';

/** The people that an owner has asked for. There is one as long as a record of the owner's, not erased, names it. */
export interface Contacts {
  /**
   * Whom the owner means by `written`, for a new record: one of the owner's by id, else the only one of that name, else a new one; null
   * for oneself. `name` gives it a name; without one it keeps the name that it has.
   *
   * @throws ambiguousContact when several of the owner's contacts have that name.
   */
  resolve(owner: string, written?: string, name?: string): Promise<Contact | null>;
  /** The same for a filter or a deletion: the id that is meant, '' for oneself. */
  idOf(owner: string, written: string): Promise<string>;
  /** Keeps what a new record was asked for. */
  used(owner: string, contact: Contact | null, at: Date): Promise<void>;
  /** Makes these contacts anew from the records that are there: after a deletion, an undo, an import. */
  recount(owner: string, contactIds: readonly string[]): Promise<void>;
  /** Last used first. `q` is a part of the id or of the name. @throws invalidRequest('cursor') */
  list(owner: string, q: string, request: PageRequest): Promise<ContactPage>;
}
