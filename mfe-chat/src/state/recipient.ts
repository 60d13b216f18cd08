import type { Handover, HandoverMessageRequest } from 'api/contract/handover';
import type { Storage } from 'host/contract';
import { createId } from 'host/ui/create-id.ts';
import { asFailure } from 'host/ui/failure.ts';
import { BehaviorSubject, Subject } from 'rxjs';
import type { Drafts } from './drafts.ts';
import type { Handovers } from './handovers.ts';

/** The open request for a person, to which the composer can write. */
export interface OpenPerson {
  id: string;
  /** Name of the person who has taken the request; '' while nobody has. */
  name: string;
  /** Whether the composer writes to the person; otherwise it asks the desk. */
  isChosen: boolean;
  /** The unsent message, with the id that makes sending it idempotent. */
  draft: HandoverMessageRequest;
  isSending: boolean;
  failure: string;
}

export type Recipient = ReturnType<typeof createRecipient>;

/**
 * Who receives the text of the composer: the desk or a person. Both have separate drafts. Until the visitor chooses, it is the desk while
 * the request waits, because the desk answers at once, and the person once the request is taken. Text that is being typed to the desk is
 * never redirected.
 */
export function createRecipient(deps: {
  storage: Storage;
  drafts: Pick<Drafts, 'read'>;
  handovers: Pick<Handovers, 'write' | 'focus$'>;
}) {
  const { storage, drafts, handovers } = deps;
  /** null without an open request in the shown conversation: the composer asks the desk. */
  const person$ = new BehaviorSubject<OpenPerson | null>(null);
  /** Emits when the text field should take the focus. */
  const focus$ = new Subject<void>();
  const patch = (id: string, change: Partial<OpenPerson>) => {
    const { value } = person$;
    if (value?.id === id) person$.next({ ...value, ...change });
  };
  /** Id of the request for which the text field gets the focus as soon as `follow` receives it. */
  let awaited: string | null = null;
  const focusAwaited = () => {
    if (awaited === null || person$.value?.id !== awaited) return;
    awaited = null;
    focus$.next();
  };
  const choose = (to: 'desk' | 'person'): void => {
    const { value } = person$;
    if (!value) return;
    storage.set(keyOf(value.id), to);
    patch(value.id, { isChosen: to === 'person' });
  };

  handovers.focus$.subscribe((id) => {
    storage.set(keyOf(id), 'person');
    awaited = id;
    patch(id, { isChosen: true, draft: readReplyDraft(storage, id) });
    focusAwaited();
  });

  return {
    person$,
    focus$,
    choose,
    /** Called with the open request of the shown conversation whenever it changes. */
    follow(handover: Handover | undefined): void {
      if (!handover) {
        if (person$.value) person$.next(null);
        return;
      }
      const { id, conversationId, agent } = handover;
      const known = person$.value?.id === id ? person$.value : null;
      const chosen = storage.get<string>(keyOf(id));
      const isDefault = agent !== null && (known?.isChosen || drafts.read(conversationId) === '');
      person$.next({
        id,
        name: agent ?? '',
        isChosen: chosen ? chosen === 'person' : isDefault,
        draft: known?.draft ?? readReplyDraft(storage, id),
        isSending: known?.isSending ?? false,
        failure: known?.failure ?? '',
      });
      focusAwaited();
    },
    change(text: string): void {
      const { value } = person$;
      if (value) patch(value.id, { draft: saveReplyDraft(storage, value.id, text), failure: '' });
    },
    /** Sends the draft to the person. Resolves with whether that succeeded. */
    async send(): Promise<boolean> {
      const { value } = person$;
      const text = value?.draft.text.trim();
      if (!value || !text || value.isSending) return false;
      const { id, draft } = value;
      patch(id, { isSending: true, failure: '' });
      try {
        await handovers.write(id, { text, clientId: draft.clientId });
        patch(id, { isSending: false, draft: saveReplyDraft(storage, id, '') });
        return true;
      } catch (reason) {
        patch(id, { isSending: false, failure: asFailure(reason).message });
        return false;
      }
    },
  };
}

const keyOf = (handoverId: string) => `handover-to:${handoverId}`;

const draftKeyOf = (handoverId: string) => `handover:${handoverId}`;

/** The unsent message of a handover; its `text` is '' if there is none. */
export function readReplyDraft(storage: Storage, handoverId: string): HandoverMessageRequest {
  return storage.get<HandoverMessageRequest>(draftKeyOf(handoverId)) ?? { text: '', clientId: '' };
}

/** Every text has its own `clientId`, so that sending it again after a lost response is idempotent. */
export function saveReplyDraft(storage: Storage, handoverId: string, text: string): HandoverMessageRequest {
  const draft = { text, clientId: createId() };
  if (text) storage.set(draftKeyOf(handoverId), draft);
  else storage.remove(draftKeyOf(handoverId));
  return draft;
}
