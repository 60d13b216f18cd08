import type { DeskRecord, RecordPage } from 'api/contract/records';
import type { Http, SavedContent } from 'host/contract';
import { asFailure } from 'host/ui/failure.ts';
import type { ChatMessage, MessageFailure } from './chat-message.ts';
import type { ChatStore } from './chat-store.ts';
import type { QuestionVersions } from './question-versions.ts';

/** Records per page, for reading and when looking for a record. */
const PAGE_SIZE = 20;
const SEEK_PAGE_SIZE = 100;
/** How many records of the open conversation are saved in this browser, and their key. */
const SAVED_RECORDS = 50;
export const SAVED = 'conversation';

interface SavedConversation {
  conversationId: string;
  records: DeskRecord[];
}

interface ConversationPagesDeps {
  http: Pick<Http, 'get'>;
  saved?: SavedContent | undefined;
  store: ChatStore;
  versions: Pick<QuestionVersions, 'add' | 'reveal'>;
  onChange(change: { hasOlder?: boolean; isLoadingOlder?: boolean; savedAt?: number | null }): void;
  onMarked(): void;
  onRecordMissing(): void;
  onFailure(failure: MessageFailure): void;
}

/** Pagination of the shown conversation, newest first, and the marked record. */
export function createConversationPages(deps: ConversationPagesDeps) {
  const { http, saved, store, versions, onChange } = deps;
  let shown = '';
  let cursor: string | null = null;
  let visit = new AbortController();
  let reading: Promise<boolean> | null = null;
  let targetRecordId: string | null = null;
  let isSeeking = false;
  /** All records of a conversation that fits on one page, until they are saved. */
  let whole: DeskRecord[] | null = null;

  const read = async (limit: number): Promise<ChatMessage[] | null> => {
    const { signal } = visit;
    const params = { limit, ...(cursor ? { cursor } : {}) };
    try {
      const { data } = await http.get<RecordPage>(`/api/conversations/${shown}/records`, { params, signal });
      if (signal.aborted) return null;
      whole = cursor === null && data.nextCursor === null ? data.records : null;
      cursor = data.nextCursor;
      return versions.add(data.records, cursor === null);
    } catch (reason) {
      if (signal.aborted) return null;
      throw reason;
    }
  };

  const readOlder = async (): Promise<boolean> => {
    const { signal } = visit;
    onChange({ isLoadingOlder: true });
    try {
      const older = await read(isSeeking ? SEEK_PAGE_SIZE : PAGE_SIZE);
      if (older) {
        store.prepend(older);
        onChange({ hasOlder: cursor !== null });
      }
      return older !== null;
    } catch (reason) {
      deps.onFailure(asFailure(reason));
      return false;
    } finally {
      if (!signal.aborted) {
        reading = null;
        onChange({ isLoadingOlder: false });
      }
    }
  };
  /** Adds the next older page at the top of the store. True when the page was added. */
  const loadOlder = async (): Promise<boolean> => {
    if (!cursor) return false;
    reading ??= readOlder();
    return reading;
  };

  const mark = (recordId: string | null): boolean => {
    if (recordId) versions.reveal(recordId);
    let isThere = false;
    for (const key of store.keys()) {
      const message = store.message(key);
      const isMarked = recordId !== null && message?.recordId === recordId;
      if (message && message.isMarked !== isMarked) store.patch(key, { isMarked });
      isThere ||= isMarked;
    }
    return isThere;
  };
  const clearTarget = () => {
    const was = targetRecordId;
    targetRecordId = null;
    isSeeking = false;
    return was !== null;
  };

  return {
    /**
     * Opens a conversation. Resolves with its newest messages, oldest first, or with null if it was left meanwhile. Without a connection it
     * uses the saved messages; rejects like `http` if there are none.
     */
    async begin(conversationId: string): Promise<ChatMessage[] | null> {
      shown = conversationId;
      const { signal } = visit;
      try {
        return await read(PAGE_SIZE);
      } catch (reason) {
        const { status, error } = asFailure(reason);
        if (status === 404) void saved?.save(SAVED, undefined);
        const isOffline = status === 0 && error !== 'aborted';
        const found = isOffline ? await saved?.read<SavedConversation>(SAVED) : undefined;
        if (signal.aborted) return null;
        if (found?.value.conversationId !== conversationId) throw reason;
        onChange({ savedAt: found.savedAt });
        return versions.add(found.value.records, true);
      }
    },
    /** Saves the newest records for visits without a connection. Never rejects; after a failure the previous ones remain saved. */
    async save(conversationId: string): Promise<void> {
      if (!saved) return;
      const { signal } = visit;
      const known = whole;
      whole = null;
      try {
        const params = { limit: SAVED_RECORDS };
        const records =
          known ??
          (await http.get<RecordPage>(`/api/conversations/${conversationId}/records`, { params, signal }))
            .data.records;
        const value: SavedConversation = { conversationId, records };
        if (!signal.aborted) await saved.save(SAVED, value);
      } catch {}
    },
    hasOlder: (): boolean => cursor !== null,
    loadOlder,
    /** Loads all older pages. Stops when a page cannot be read or the conversation is left. */
    async loadAll(): Promise<void> {
      isSeeking = true;
      while (await loadOlder());
      isSeeking = false;
    },
    /** Marks a record and calls `onMarked`, after loading as many pages as necessary. */
    async seek(recordId: string): Promise<void> {
      targetRecordId = recordId;
      while (!mark(recordId)) {
        if (!cursor) return deps.onRecordMissing();
        isSeeking = true;
        const isLoaded = await loadOlder();
        // Another record is being looked for, or the conversation was left.
        if (targetRecordId !== recordId) return;
        isSeeking = false;
        if (!isLoaded) return;
      }
      deps.onMarked();
    },
    /** Removes the mark and stops looking for a record. True if there was one. */
    unmark(): boolean {
      if (!clearTarget()) return false;
      mark(null);
      return true;
    },
    /** Aborts requests and clears the state. */
    leave(): void {
      visit.abort();
      visit = new AbortController();
      cursor = null;
      reading = null;
      whole = null;
      clearTarget();
    },
  };
}
