import { queryOptions } from '@tanstack/react-query';
import type { Citation } from 'api/contract/answers';
import type { HostServices, HttpFailure } from 'host/contract';
import { createQueryClient } from 'host/ui/queries.ts';
import { BehaviorSubject, Subject } from 'rxjs';
import { attachmentsOf } from './attachments.ts';
import { createChatStore } from './chat-store.ts';
import { createConsultation } from './consultation.ts';
import { createContactChoice } from './contact-choice.ts';
import { SAVED } from './conversation-pages.ts';
import { createConversations } from './conversations.ts';
import { createHold } from './create-hold.ts';
import type { Drafts } from './drafts.ts';
import { createHandovers } from './handovers.ts';
import { createModelChoice } from './model-choice.ts';
import { createQuestionEdit } from './question-edit.ts';
import { createRatings } from './ratings.ts';
import { createRecipient } from './recipient.ts';
import { createSearch } from './search.ts';
import { chatTexts } from './texts.ts';

/** How long a picture that is no longer shown is kept, in ms. */
const UNUSED_PICTURE_MS = 300_000;

declare module '@tanstack/react-query' {
  interface Register {
    defaultError: HttpFailure;
  }
}

/** A citation that is open beside the conversation. */
export interface OpenSource {
  /** Key of the answer. */
  key: string;
  citations: readonly Citation[];
  /** Number of the citation, counted from 1. */
  n: number;
}

export type ChatState = ReturnType<typeof createChatState>;

/** The stores of one mounted chat screen. */
export function createChatState(services: HostServices, drafts: Drafts) {
  const { http, saved, storage, toasts, token$ } = services;
  /**
   * Emits the conversation id to write into the address, or null for a new conversation. Rows of the side panel use this stream because a
   * router hook would render all of them on every navigation.
   */
  const address$ = new Subject<string | null>();
  const store = createChatStore();
  const attachments = attachmentsOf(services);
  const queries = createQueryClient();
  const conversations = createConversations(http, queries, {
    onUnread: () => handovers.expect(),
    onRemoved: () => void saved?.save(SAVED, undefined),
  });
  const choice = createContactChoice(storage);
  const search = createSearch(queries);
  const t = services.i18n.translator(chatTexts);
  const onFailure = ({ message }: { message: string }) => void toasts.show({ kind: 'error', text: message });
  const models = createModelChoice(http, storage);
  queries.setQueryDefaults(['picture'], { gcTime: UNUSED_PICTURE_MS });
  const pictureAt = (url: string) =>
    queryOptions({
      queryKey: ['picture', url],
      async queryFn({ signal }) {
        if (!url.startsWith('/api/')) throw new Error(`expected a picture of the API, got "${url}"`);
        return (await http.get<Blob>(url, { responseType: 'blob', signal })).data;
      },
    });
  const edit = createQuestionEdit(storage);
  const ratings = createRatings({ http, store, onFailure });
  const consultation = createConsultation({
    http,
    saved,
    store,
    drafts,
    choice,
    attachments,
    edit,
    model: () => models.state$.value.chosen,
    onFilesLost: () => void toasts.show({ kind: 'warning', text: t('filesLost') }),
    onRecordMissing: () => void toasts.show({ kind: 'info', text: t('recordMissing') }),
    onPictureStored: (url, picture) => void queries.setQueryData(pictureAt(url).queryKey, picture),
    onAddressChange: (id) => address$.next(id),
    onAsked: conversations.refresh,
    onFailure,
    onBusy: createHold(services.updates),
    nextFrame(callback) {
      // Hidden tabs get no animation frames, but their answers must grow, too.
      if (document.hidden) {
        const timer = setTimeout(callback, 100);
        return () => clearTimeout(timer);
      }
      const frame = requestAnimationFrame(callback);
      return () => cancelAnimationFrame(frame);
    },
  });
  const handovers = createHandovers({
    ...services,
    queries,
    conversations,
    shownId: () => consultation.state$.value.conversationId,
  });

  const recipient = createRecipient({ storage, drafts, handovers });

  return {
    store,
    queries,
    conversations,
    consultation,
    choice,
    ratings,
    attachments,
    models,
    /** Loads a picture by its address with the session's token. */
    pictureAt,
    edit,
    search,
    handovers,
    recipient,
    /** The citation that is open beside the conversation, or null. */
    source$: new BehaviorSubject<OpenSource | null>(null),
    address$,
    /** Sentences for screen readers about actions that nothing else announces. */
    announced$: new Subject<string>(),
    /** Starts loading. Returns a function that ends everything, after which `connect` can be called again. */
    connect(): () => void {
      // First, so that a change of owner removes these queries before the others are read again.
      const endHandovers = handovers.connect();
      let owner: string | undefined;
      let isConnected = false;
      let wasGuest = !token$.value;
      const subscription = storage.owner$.subscribe((next) => {
        const isNew = isConnected && next !== owner;
        owner = next;
        if (!isNew) return;
        search.clear();
        void queries.resetQueries();
        models.refresh();
        edit.refresh();
        // At sign-in the guest's conversations move to the account. After any other change of owner the conversation is inaccessible.
        if (wasGuest) consultation.reopen();
        else {
          // The new owner must not send unsent questions of the previous one.
          consultation.close();
          consultation.startNew();
          address$.next(null);
        }
        wasGuest = !token$.value;
      });
      isConnected = true;
      queries.mount();
      const refreshRatings = () => {
        const { conversationId, phase } = consultation.state$.value;
        consultation.refreshSaved();
        if (!document.hidden && conversationId && phase === 'ready') void ratings.refresh(conversationId);
      };
      const ended = new AbortController();
      const { signal } = ended;
      document.addEventListener('visibilitychange', refreshRatings, { signal });
      window.addEventListener('pagehide', consultation.abandon, { signal });
      window.addEventListener('online', consultation.refreshSaved, { signal });
      return () => {
        ended.abort();
        subscription.unsubscribe();
        endHandovers();
        search.clear();
        queries.removeQueries({ queryKey: ['picture'], type: 'inactive' });
        consultation.close();
        queries.unmount();
      };
    },
  };
}
