import type { HostServices } from 'host/contract';
import { Subject } from 'rxjs';
import { type ChatStore, createChatStore } from './chat-store.ts';
import { type Consultation, createConsultation } from './consultation.ts';
import { type ConversationList, createConversationList } from './conversation-list.ts';
import type { Drafts } from './drafts.ts';

/** Everything behind one mounted chat screen. */
export interface Desk {
  store: ChatStore;
  conversations: ConversationList;
  consultation: Consultation;
  /** Emits the id that the shown, new conversation has got, or null when a new one has taken the place of the shown one. */
  named$: Subject<string | null>;
  /** Starts reading; returns the end of everything, after which it can be started again. */
  connect(): () => void;
}

export function createDesk(services: HostServices, drafts: Drafts): Desk {
  const { http, storage, toasts, token$ } = services;
  const named$ = new Subject<string | null>();
  const store = createChatStore();
  const conversations = createConversationList(http);
  const consultation = createConsultation({
    http,
    store,
    drafts,
    onNamed: (id) => named$.next(id),
    onAsked: () => void conversations.refresh(),
    onFailure: ({ message }) => void toasts.show({ kind: 'error', text: message }),
    nextFrame(callback) {
      // A hidden tab gets no frames; its answer has to grow all the same.
      if (document.hidden) {
        const timer = setTimeout(callback, 100);
        return () => clearTimeout(timer);
      }
      const frame = requestAnimationFrame(callback);
      return () => cancelAnimationFrame(frame);
    },
  });

  return {
    store,
    conversations,
    consultation,
    named$,
    connect() {
      let owner: string | undefined;
      let isSettled = false;
      let wasGuest = !token$.value;
      const following = storage.owner$.subscribe((next) => {
        const isNew = isSettled && next !== owner;
        owner = next;
        if (!isNew) return;
        conversations.clear();
        void conversations.load();
        // Signing in takes a guest's conversation along. Anybody else's is out of reach for whoever comes after.
        if (wasGuest) consultation.reopen();
        else {
          consultation.startNew();
          named$.next(null);
        }
        wasGuest = !token$.value;
      });
      isSettled = true;
      void conversations.load();
      return () => {
        following.unsubscribe();
        consultation.close();
        conversations.clear();
      };
    },
  };
}
