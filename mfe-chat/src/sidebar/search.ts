import type { FoundRecord, SearchPage, SearchRequest } from 'api/contract/search';
import type { Http } from 'host/contract';
import { BehaviorSubject } from 'rxjs';
import { asFailure } from '../shared/http-failure.ts';

export interface SearchState {
  /** `idle`: nothing is looked for, the conversations are shown. */
  phase: 'idle' | 'loading' | 'ready' | 'failed';
  /** What stands in the field. */
  text: string;
  /** Newest first. */
  records: readonly FoundRecord[];
  total: number;
  totalIsMore: boolean;
  hasMore: boolean;
  isLoadingMore: boolean;
  /** A sentence for the visitor, when `phase` is failed. */
  message: string;
}

/** Looks through all of the owner's conversations. Never rejects: what failed stands in the state. */
export interface Search {
  state$: BehaviorSubject<SearchState>;
  /** Takes what was typed. It is looked for once nothing has been typed for a while; blank ends the search. */
  type(text: string, isComposing: boolean): void;
  /** Looks at once: after Enter, or again after a failure. */
  look(): Promise<void>;
  loadMore(): Promise<void>;
  clear(): void;
}

const IDLE: SearchState = {
  phase: 'idle',
  text: '',
  records: [],
  total: 0,
  totalIsMore: false,
  hasMore: false,
  isLoadingMore: false,
  message: '',
};
/** A pause in typing, in milliseconds. */
const PAUSE = 250;

export function createSearch(http: Pick<Http, 'post'>, pause = PAUSE): Search {
  const state$ = new BehaviorSubject(IDLE);
  const set = (change: Partial<SearchState>) => state$.next({ ...state$.value, ...change });
  /** The words and the cursor of what is shown; the field may already hold other words. */
  let searched = '';
  let cursor: string | null = null;
  let reading = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;

  const interrupt = () => {
    clearTimeout(timer);
    reading.abort();
    reading = new AbortController();
    return reading.signal;
  };
  const read = async (request: SearchRequest, signal: AbortSignal) => {
    const { data } = await http.post<SearchPage>('/api/search', request, { signal });
    return data;
  };

  const look = async () => {
    const signal = interrupt();
    const text = state$.value.text.trim();
    if (!text) return;
    cursor = null;
    set({ phase: state$.value.phase === 'ready' ? 'ready' : 'loading', message: '', isLoadingMore: false });
    try {
      const { records, total, totalIsMore, nextCursor } = await read({ text }, signal);
      if (signal.aborted) return;
      searched = text;
      cursor = nextCursor;
      set({ phase: 'ready', records, total, totalIsMore, hasMore: nextCursor !== null });
    } catch (reason) {
      if (!signal.aborted) set({ phase: 'failed', records: [], message: asFailure(reason).message });
    }
  };

  return {
    state$,
    type(text, isComposing) {
      if (!text.trim()) {
        interrupt();
        return state$.next({ ...IDLE, text });
      }
      set({ text });
      clearTimeout(timer);
      if (isComposing) return;
      if (state$.value.phase === 'idle') set({ phase: 'loading' });
      timer = setTimeout(look, pause);
    },
    look,
    async loadMore() {
      const { phase, isLoadingMore } = state$.value;
      if (phase !== 'ready' || isLoadingMore || !cursor) return;
      const { signal } = reading;
      set({ isLoadingMore: true });
      try {
        const page = await read({ text: searched, cursor }, signal);
        if (signal.aborted) return;
        cursor = page.nextCursor;
        const known = new Set(state$.value.records.map(({ id }) => id));
        const fresh = page.records.filter(({ id }) => !known.has(id));
        set({ records: [...state$.value.records, ...fresh], hasMore: cursor !== null });
      } catch {
        // The button stays, and pressing it again is the remedy.
      } finally {
        if (!signal.aborted) set({ isLoadingMore: false });
      }
    },
    clear() {
      interrupt();
      cursor = null;
      state$.next(IDLE);
    },
  };
}
