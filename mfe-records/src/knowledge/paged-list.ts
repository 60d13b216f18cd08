import type { HttpFailure } from 'host/contract';
import { BehaviorSubject } from 'rxjs';

/** One page of a list of knowledge. `passages` is told of documents alone. */
export interface ListPage<T> {
  items: T[];
  total: number;
  passages?: number;
  nextCursor: string | null;
}

/** What of a list has been read. `failure` is why the last page did not come; `hasBegun` once a first page has. */
export interface ListState<T> {
  items: T[];
  total: number;
  passages: number;
  isLoading: boolean;
  hasMore: boolean;
  failure: HttpFailure | null;
  hasBegun: boolean;
}

/** Asks for the page behind `cursor` (null: the first) of `limit` items. Rejects with an HttpFailure. */
export type ReadPage<T> = (cursor: string | null, limit: number, signal: AbortSignal) => Promise<ListPage<T>>;

export interface PagedList<T> {
  state$: BehaviorSubject<ListState<T>>;
  /** Reads the next page, unless there is none. Also the way to try again after a failure. */
  more(): Promise<void>;
  /** Reads anew what is shown, up to 300 items; what is shown stays until that has come, and stays where it cannot be had. */
  refresh(): Promise<void>;
  /** Takes one off that is known to be gone. */
  drop(id: string): void;
  close(): void;
}

const PAGE = 30;
const REREAD_PAGE = 100;
const REREAD = 300;

export function unread<T>(): ListState<T> {
  return {
    items: [],
    total: 0,
    passages: 0,
    isLoading: true,
    hasMore: true,
    failure: null,
    hasBegun: false,
  };
}

/** A list that is read page by page; one read at a time, and no item twice. */
export function createPagedList<T extends { id: string }>(read: ReadPage<T>): PagedList<T> {
  const state$ = new BehaviorSubject(unread<T>());
  const controller = new AbortController();
  const { signal } = controller;
  let cursor: string | null = null;
  let line = Promise.resolve();

  const set = (part: Partial<ListState<T>>) => {
    if (!signal.aborted) state$.next({ ...state$.value, ...part });
  };
  const take = (items: T[], { total, passages = 0, nextCursor }: ListPage<T>) => {
    cursor = nextCursor;
    set({
      items: once(items),
      total,
      passages,
      hasMore: nextCursor !== null,
      isLoading: false,
      failure: null,
      hasBegun: true,
    });
  };
  const queue = (work: () => Promise<void>): Promise<void> => {
    line = line.then(() => (signal.aborted ? undefined : work()));
    return line;
  };

  async function readOn() {
    if (!state$.value.hasMore) return;
    set({ isLoading: true, failure: null });
    try {
      const page = await read(cursor, PAGE, signal);
      take([...state$.value.items, ...page.items], page);
    } catch (error) {
      set({ isLoading: false, failure: error as HttpFailure });
    }
  }

  async function reread() {
    if (!state$.value.hasBegun) return readOn();
    const wanted = Math.min(state$.value.items.length, REREAD);
    const items: T[] = [];
    let next: string | null = null;
    try {
      let page: ListPage<T>;
      do {
        const size = Math.min(Math.max(wanted - items.length, PAGE), REREAD_PAGE);
        page = await read(next, size, signal);
        items.push(...page.items);
        next = page.nextCursor;
      } while (next !== null && items.length < wanted);
      take(items, page);
    } catch {
      // What is shown stays; the next look tries again.
    }
  }

  return {
    state$,
    more: () => queue(readOn),
    refresh: () => queue(reread),
    drop(id) {
      const { items, total } = state$.value;
      const left = items.filter((item) => item.id !== id);
      if (left.length < items.length) set({ items: left, total: Math.max(0, total - 1) });
    },
    close: () => controller.abort(),
  };
}

function once<T extends { id: string }>(items: T[]): T[] {
  return [...new Map(items.map((item) => [item.id, item])).values()];
}
