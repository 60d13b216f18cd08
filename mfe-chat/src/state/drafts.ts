import type { Storage } from 'host/contract';
import { Subject } from 'rxjs';
import type { ChosenContact } from './contact-choice.ts';

/** Maximum length of a question in UTF-16 units after trimming, as in the API. */
export const MAX_QUESTION = 8_000;

/** A question that was sent but not yet confirmed by the server. */
export interface PendingQuestion {
  clientId: string;
  /** null for the first question of a new conversation. */
  conversationId: string | null;
  text: string;
  /** The contact it is for; undefined for oneself. */
  contact?: ChosenContact;
  /** The contact of the next question, if `contact` was chosen for this one only. */
  backTo?: ChosenContact | null | undefined;
  /** Number of attached files. The files themselves are not stored. */
  files?: number;
  /** Id of the page that holds the files in memory. */
  page?: string;
  /** The model chosen for it. */
  model?: string;
  /** When a page last reported that it is sending the question, in milliseconds since the epoch; 0 when no page is sending it. */
  at: number;
}

export type Drafts = ReturnType<typeof createDrafts>;

/** Text stored in this browser: one draft per conversation, and unconfirmed questions. */
export function createDrafts(storage: Pick<Storage, 'get' | 'set' | 'remove'>) {
  /** Emits the conversation whose draft was changed by anything but `write`. */
  const changed$ = new Subject<string | null>();
  const keyOf = (conversationId: string | null) => `draft:${conversationId ?? 'new'}`;
  const read = (conversationId: string | null): string => storage.get<string>(keyOf(conversationId)) ?? '';
  const write = (conversationId: string | null, text: string): void =>
    text ? storage.set(keyOf(conversationId), text) : storage.remove(keyOf(conversationId));
  const pending = (): readonly PendingQuestion[] => storage.get<PendingQuestion[]>('pending') ?? [];
  const setPending = (questions: PendingQuestion[]) =>
    questions.length ? storage.set('pending', questions) : storage.remove('pending');
  const removePending = (clientId: string): void =>
    setPending(pending().filter((question) => question.clientId !== clientId));

  return {
    read,
    write,
    /** Moves the draft of the new conversation to its id. */
    adopt(conversationId: string): void {
      const draft = read(null);
      if (!draft) return;
      write(conversationId, draft);
      write(null, '');
    },
    /** Inserts the text of an unsent question before the current draft. */
    putBack({ clientId, conversationId, text }: PendingQuestion): void {
      removePending(clientId);
      const draft = read(conversationId);
      if (!text) return;
      write(conversationId, draft ? `${text}\n${draft}` : text);
      changed$.next(conversationId);
    },
    changed$,
    pending,
    savePending: (question: PendingQuestion): void =>
      setPending([...pending().filter(({ clientId }) => clientId !== question.clientId), question]),
    removePending,
  };
}
