import type { KnowledgeDocumentInfo } from 'api/contract/knowledge';
import type { HostServices, Http } from 'host/contract';
import { asFailure } from 'host/ui/failure.ts';
import { BehaviorSubject } from 'rxjs';

/** A file being uploaded to the knowledge base. `sent` and `size` are bytes. */
export interface Upload {
  id: number;
  name: string;
  size: number;
  step:
    | { status: 'waiting' }
    | { status: 'sending'; sent: number }
    | { status: 'failed'; message: string }
    /** Shown until it is dismissed or other files are uploaded. */
    | { status: 'done'; document: KnowledgeDocumentInfo }
    /** A document with the same content already exists. */
    | { status: 'known'; title: string };
}

export type UploadQueue = ReturnType<typeof createUploadQueue>;

interface Reply {
  document: KnowledgeDocumentInfo;
}

/** Number of simultaneous uploads. More would only share the same bandwidth. */
const AT_ONCE = 2;
/** Maximum number of finished uploads shown: more would push the documents off the screen. */
const DONE_SHOWN = 5;

/**
 * Uploads files by POST /api/knowledge/documents, one call per file, two at a time. Leaving the page during an upload asks for
 * confirmation.
 */
export function createUploadQueue(http: Http) {
  /** Waiting, running, failed and redundant uploads, and the latest finished ones; oldest first. */
  const uploads$ = new BehaviorSubject<readonly Upload[]>([]);
  /** Number of finished uploads so far. */
  const arrived$ = new BehaviorSubject(0);
  const files = new Map<number, { file: File; isDraft: boolean; collection: string }>();
  const running = new Map<number, AbortController>();
  let lastId = 0;

  const set = (id: number, step: Upload['step']) =>
    uploads$.next(uploads$.value.map((upload) => (upload.id === id ? { ...upload, step } : upload)));
  const forget = (id: number) => {
    files.delete(id);
    running.get(id)?.abort();
    running.delete(id);
    uploads$.next(uploads$.value.filter((upload) => upload.id !== id));
  };
  /** Removes finished uploads, except for the latest ones. */
  const forgetAllBut = (count: number) => {
    const done = uploads$.value.filter(({ step }) => step.status === 'done');
    for (const { id } of done.slice(0, Math.max(0, done.length - count))) forget(id);
  };
  const warn = (event: Event) => event.preventDefault();

  function goOn() {
    for (const { id, step } of uploads$.value) {
      if (running.size >= AT_ONCE) break;
      if (step.status === 'waiting') void send(id);
    }
    if (running.size > 0) window.addEventListener('beforeunload', warn);
    else window.removeEventListener('beforeunload', warn);
  }

  async function send(id: number) {
    const added = files.get(id);
    if (!added) return;
    const { file, isDraft, collection } = added;
    const leaving = new AbortController();
    const { signal } = leaving;
    running.set(id, leaving);
    set(id, { status: 'sending', sent: 0 });
    const body = new FormData();
    if (isDraft) body.append('draft', '1');
    if (collection) body.append('collection', collection);
    body.append('file', file, file.name);
    try {
      const { data, status } = await http.post<Reply>('/api/knowledge/documents', body, {
        signal,
        onUploadProgress: ({ loaded }) => signal.aborted || set(id, { status: 'sending', sent: loaded }),
      });
      if (signal.aborted) return;
      running.delete(id);
      if (status === 200 && data.document.status !== 'indexing') {
        set(id, { status: 'known', title: data.document.title });
        return;
      }
      files.delete(id);
      set(id, { status: 'done', document: data.document });
      forgetAllBut(DONE_SHOWN);
      arrived$.next(arrived$.value + 1);
    } catch (error) {
      if (signal.aborted) return;
      running.delete(id);
      set(id, { status: 'failed', message: asFailure(error).message });
    } finally {
      goOn();
    }
  }

  return {
    uploads$,
    arrived$,
    /** `isDraft`: only editors see them until they are published. `collection`: the id of the one they belong to; '' for the first one. */
    add(added: readonly File[], isDraft = false, collection = ''): void {
      forgetAllBut(0);
      const next = added.map((file): Upload => {
        lastId += 1;
        files.set(lastId, { file, isDraft, collection });
        return { id: lastId, name: file.name, size: file.size, step: { status: 'waiting' } };
      });
      uploads$.next([...uploads$.value, ...next]);
      goOn();
    },
    retry(id: number): void {
      set(id, { status: 'waiting' });
      goOn();
    },
    /** Removes it from the list and cancels it if it is running. */
    remove(id: number): void {
      forget(id);
      goOn();
    },
    clear(): void {
      for (const { id } of uploads$.value) forget(id);
      goOn();
    },
  };
}

/** One queue for the life of the page: uploads continue while the visitor is on another screen. */
const queues = new WeakMap<Http, UploadQueue>();

/** The queue of this page. Uploads are cancelled when the owner changes. */
export function uploadsOf({
  http,
  storage,
  updates,
}: Pick<HostServices, 'http' | 'storage' | 'updates'>): UploadQueue {
  const known = queues.get(http);
  if (known) return known;
  const queue = createUploadQueue(http);
  queues.set(http, queue);
  storage.owner$.subscribe(() => queue.clear());
  let letGo: (() => void) | undefined;
  queue.uploads$.subscribe((uploads) => {
    const isBusy = uploads.some(({ step }) => step.status === 'waiting' || step.status === 'sending');
    if (isBusy) letGo ??= updates.hold();
    else {
      letGo?.();
      letGo = undefined;
    }
  });
  return queue;
}
