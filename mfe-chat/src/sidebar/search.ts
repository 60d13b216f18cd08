import type { QueryClient } from '@tanstack/react-query';
import { BehaviorSubject } from 'rxjs';

export interface SearchState {
  /** The text in the field. */
  text: string;
  /** The submitted text, '' during a pause in typing; null shows the conversations instead. */
  words: string | null;
}

/** The search in all conversations of the owner. */
export interface Search {
  state$: BehaviorSubject<SearchState>;
  /** Handles typed text. The search starts after a pause in typing; blank text ends it. */
  type(text: string, isComposing: boolean): void;
  /** Starts the search immediately, after Enter, or repeats it. */
  look(): void;
  clear(): void;
}

/** Pause in typing before the search, in milliseconds. */
const PAUSE = 250;

/** Results are queries of `queries` with the key ['search', text]. */
export function createSearch(queries: QueryClient): Search {
  const state$ = new BehaviorSubject<SearchState>({ text: '', words: null });
  let timer: ReturnType<typeof setTimeout> | undefined;

  const look = () => {
    clearTimeout(timer);
    const { text, words } = state$.value;
    if (!text.trim()) return;
    if (text.trim() === words) void queries.invalidateQueries({ queryKey: ['search', words] });
    else state$.next({ text, words: text.trim() });
  };
  return {
    state$,
    type(text, isComposing) {
      clearTimeout(timer);
      if (!text.trim()) return state$.next({ text, words: null });
      const { words } = state$.value;
      if (isComposing) return state$.next({ text, words });
      state$.next({ text, words: words ?? '' });
      timer = setTimeout(look, PAUSE);
    },
    look,
    clear() {
      clearTimeout(timer);
      state$.next({ text: '', words: null });
    },
  };
}
