import type { Storage } from 'host/contract';
import { Subject } from 'rxjs';
import type { ChosenContact } from '../contacts/contact-choice.ts';

/** A question that was sent and that the server has not confirmed. */
export interface PendingQuestion {
  clientId: string;
  /** null: it begins a conversation. */
  conversationId: string | null;
  text: string;
  /** Whom it is for; without one, oneself. */
  contact?: ChosenContact;
  /** How many files went with it. They are not kept. */
  files?: number;
  /** The page that has them, while it stands. */
  page?: string;
  /** The model that was chosen for it. */
  model?: string;
  /** The last sign of it, in milliseconds since the epoch; 0 when it is on its way no more. */
  at: number;
}

/** What the visitor has typed, kept in this browser: a draft a conversation, and questions on their way. */
export interface Drafts {
  read(conversationId: string | null): string;
  write(conversationId: string | null, text: string): void;
  /** The new conversation has got its id: its draft goes along. */
  adopt(conversationId: string): void;
  /** Puts words that could not be sent before whatever stands in the draft. */
  giveBack(question: PendingQuestion): void;
  /** Emits the conversation whose draft was changed by something else than `write`. */
  changed$: Subject<string | null>;
  pending(): readonly PendingQuestion[];
  keepPending(question: PendingQuestion): void;
  dropPending(clientId: string): void;
}

export function createDrafts(storage: Pick<Storage, 'get' | 'set' | 'remove'>): Drafts {
  const changed$ = new Subject<string | null>();
  const keyOf = (conversationId: string | null) => `draft:${conversationId ?? 'new'}`;
  const read: Drafts['read'] = (conversationId) => storage.get<string>(keyOf(conversationId)) ?? '';
  const write: Drafts['write'] = (conversationId, text) =>
    text ? storage.set(keyOf(conversationId), text) : storage.remove(keyOf(conversationId));
  const pending = () => storage.get<PendingQuestion[]>('pending') ?? [];
  const setPending = (questions: PendingQuestion[]) =>
    questions.length ? storage.set('pending', questions) : storage.remove('pending');
  const dropPending = (clientId: string) =>
    setPending(pending().filter((question) => question.clientId !== clientId));

  return {
    read,
    write,
    adopt(conversationId) {
      const draft = read(null);
      if (!draft) return;
      write(conversationId, draft);
      write(null, '');
    },
    giveBack({ clientId, conversationId, text }) {
      dropPending(clientId);
      const draft = read(conversationId);
      if (!text) return;
      write(conversationId, draft ? `${text}\n${draft}` : text);
      changed$.next(conversationId);
    },
    changed$,
    pending,
    keepPending: (question) =>
      setPending([...pending().filter(({ clientId }) => clientId !== question.clientId), question]),
    dropPending,
  };
}
