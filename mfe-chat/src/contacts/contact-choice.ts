import type { Contact } from 'api/contract/records';
import type { Storage } from 'host/contract';
import { Subject } from 'rxjs';

/** Whom a question is for. `isNew`: as it was typed; what its id is, the server says. */
export interface ChosenContact extends Contact {
  isNew?: boolean;
}

/**
 * The contact that the visitor chose for the next question of a conversation, or of the new one. It is stored in this browser until that
 * question is sent. From then on it is the contact of that conversation; a new conversation starts without one.
 */
export interface ContactChoice {
  /** undefined: nothing was chosen; null: oneself. */
  read(conversationId: string | null): ChosenContact | null | undefined;
  choose(conversationId: string | null, contact: ChosenContact | null): void;
  /** Forgets the choice. */
  drop(conversationId: string | null): void;
  changed$: Subject<void>;
}

export function createContactChoice(storage: Pick<Storage, 'get' | 'set' | 'remove'>): ContactChoice {
  const changed$ = new Subject<void>();
  const keyOf = (conversationId: string | null) => `contact:${conversationId ?? 'new'}`;
  const read: ContactChoice['read'] = (conversationId) =>
    storage.get<{ contact: ChosenContact | null }>(keyOf(conversationId))?.contact;
  const choose: ContactChoice['choose'] = (conversationId, contact) => {
    // For oneself a new conversation is anyway.
    if (contact === null && conversationId === null) storage.remove(keyOf(null));
    else storage.set(keyOf(conversationId), { contact });
    changed$.next();
  };

  return {
    read,
    choose,
    drop(conversationId) {
      storage.remove(keyOf(conversationId));
      changed$.next();
    },
    changed$,
  };
}

/** The fields of POST /api/chat that say whom it is for. A known contact's name is not said again: it may have changed meanwhile. */
export function addressedTo(contact: ChosenContact | null): { contact?: string; contactName?: string } {
  if (!contact) return {};
  return { contact: contact.id, ...(contact.isNew && contact.name ? { contactName: contact.name } : {}) };
}
