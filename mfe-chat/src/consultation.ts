import type { RecordPage } from 'api/contract';
import type { Http } from 'host/contract';
import { BehaviorSubject, Subject } from 'rxjs';
import { createAnswerRuns } from './answer-runs.ts';
import { type ChatMessage, type MessageFailure, messagesOf, questionAndPlaceholder } from './chat-message.ts';
import type { ChatStore } from './chat-store.ts';
import { createId } from './create-id.ts';
import type { Drafts } from './drafts.ts';
import { asFailure } from './http-failure.ts';
import { MAX_QUESTION } from './max-question.ts';

/** A question that was on its way this long ago (milliseconds) is sent again by itself; an older one becomes a draft again. */
const FRESH = 120_000;

export interface ConsultationState {
  /** null: a new one, that gets its id with its first question. */
  conversationId: string | null;
  phase: 'loading' | 'ready' | 'failed' | 'missing';
  failure: MessageFailure | null;
  hasOlder: boolean;
  isLoadingOlder: boolean;
  /** The key of the answer that is running, the newest if there are several. */
  runningKey: string | null;
  /** When the next try of a lost connection comes, in milliseconds since the epoch. */
  retryAt: number | null;
}

export interface ConsultationDeps {
  http: Http;
  store: ChatStore;
  drafts: Drafts;
  /** The shown conversation has got its id. */
  onNamed(conversationId: string): void;
  /** A question has reached the server, here or in a conversation that was left. */
  onAsked(): void;
  /** An action did not work; nothing else shows it. */
  onFailure(failure: MessageFailure): void;
  /** Calls back before the next paint; returns its cancellation. */
  nextFrame(callback: () => void): () => void;
}

/** The conversation on the screen: loads it, asks, listens, stops, asks again. */
export interface Consultation {
  state$: BehaviorSubject<ConsultationState>;
  /** Emits when the list should go to its end: a question was sent or a conversation opened. */
  toEnd$: Subject<void>;
  /** Emits the whole answer once it is finished, to be read out. */
  finished$: Subject<string>;
  /** Shows a conversation, or with null a new one. The one that is shown already is left alone. */
  open(conversationId: string | null): void;
  /** Reads the conversation that is shown anew. */
  reopen(): void;
  /** An empty page, whatever is shown now. */
  startNew(): void;
  loadOlder(): Promise<void>;
  /** False when there is nothing to send, too much, or an answer is running: then the words stay where they are. */
  send(text: string): boolean;
  stop(): Promise<void>;
  /** Answers anew, or sends again what could not be sent. */
  retry(answerKey: string): void;
  /** Tries the lost connection at once. */
  reconnect(): void;
  /** Ends everything that runs. The server goes on answering. */
  close(): void;
}

const READY: ConsultationState = {
  conversationId: null,
  phase: 'ready',
  failure: null,
  hasOlder: false,
  isLoadingOlder: false,
  runningKey: null,
  retryAt: null,
};

export function createConsultation(deps: ConsultationDeps): Consultation {
  const { http, store, drafts } = deps;
  const state$ = new BehaviorSubject<ConsultationState>({ ...READY, phase: 'loading' });
  const toEnd$ = new Subject<void>();
  const finished$ = new Subject<string>();
  const set = (change: Partial<ConsultationState>) => state$.next({ ...state$.value, ...change });
  let cursor: string | null = null;
  let visit = new AbortController();
  /** undefined: nothing yet, or closed. */
  let opened: string | null | undefined;

  const runs = createAnswerRuns({
    ...deps,
    onChange: (change) => set(change),
    onFinished: (text) => finished$.next(text),
    onNamed(conversationId) {
      drafts.adopt(conversationId);
      opened = conversationId;
      set({ conversationId });
      deps.onNamed(conversationId);
    },
  });

  const leave = () => {
    visit.abort();
    visit = new AbortController();
    cursor = null;
    runs.leave();
  };

  const ask = (text: string, clientId: string, conversationId: string | null) => {
    const [question, placeholder] = questionAndPlaceholder(text, clientId, new Date());
    store.append(question);
    store.append(placeholder);
    runs.ask({ questionKey: question.key, key: placeholder.key, text, clientId, conversationId });
    toEnd$.next();
  };

  const restorePending = (conversationId: string | null) => {
    for (const question of drafts.pending().filter((one) => one.conversationId === conversationId))
      if (Date.now() - question.at < FRESH) ask(question.text, question.clientId, conversationId);
      else drafts.giveBack(question);
  };

  const readPage = async (conversationId: string, signal: AbortSignal) => {
    const params = { limit: 20, ...(cursor ? { cursor } : {}) };
    const { data } = await http.get<RecordPage>(`/api/conversations/${conversationId}/records`, {
      params,
      signal,
    });
    if (signal.aborted) return null;
    cursor = data.nextCursor;
    return data.records.toReversed().flatMap(messagesOf);
  };

  const load = async (conversationId: string) => {
    leave();
    opened = conversationId;
    const { signal } = visit;
    store.reset([]);
    state$.next({ ...READY, conversationId, phase: 'loading' });
    try {
      const messages = await readPage(conversationId, signal);
      if (!messages) return;
      store.reset(messages);
      showImages();
      set({ phase: 'ready', hasOlder: cursor !== null });
      for (const message of messages) if (message.state === 'answering') runs.resume(message);
      restorePending(conversationId);
      toEnd$.next();
    } catch (reason) {
      if (signal.aborted) return;
      const failure = asFailure(reason);
      set({ phase: failure.status === 404 ? 'missing' : 'failed', failure });
    }
  };

  const showImages = () => {
    const newest = store.chatList.findLast(({ imgUrls }) => imgUrls.length > 0);
    store.replaceImgUrls(newest?.imgUrls ?? []);
  };

  const startNew = () => {
    leave();
    opened = null;
    store.reset([]);
    state$.next(READY);
    restorePending(null);
  };

  return {
    state$,
    toEnd$,
    finished$,
    open(conversationId) {
      if (conversationId === opened) return;
      if (conversationId === null) startNew();
      else void load(conversationId);
    },
    reopen() {
      if (typeof opened === 'string') void load(opened);
      else startNew();
    },
    startNew,
    async loadOlder() {
      const { conversationId, isLoadingOlder } = state$.value;
      if (!conversationId || !cursor || isLoadingOlder) return;
      const { signal } = visit;
      set({ isLoadingOlder: true });
      try {
        const older = await readPage(conversationId, signal);
        if (!older) return;
        store.prepend(older);
        set({ hasOlder: cursor !== null });
      } catch (reason) {
        if (!signal.aborted) deps.onFailure(asFailure(reason));
      } finally {
        if (!signal.aborted) set({ isLoadingOlder: false });
      }
    },
    send(words) {
      const text = words.trim();
      const { phase, runningKey, conversationId } = state$.value;
      if (!text || text.length > MAX_QUESTION || runningKey || phase !== 'ready') return false;
      ask(text, createId(), conversationId);
      return true;
    },
    stop: () => runs.stop(),
    retry(key) {
      const message = store.message(key);
      if (message && !state$.value.runningKey) retryMessage(message);
    },
    reconnect: () => runs.reconnect(),
    close() {
      leave();
      runs.close();
      opened = undefined;
    },
  };

  function retryMessage(message: ChatMessage) {
    if (message.recordId) return runs.retry(message);
    const questionKey = message.key.replace(/^a:/, 'q:');
    const question = store.message(questionKey);
    if (!question) return;
    store.patch(questionKey, { state: 'sending', failure: null });
    store.patch(message.key, { state: 'waiting', failure: null });
    const { clientId } = question;
    runs.ask({
      questionKey,
      key: message.key,
      text: question.text,
      clientId,
      conversationId: state$.value.conversationId,
    });
  }
}
