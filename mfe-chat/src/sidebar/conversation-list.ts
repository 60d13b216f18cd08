import type { ConversationDeletion } from 'api/contract/deletions';
import type { Conversation, ConversationPage } from 'api/contract/records';
import type { Http } from 'host/contract';
import { BehaviorSubject } from 'rxjs';
import { asFailure } from '../shared/http-failure.ts';

export interface ConversationListState {
  phase: 'loading' | 'ready' | 'failed';
  /** Newest first. */
  conversations: readonly Conversation[];
  hasMore: boolean;
  isLoadingMore: boolean;
  /** A sentence for the visitor, when `phase` is failed. */
  message: string;
  /** How many days after their last use a guest's conversations are kept; null for an account, and until it is known. */
  guestDays: number | null;
}

/** The owner's conversations, by pages. Reads never reject: what failed stands in the state. */
export interface ConversationList {
  state$: BehaviorSubject<ConversationListState>;
  load(): Promise<void>;
  loadMore(limit?: number): Promise<void>;
  /** Reads the newest page again and keeps the rest: after a question, say. */
  refresh(): Promise<void>;
  /** Reads on until this conversation is in the list, at most 1,000 of them. */
  seek(id: string): Promise<void>;
  /** Shows the new title at once and takes it back when the call rejects. */
  rename(id: string, title: string): Promise<void>;
  /** Hides the conversation at once and shows it again when the call rejects. */
  remove(id: string): Promise<ConversationDeletion>;
  undo(undoToken: string): Promise<void>;
  /** Ends running reads and forgets everything. */
  clear(): void;
}

const EMPTY: ConversationListState = {
  phase: 'loading',
  conversations: [],
  hasMore: false,
  isLoadingMore: false,
  message: '',
  guestDays: null,
};
const MAX_SEEK = 1_000;

export function createConversationList(http: Http): ConversationList {
  const state$ = new BehaviorSubject(EMPTY);
  const set = (change: Partial<ConversationListState>) => state$.next({ ...state$.value, ...change });
  let cursor: string | null = null;
  let reads = new AbortController();
  /** Orders the starts of reads and the ends of changes. */
  let clock = 0;
  /** When a conversation was last renamed or deleted here; Infinity while that call runs. */
  const changedAt = new Map<string, number>();

  /** A page of conversations. Those that were changed after this read began are left as they are known: the page may be older. */
  const page = async (params: { cursor?: string; limit?: number }): Promise<ConversationPage> => {
    const { signal } = reads;
    clock += 1;
    const start = clock;
    const { data, headers } = await http.get<ConversationPage>('/api/conversations', { params, signal });
    if (signal.aborted) throw new Error('the list was cleared meanwhile');
    const guestDays = Number(headers['x-guest-days']) || null;
    if (guestDays !== state$.value.guestDays) set({ guestDays });
    const isStale = ({ id }: Conversation) => (changedAt.get(id) ?? 0) > start;
    const known = new Map(state$.value.conversations.map((one) => [one.id, one]));
    const conversations = data.conversations.flatMap((one) =>
      isStale(one) ? (known.get(one.id) ?? []) : one,
    );
    return { ...data, conversations };
  };
  const changing = async <T>(id: string, call: () => Promise<T>): Promise<T> => {
    changedAt.set(id, Number.POSITIVE_INFINITY);
    try {
      return await call();
    } finally {
      clock += 1;
      changedAt.set(id, clock);
    }
  };
  const change = (id: string, fields: Partial<Conversation>) =>
    set({
      conversations: state$.value.conversations.map((one) => (one.id === id ? { ...one, ...fields } : one)),
    });

  const load = async () => {
    reads.abort();
    reads = new AbortController();
    const { signal } = reads;
    // A further page that was on its way is given up with the other reads.
    set({
      phase: state$.value.conversations.length ? 'ready' : 'loading',
      message: '',
      isLoadingMore: false,
    });
    try {
      const { conversations, nextCursor } = await page({});
      cursor = nextCursor;
      set({ phase: 'ready', conversations, hasMore: nextCursor !== null });
    } catch (reason) {
      if (!signal.aborted) set({ phase: 'failed', message: asFailure(reason).message });
    }
  };

  const loadMore = async (limit = 20) => {
    if (!cursor || state$.value.isLoadingMore) return;
    const { signal } = reads;
    set({ isLoadingMore: true });
    try {
      const { conversations, nextCursor } = await page({ cursor, limit });
      cursor = nextCursor;
      set({ conversations: merge(state$.value.conversations, conversations), hasMore: nextCursor !== null });
    } catch {
      // The button stays, and pressing it again is the remedy.
    } finally {
      if (!signal.aborted) set({ isLoadingMore: false });
    }
  };

  return {
    state$,
    load,
    loadMore,
    async refresh() {
      if (state$.value.phase !== 'ready') return load();
      try {
        const { conversations } = await page({});
        set({ conversations: merge(state$.value.conversations, conversations) });
      } catch {
        // What is shown stays; the next question reads again.
      }
    },
    async seek(id) {
      const isThere = () => state$.value.conversations.some((one) => one.id === id);
      while (!isThere() && cursor && state$.value.conversations.length < MAX_SEEK) {
        const before = cursor;
        await loadMore(100);
        if (cursor === before) return;
      }
    },
    async rename(id, title) {
      const before = state$.value.conversations.find((one) => one.id === id);
      change(id, { title });
      try {
        const { data } = await changing(id, () =>
          http.patch<Conversation>(`/api/conversations/${id}`, { title }),
        );
        change(id, data);
      } catch (reason) {
        if (before) change(id, { title: before.title });
        throw reason;
      }
    },
    async remove(id) {
      const before = state$.value.conversations;
      const isIt = (one: Conversation) => one.id === id;
      set({ conversations: before.filter((one) => !isIt(one)) });
      try {
        const { data } = await changing(id, () =>
          http.delete<ConversationDeletion>(`/api/conversations/${id}`),
        );
        return data;
      } catch (reason) {
        set({ conversations: merge(state$.value.conversations, before.filter(isIt)) });
        throw reason;
      }
    },
    async undo(undoToken) {
      await http.post('/api/undo_delete', { undoToken });
      await load();
    },
    clear() {
      reads.abort();
      reads = new AbortController();
      cursor = null;
      state$.next(EMPTY);
    },
  };
}

/** Both lists as one, newest first; of two with one id `fresh` wins. What is equal keeps its identity, and its row is not rendered again. */
function merge(known: readonly Conversation[], fresh: readonly Conversation[]): Conversation[] {
  const all = new Map(known.map((one) => [one.id, one]));
  for (const one of fresh) if (JSON.stringify(all.get(one.id)) !== JSON.stringify(one)) all.set(one.id, one);
  return [...all.values()].sort((a, b) => b.updatedAt.localeCompare(a.updatedAt) || b.id.localeCompare(a.id));
}
