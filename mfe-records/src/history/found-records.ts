import type { FoundRecord, RecordFilter, SearchPage } from 'api/contract/search';
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
  /** Reads the next page, unless one is on its way or there is none. Also used to try again after a failure. */
  more(): Promise<void>;
  /**
   * Reads the newest records again, and as many older ones as may have changed; the others stay as they are. A call during a refresh
   * joins it. `isThorough` when records are known to have come back further down.
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
  /** Calls run one after the other: two pages read at once would leave a hole between them. */
  let lastCall: Promise<void> = Promise.resolve();
  let pendingMore: Promise<void> | undefined;
  let pendingRefresh: Promise<void> | undefined;
  /** Counts what `change` and `drop` did: a page read meanwhile may show the state before it. */
  let edits = 0;

  const set = (part: Partial<FoundState>) => {
    if (!signal.aborted) state$.next({ ...state$.value, ...part });
  };
  const read = async (from: string | null, size: number): Promise<SearchPage> => {
    const body = { ...filter, limit: size, ...(from === null ? {} : { cursor: from }) };
    return (await http.post<SearchPage>('/api/search', body, { signal })).data;
  };
  const inTurn = (call: () => Promise<void>) => {
    lastCall = lastCall.then(call);
    return lastCall;
  };

  function more() {
    pendingMore ??= inTurn(readOn).finally(() => {
      pendingMore = undefined;
    });
    return pendingMore;
  }

  async function readOn(): Promise<void> {
    if (!state$.value.hasMore || signal.aborted) return;
    set({ isLoading: true, failure: null });
    try {
      const before = edits;
      const page = await read(cursor, cursor === null ? limit : FURTHER_PAGE);
      if (edits !== before) return readOn();
      cursor = page.nextCursor;
      const known = new Set(state$.value.records.map(({ id }) => id));
      const records = [...state$.value.records, ...page.records.filter(({ id }) => !known.has(id))];
      set({ ...counted(records, page, cursor), isLoading: false, failure: null, hasBegun: true });
    } catch (error) {
      set({ isLoading: false, failure: error as HttpFailure });
    }
  }

  async function reread(isThorough: boolean): Promise<void> {
    if (signal.aborted) return;
    if (!state$.value.hasBegun) return readOn();
    const before = state$.value;
    const editsBefore = edits;
    const fresh: FoundRecord[] = [];
    let tail = before.records;
    let next: string | null = null;
    let isWhole = false;
    try {
      let page: SearchPage;
      do {
        page = await read(next, FURTHER_PAGE);
        if (edits !== editsBefore) return reread(isThorough);
        fresh.push(...page.records);
        next = page.nextCursor;
        tail = next === null ? [] : olderThan(fresh.at(-1), tail);
        isWhole = tail.length > 0 && !isThorough && isExplained(before, page, fresh.length + tail.length);
      } while (tail.length > 0 && !isWhole && fresh.length < REREAD);
      // Records further back may be missing: they are read again when they come into view.
      if (!isWhole) cursor = next;
      const records = isWhole ? [...fresh, ...tail] : fresh;
      set({ ...counted(records, page, cursor), failure: null });
    } catch {
      // What is shown stays; the next return to the page tries again.
    }
  }

  function refresh(isThorough = false): Promise<void> {
    // What is being read now is new enough, unless records came back further down meanwhile.
    if (isThorough) return inTurn(() => reread(true));
    pendingRefresh ??= inTurn(() => reread(false)).finally(() => {
      pendingRefresh = undefined;
    });
    return pendingRefresh;
  }

  return {
    filter,
    state$,
    more,
    refresh,
    change(id, part) {
      edits += 1;
      set({
        records: state$.value.records.map((record) => (record.id === id ? { ...record, ...part } : record)),
      });
    },
    drop(isGone) {
      edits += 1;
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
