import type { QueryClient } from '@tanstack/react-query';
import { BehaviorSubject } from 'rxjs';

export interface SearchState {
  /** The text in the field. */
  text: string;
  /** What is searched for, '' until the text has been complete for a moment; null shows the conversations instead. */
  words: string | null;
}

/** What is searched for in all of the owner's conversations. */
export interface Search {
  state$: BehaviorSubject<SearchState>;
  /** Takes what was typed. The search begins once nothing has been typed for a while; blank text ends it. */
  type(text: string, isComposing: boolean): void;
  /** Begins the search at once, after Enter, or repeats it. */
  look(): void;
  clear(): void;
}

/** A pause in typing, in milliseconds. */
const PAUSE = 250;

/** Results are queries of `queries` whose keys begin with 'search', followed by the words. */
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
