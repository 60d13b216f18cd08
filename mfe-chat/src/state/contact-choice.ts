import type { Contact } from 'api/contract/records';
import type { Storage } from 'host/contract';
import { Subject } from 'rxjs';

/** The contact of a question. `isNew`: typed by the visitor; the server will assign its id. */
export interface ChosenContact extends Contact {
  isNew?: boolean;
}

interface StoredChoice {
  contact: ChosenContact | null;
  backTo?: ChosenContact | null;
}

export type ContactChoice = ReturnType<typeof createContactChoice>;

/**
 * The contact that the visitor chose for the next question of a conversation, or of the new one. It is stored in this browser until that
 * question is sent. From then on it is the contact of that conversation, unless it was chosen for one question only: then the former contact
 * returns. A new conversation starts without one.
 */
export function createContactChoice(storage: Pick<Storage, 'get' | 'set' | 'remove'>) {
  const changed$ = new Subject<void>();
  const keyOf = (conversationId: string | null) => `contact:${conversationId ?? 'new'}`;
  const stored = (conversationId: string | null) => storage.get<StoredChoice>(keyOf(conversationId));
  /** `backTo` is the contact after the next question; if it is undefined, `contact` remains. */
  const choose = (
    conversationId: string | null,
    contact: ChosenContact | null,
    backTo?: ChosenContact | null,
  ): void => {
    // Oneself is the default for new conversations.
    if (contact === null && conversationId === null) storage.remove(keyOf(null));
    else storage.set(keyOf(conversationId), { contact, backTo });
    changed$.next();
  };

  return {
    /** The chosen contact; null: oneself; undefined: nothing was chosen. */
    read: (conversationId: string | null): ChosenContact | null | undefined =>
      stored(conversationId)?.contact,
    /** The contact that returns after the next question; undefined: the chosen one remains. */
    backTo: (conversationId: string | null): ChosenContact | null | undefined =>
      stored(conversationId)?.backTo,
    choose,
    /** Forgets the choice. */
    drop(conversationId: string | null): void {
      storage.remove(keyOf(conversationId));
      changed$.next();
    },
    changed$,
  };
}

/** The fields of POST /api/chat for the contact. The name of a known contact is left out, because it may have changed. */
export function contactFields(contact: ChosenContact | null): { contact?: string; contactName?: string } {
  if (!contact) return {};
  return { contact: contact.id, ...(contact.isNew && contact.name ? { contactName: contact.name } : {}) };
}
