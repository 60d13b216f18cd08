import type { Contact } from 'api/contract';
import type { Storage } from 'host/contract';
import { Subject } from 'rxjs';

/** Whom a question is for. `isNew`: as it was typed; what its id is, the server says. */
export interface ChosenContact extends Contact {
  isNew?: boolean;
}

/**
 * Whom the next question is for, as far as the visitor has chosen it: kept in this browser, for the new conversation and for each that
 * is there. What was not chosen is for the conversation's own contact.
 */
export interface ContactChoice {
  /** undefined: nothing was chosen; null: oneself. */
  read(conversationId: string | null): ChosenContact | null | undefined;
  choose(conversationId: string | null, contact: ChosenContact | null): void;
  /** The choice was taken along by a question, so that the conversation says it by itself. That of the new conversation stays. */
  drop(conversationId: string): void;
  /** Puts what the server has made of it in the place of what was typed. */
  settle(typed: ChosenContact, contact: Contact | null): void;
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
    settle(typed, contact) {
      const kept = read(null);
      if (kept?.isNew && kept.id === typed.id) choose(null, contact);
    },
    changed$,
  };
}

/** The fields of POST /api/chat that say whom it is for. A known contact's name is not said again: it may have changed meanwhile. */
export function addressedTo(contact: ChosenContact | null): { contact?: string; contactName?: string } {
  if (!contact) return {};
  return { contact: contact.id, ...(contact.isNew && contact.name ? { contactName: contact.name } : {}) };
}
