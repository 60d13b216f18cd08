import type { FoundRecord, RecordFilter, SearchPage } from 'api/contract';
import type { Http, HttpFailure } from 'host/contract';
import { BehaviorSubject } from 'rxjs';

/** What a filter finds, as far as it has been read, newest first. `failure` is why the last page did not come. */
export interface FoundState {
  records: FoundRecord[];
  /** Of all that is found, read or not; exact unless `totalIsMore`. */
  total: number;
  totalIsMore: boolean;
  isLoading: boolean;
  hasMore: boolean;
  failure: HttpFailure | null;
  /** A first page has come: `total` means something. */
  hasBegun: boolean;
}

export interface FoundRecords {
  filter: RecordFilter;
  state$: BehaviorSubject<FoundState>;
  /** Reads the next page, unless one is on its way or there is none. Also the way to try again after a failure. */
  more(): Promise<void>;
  /**
   * Reads the newest again, and as much behind it as may have changed; what was read before stays in its place. `isThorough` when
   * records are known to have come back further down.
   */
  refresh(isThorough?: boolean): Promise<void>;
  /** Shows a record with this change at once. */
  change(id: string, part: Partial<FoundRecord>): void;
  /** Takes records off that are known to be gone. */
  drop(isGone: (record: FoundRecord) => boolean): void;
  close(): void;
}

/** How many records a refresh reads again at most. */
const REREAD = 1000;
const FURTHER_PAGE = 100;

const START: FoundState = {
  records: [],
  total: 0,
  totalIsMore: false,
  isLoading: false,
  hasMore: true,
  failure: null,
  hasBegun: false,
};

/** Reads POST /api/search page by page, `limit` (1–100) records at first, then 100 each. A record is never shown twice, whatever arrives meanwhile. */
export function createFoundRecords(http: Http, filter: RecordFilter, limit: number): FoundRecords {
  const state$ = new BehaviorSubject(START);
  const controller = new AbortController();
  const { signal } = controller;
  let cursor: string | null = null;
  let refreshing: Promise<void> | undefined;

  const set = (part: Partial<FoundState>) => {
    if (!signal.aborted) state$.next({ ...state$.value, ...part });
  };
  const read = async (from: string | null, size: number): Promise<SearchPage> => {
    const body = { ...filter, limit: size, ...(from === null ? {} : { cursor: from }) };
    return (await http.post<SearchPage>('/api/search', body, { signal })).data;
  };

  async function more() {
    await refreshing;
    return readOn();
  }

  async function readOn() {
    const { isLoading, hasMore } = state$.value;
    if (isLoading || !hasMore || signal.aborted) return;
    set({ isLoading: true, failure: null });
    try {
      const page = await read(cursor, cursor === null ? limit : FURTHER_PAGE);
      cursor = page.nextCursor;
      const known = new Set(state$.value.records.map(({ id }) => id));
      const records = [...state$.value.records, ...page.records.filter(({ id }) => !known.has(id))];
      set({ ...counted(records, page, cursor), isLoading: false, failure: null, hasBegun: true });
    } catch (error) {
      set({ isLoading: false, failure: error as HttpFailure });
    }
  }

  async function reread(isThorough: boolean) {
    const { isLoading, hasBegun } = state$.value;
    if (isLoading || signal.aborted) return;
    if (!hasBegun) return readOn();
    const before = state$.value;
    const fresh: FoundRecord[] = [];
    let tail = before.records;
    let next: string | null = null;
    let isWhole = false;
    try {
      let page: SearchPage;
      do {
        page = await read(next, FURTHER_PAGE);
        fresh.push(...page.records);
        next = page.nextCursor;
        tail = next === null ? [] : olderThan(fresh.at(-1), tail);
        isWhole = tail.length > 0 && !isThorough && isExplained(before, page, fresh.length + tail.length);
      } while (tail.length > 0 && !isWhole && fresh.length < REREAD);
      // What lies further back may have holes: it is read anew when it comes into view.
      if (!isWhole) cursor = next;
      const records = isWhole ? [...fresh, ...tail] : fresh;
      set({ ...counted(records, page, cursor), failure: null });
    } catch {
      // What is shown stays; the next return to the page tries again.
    }
  }

  function refresh(isThorough = false): Promise<void> {
    refreshing = (refreshing ?? Promise.resolve())
      .then(() => reread(isThorough))
      .finally(() => {
        refreshing = undefined;
      });
    return refreshing;
  }

  return {
    filter,
    state$,
    more,
    refresh,
    change: (id, part) =>
      set({
        records: state$.value.records.map((record) => (record.id === id ? { ...record, ...part } : record)),
      }),
    drop(isGone) {
      const { records, total, hasMore } = state$.value;
      const left = records.filter((record) => !isGone(record));
      if (left.length > 0 || !hasMore) {
        set({ records: left, total: total - (records.length - left.length) });
        return;
      }
      // Whether anything is left further back is not known before it has been read.
      cursor = null;
      set(START);
    },
    close: () => controller.abort(),
  };
}

/** Once everything has been read, the count is what was read, however many that are. */
function counted(records: FoundRecord[], { total, totalIsMore }: SearchPage, cursor: string | null) {
  if (cursor === null) return { records, total: records.length, totalIsMore: false, hasMore: false };
  return { records, total, totalIsMore, hasMore: true };
}

/** Nothing further back has changed when what came and went in the part read again makes up the whole difference. */
function isExplained(before: FoundState, page: SearchPage, known: number): boolean {
  if (before.totalIsMore || page.totalIsMore) return true;
  return before.total + known - before.records.length === page.total;
}

function olderThan(last: FoundRecord | undefined, records: FoundRecord[]): FoundRecord[] {
  if (!last) return records;
  return records.filter(
    ({ createdAt, id }) => createdAt < last.createdAt || (createdAt === last.createdAt && id < last.id),
  );
}
