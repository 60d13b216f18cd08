import type { DeskRecord, RecordPage } from 'api/contract';
import type { Http, HttpFailure } from 'host/contract';
import { BehaviorSubject } from 'rxjs';

/** The visitor's records as far as they have been read, newest first. `failure` is why the last page did not come. */
export interface RecordPagesState {
  records: DeskRecord[];
  isLoading: boolean;
  hasMore: boolean;
  failure: HttpFailure | null;
}

export interface RecordPages {
  state$: BehaviorSubject<RecordPagesState>;
  /** Reads the next page, unless one is on its way or there is none. Also the way to try again after a failure. */
  more(): Promise<void>;
  /** Reads on until `count` records are there, all are, or a page fails. */
  upTo(count: number): Promise<void>;
  close(): void;
}

const START: RecordPagesState = { records: [], isLoading: false, hasMore: true, failure: null };

/** Reads GET /api/records page by page, `limit` (1–100) records each. A record is never shown twice, whatever arrives meanwhile. */
export function createRecordPages(http: Http, limit: number): RecordPages {
  const state$ = new BehaviorSubject(START);
  const controller = new AbortController();
  const { signal } = controller;
  let cursor: string | null = null;

  const set = (part: Partial<RecordPagesState>) => {
    if (!signal.aborted) state$.next({ ...state$.value, ...part });
  };

  async function more() {
    const { isLoading, hasMore } = state$.value;
    if (isLoading || !hasMore || signal.aborted) return;
    set({ isLoading: true, failure: null });
    try {
      const params = { limit, ...(cursor === null ? {} : { cursor }) };
      const { data } = await http.get<RecordPage>('/api/records', { params, signal });
      cursor = data.nextCursor;
      set({
        records: withNew(state$.value.records, data.records),
        isLoading: false,
        hasMore: cursor !== null,
      });
    } catch (error) {
      set({ isLoading: false, failure: error as HttpFailure });
    }
  }

  async function upTo(count: number) {
    while (!signal.aborted && state$.value.records.length < count && state$.value.hasMore) {
      await more();
      if (state$.value.failure) return;
    }
  }

  return { state$, more, upTo, close: () => controller.abort() };
}

function withNew(known: DeskRecord[], read: DeskRecord[]): DeskRecord[] {
  const ids = new Set(known.map(({ id }) => id));
  return [...known, ...read.filter(({ id }) => !ids.has(id))];
}
