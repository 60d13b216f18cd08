import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Logger } from 'pino';
import type { KnowledgeIndex } from '../answers/index/create-knowledge-index.ts';
import { collectionOwners, type KnowledgeDocument, type Place } from '../answers/index/document.ts';
import type { KnowledgeModels } from '../answers/knowledge-models.ts';
import { ApiError } from '../errors/errors.ts';
import type { Blobs } from '../files/blobs.ts';
import type { Extractor } from '../files/extraction/create-extractor.ts';
import { databaseDate } from '../store/database-clock.ts';
import type { Job, Jobs } from '../store/jobs/jobs.ts';
import { isDiskFull, isOutage } from '../store/store-failure.ts';
import { cutTitle, writeFailure } from './document-info.ts';

/** Interval of writing progress, in ms. */
const progressEveryMs = 1000;

/** Share of reading in the total progress; indexing is the rest. */
const readingShare = 0.5;

/** Time after which the term counts of a dead process are repaired, in ms: longer than its change counts as running. */
const countAfterMs = 65_000;

const kind = 'index document';
/** The documents that jobs index, one index each; private files are indexed by the request that uploads them. */
const indexed = [
  { owner: '', source: 'upload' },
  { owner: collectionOwners, source: 'upload' },
  { isDraft: true },
] as const;
const work = indexed.map((one) => ({ ...one, status: 'indexing' as const }));

export type Indexing = ReturnType<typeof createIndexing>;

/** Reads, indexes and removes documents: each is a job, one at a time per process. */
export function createIndexing(deps: {
  models: Pick<KnowledgeModels, 'documents' | 'texts'>;
  blobs: Pick<Blobs, 'open' | 'release'>;
  extractor: Pick<Extractor, 'extract'>;
  index: Pick<KnowledgeIndex, 'put' | 'remove'>;
  jobs: Pick<Jobs, 'define' | 'add' | 'ensure' | 'whenDone'>;
  log: Pick<Logger, 'error'>;
  folder: string;
}) {
  const { models, blobs, extractor, index, jobs, log, folder } = deps;
  const { documents, texts } = models;
  /** The current document, to abort its work when it changes. */
  let current: { id: string; changed: AbortController } | null = null;

  async function readFile(
    document: KnowledgeDocument,
    signal: AbortSignal,
    onShare: (share: number) => void,
  ) {
    const stored = await blobs.open(document.blob);
    if (!stored) throw new ApiError('unreadable_file');
    const path = join(folder, randomUUID());
    try {
      await pipeline(stored.stream(), createWriteStream(path, { flags: 'wx', mode: 0o600 }), { signal });
      return await extractor.extract(path, document.name ?? document.title, {
        signal,
        onProgress: ({ done, total }) => onShare(total > 0 ? done / total : 0),
      });
    } finally {
      await rm(path, { force: true });
    }
  }

  async function indexOne(document: KnowledgeDocument, shown: Shown, signal: AbortSignal): Promise<void> {
    let { title, language, type, pages } = document;
    let text = '';
    let places: Place[] = [];
    if (document.blob !== '') {
      const read = await readFile(document, signal, (share) => shown.setProgress(share * readingShare));
      const own = cutTitle(read.title);
      if (!document.isTitled && own !== '') title = own;
      ({ language, pages, kind: type, text, places } = read);
      signal.throwIfAborted();
      await texts.updateOne({ _id: document._id }, { $set: { text, places } }, { upsert: true });
      await shown.write({ title, language, type, pages, notices: read.notices });
    } else ({ text = '', places = [] } = (await texts.findById(document._id).lean()) ?? {});
    signal.throwIfAborted();
    const whole = { _id: document._id, owner: document.owner, title, language, text, places };
    const onProgress = (done: number, total: number) =>
      shown.setProgress(readingShare + (1 - readingShare) * (total > 0 ? done / total : 0));
    const passages = await index.put(whole, { signal, onProgress });
    if (passages === 0) throw new ApiError('unreadable_no_words');
    await shown.write({ status: 'ready', passages, progress: 1, failure: '', updatedAt: databaseDate() });
  }

  /** Order: passages and text, then the document that references them, then its file. */
  async function removeOne({ _id, blob }: KnowledgeDocument): Promise<void> {
    await index.remove(_id);
    await texts.deleteOne({ _id });
    await documents.deleteOne({ _id });
    if (blob !== '') await blobs.release(blob, _id);
  }

  type Shown = ReturnType<typeof show>;

  /** Stores the progress that editors see, and aborts the work if the document has changed meanwhile. */
  function show({ _id, revision }: KnowledgeDocument, changed: AbortController, signal: AbortSignal) {
    let progress = 0;
    const write = async (change: Partial<KnowledgeDocument>) => {
      signal.throwIfAborted();
      const asSeen = { _id, status: 'indexing', revision: revision ?? null } as Record<string, unknown>;
      const written = await documents.updateOne(asSeen, { $set: change });
      if (written.matchedCount === 0) changed.abort();
    };
    const timer = setInterval(() => void write({ progress }).catch(() => undefined), progressEveryMs);
    return {
      /** 0–1; written periodically. */
      setProgress(now: number): void {
        progress = Math.max(progress, now);
      },
      write,
      end: () => clearInterval(timer),
    };
  }

  async function run({ key, attempts }: Job, stopped: AbortSignal): Promise<number | undefined> {
    // An earlier attempt may have died while it was counting terms.
    if (attempts > 1) await jobs.add('count terms', { delayMs: countAfterMs });
    const document = await documents.findOne({ _id: key, $or: work }).lean();
    if (!document) return undefined;
    const changed = new AbortController();
    const signal = AbortSignal.any([changed.signal, stopped]);
    const shown = show(document, changed, signal);
    current = { id: key, changed };
    try {
      if (document.deletedAt) await removeOne(document);
      else await indexOne(document, shown, signal);
      return undefined;
    } catch (cause) {
      if (changed.signal.aborted && !stopped.aborted) return 0;
      if (stopped.aborted || isTemporary(cause)) throw cause;
      if (!(cause instanceof ApiError))
        log.error({ document: key, err: cause }, 'indexing a document failed');
      await shown.write({ status: 'failed', failure: writeFailure(cause), updatedAt: databaseDate() });
      return undefined;
    } finally {
      shown.end();
      current = null;
    }
  }

  jobs.define({ kind, run, maxAttempts: Number.POSITIVE_INFINITY });

  return {
    /** To be called when a document has `status: 'indexing'`, or has changed since. */
    async begin(id: string): Promise<void> {
      if (current?.id === id) current.changed.abort();
      await jobs.add(kind, { key: id });
    },

    /** Resolves when nothing is left to do about a document, at most after `withinMs`. */
    whenDone: (id: string, withinMs: number): Promise<boolean> => jobs.whenDone(kind, id, withinMs),

    /** Number of documents that wait for indexing, or cannot be indexed. */
    async count(status: 'indexing' | 'failed'): Promise<number> {
      const counts = await Promise.all(indexed.map((one) => documents.countDocuments({ ...one, status })));
      return counts.reduce((sum, count) => sum + count);
    },

    /** Continues work that a crash or an earlier version has left unfinished. */
    async resume(): Promise<void> {
      for (const due of work)
        for (const { _id } of await documents.find(due, { _id: 1 }).lean())
          await jobs.ensure(kind, { key: _id });
    },
  };
}

/** Whether a failure is not the document's: store unavailable, disk full, too many files being read. */
function isTemporary(cause: unknown): boolean {
  if (isDiskFull(cause)) return true;
  return isOutage(cause) || (cause instanceof ApiError && cause.error === 'unavailable');
}
