import type { QueryClient } from '@tanstack/react-query';
import { BehaviorSubject } from 'rxjs';

export interface SearchState {
  /** The text in the field. */
  text: string;
  /** The submitted text, '' during a pause in typing; null shows the conversations instead. */
  query: string | null;
}

export type Search = ReturnType<typeof createSearch>;

/** Pause in typing before the search, in milliseconds. */
const DELAY_MS = 250;

/** The search in all conversations of the owner. Results are queries of `queries` with the key ['search', text]. */
export function createSearch(queries: QueryClient) {
  const state$ = new BehaviorSubject<SearchState>({ text: '', query: null });
  let timer: ReturnType<typeof setTimeout> | undefined;

  const submit = () => {
    clearTimeout(timer);
    const { text, query } = state$.value;
    if (!text.trim()) return;
    if (text.trim() === query) void queries.invalidateQueries({ queryKey: ['search', query] });
    else state$.next({ text, query: text.trim() });
  };
  return {
    state$,
    /** Handles typed text. The search starts after a pause in typing; blank text ends it. */
    type(text: string, isComposing: boolean) {
      clearTimeout(timer);
      if (!text.trim()) return state$.next({ text, query: null });
      const { query } = state$.value;
      if (isComposing) return state$.next({ text, query });
      state$.next({ text, query: query ?? '' });
      timer = setTimeout(submit, DELAY_MS);
    },
    /** Starts the search immediately, after Enter, or repeats it. */
    submit,
    clear(): void {
      clearTimeout(timer);
      state$.next({ text: '', query: null });
    },
  };
}
