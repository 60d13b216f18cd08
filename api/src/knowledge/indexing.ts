import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Logger } from 'pino';
import type { KnowledgeDocument } from '../answers/document.ts';
import type { KnowledgeIndex } from '../answers/knowledge-index.ts';
import type { KnowledgeModels } from '../answers/knowledge-models.ts';
import { ApiError, unreadableFile } from '../errors/errors.ts';
import type { Blobs } from '../files/blobs.ts';
import type { Extractor } from '../files/extraction/extractor.ts';
import { isDead, newLease, type ThisProcess } from '../store/process-lease.ts';
import { isDiskFull, isOutage } from '../store/store-failure.ts';
import { cutTitle, writeFailure } from './document-info.ts';

/**
 * Reads, indexes and removes documents: one at a time per process, and each in one process at a time. Pending
 * work is recorded in the store (`status: 'indexing'`), so that another process can take over.
 */
export interface Indexing {
  /** Starts looking for work unless already running. */
  begin(): void;
  /** Resolves when a deleted document has been removed, or this process has nothing left to do about it. */
  whenGone(id: string): Promise<void>;
  /** Releases running work, which continues after the next start. */
  stop(): Promise<void>;
}

/** Interval of writing progress and renewing the lease, in ms. */
const beatMs = 1000;
/** Share of reading in the total progress; indexing is the rest. */
const readingShare = 0.5;
/** Maximum number of documents examined to find one without a lease. */
const maxExamined = 50;

const work = { owner: '', source: 'upload', status: 'indexing' } as const;

export function createIndexing(deps: {
  models: Pick<KnowledgeModels, 'documents' | 'texts'>;
  blobs: Pick<Blobs, 'open' | 'release'>;
  extractor: Pick<Extractor, 'extract'>;
  index: Pick<KnowledgeIndex, 'put' | 'remove'>;
  self: ThisProcess;
  log: Pick<Logger, 'warn' | 'error'>;
  /** Folder for temporary files. */
  folder: string;
}): Indexing {
  const { models, blobs, extractor, index, self, log, folder } = deps;
  const { documents, texts } = models;
  const stopping = new AbortController();
  let running: Promise<void> | null = null;
  let isRequested = false;
  /** The current document, to abort its work when it is deleted. */
  let current: { id: string; isBeingDeleted: boolean; abort: AbortController } | null = null;

  /** Leases the next document that no other process works on. */
  async function claim(): Promise<KnowledgeDocument | null> {
    const waiting = await documents
      .find(work, { lease: 1, revision: 1 })
      .sort({ updatedAt: 1, _id: 1 })
      .limit(maxExamined)
      .lean();
    for (const { _id, lease, revision } of waiting) {
      if (lease && lease.process !== self.process && !isDead(lease, self)) continue;
      const asSeen = { _id, status: 'indexing', revision: revision ?? null };
      const claimed = await documents
        .findOneAndUpdate(
          { ...asSeen, 'lease.process': lease?.process ?? null } as Record<string, unknown>,
          { $set: { lease: newLease(self) } },
          { returnDocument: 'after' },
        )
        .lean();
      if (claimed) return claimed;
    }
    return null;
  }

  async function readFile(
    document: KnowledgeDocument,
    signal: AbortSignal,
    onShare: (share: number) => void,
  ) {
    const stored = await blobs.open(document.blob);
    if (!stored) throw unreadableFile();
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

  async function indexOne(document: KnowledgeDocument, hold: Hold, signal: AbortSignal): Promise<void> {
    let { title, language, type, pages } = document;
    let text = '';
    if (document.blob !== '') {
      const read = await readFile(document, signal, (share) => hold.setProgress(share * readingShare));
      const own = cutTitle(read.title);
      if (!document.isTitled && own !== '') title = own;
      ({ language, pages, kind: type, text } = read);
      signal.throwIfAborted();
      await texts.updateOne({ _id: document._id }, { $set: { text, places: read.places } }, { upsert: true });
      await hold.write({ title, language, type, pages, notices: read.notices });
    } else text = (await texts.findById(document._id).lean())?.text ?? '';
    if (text.trim() === '') throw unreadableFile('no_words');
    signal.throwIfAborted();
    const passages = await index.put(
      { _id: document._id, owner: '', title, language, text },
      {
        signal,
        onProgress: (done, total) =>
          hold.setProgress(readingShare + (1 - readingShare) * (total > 0 ? done / total : 0)),
      },
    );
    if (passages === 0) throw unreadableFile('no_words');
    await hold.end({ status: 'ready', passages, progress: 1, failure: '', updatedAt: new Date() });
  }

  /** Order: passages and text, then the document that references them, then its file. */
  async function removeOne({ _id, blob }: KnowledgeDocument): Promise<void> {
    await index.remove(_id);
    await texts.deleteOne({ _id });
    await documents.deleteOne({ _id, 'lease.process': self.process });
    if (blob !== '') await blobs.release(blob, _id);
  }

  interface Hold {
    /** Progress, 0–1; written periodically. */
    setProgress(progress: number): void;
    write(change: Partial<KnowledgeDocument>): Promise<void>;
    /** The final write. */
    end(change: Partial<KnowledgeDocument>): Promise<void>;
    release(): Promise<void>;
  }

  /**
   * Renews the lease of a document during the work; aborts the work if the lease is lost or the document has
   * changed.
   */
  function holdLease({ _id, revision }: KnowledgeDocument, abort: AbortController): Hold {
    const mine = { _id, 'lease.process': self.process, revision: revision ?? null };
    let progress = 0;
    const write = async (change: Record<string, unknown>) => {
      const written = await documents.updateOne(mine as Record<string, unknown>, { $set: change });
      if (written.matchedCount === 0) abort.abort();
    };
    const beat = () => write({ progress, 'lease.until': newLease(self).until });
    const timer = setInterval(() => void beat().catch(() => undefined), beatMs);
    return {
      setProgress: (now) => {
        progress = Math.max(progress, now);
      },
      write,
      end: async (change) => {
        clearInterval(timer);
        await write({ ...change, lease: null });
      },
      async release() {
        clearInterval(timer);
        const here = { _id, 'lease.process': self.process };
        await documents.updateOne(here, { $set: { lease: null } }).catch(() => undefined);
      },
    };
  }

  /** Returns whether there may be more work. */
  async function doOne(document: KnowledgeDocument): Promise<boolean> {
    const { _id, deletedAt } = document;
    const abort = new AbortController();
    const signal = AbortSignal.any([abort.signal, stopping.signal]);
    const hold = holdLease(document, abort);
    current = { id: _id, isBeingDeleted: Boolean(deletedAt), abort };
    try {
      if (deletedAt) await removeOne(document);
      else await indexOne(document, hold, signal);
      return true;
    } catch (cause) {
      if (signal.aborted) return true;
      if (isTemporary(cause)) {
        log.warn({ document: _id, err: cause }, 'indexing a document failed temporarily and will be retried');
        return false;
      }
      if (!(cause instanceof ApiError))
        log.error({ document: _id, err: cause }, 'indexing a document failed');
      await hold.end({ status: 'failed', failure: writeFailure(cause), updatedAt: new Date() });
      return true;
    } finally {
      current = null;
      await hold.release();
    }
  }

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      isRequested = false;
      const document = await claim();
      if (document && (await doOne(document))) continue;
      if (!isRequested) return;
    }
  }

  function begin(): void {
    isRequested = true;
    running ??= run()
      .catch((cause: unknown) => log.warn({ err: cause }, 'indexing was interrupted and will be retried'))
      .finally(() => {
        running = null;
      });
  }

  return {
    begin,

    async whenGone(id) {
      if (current?.id === id && !current.isBeingDeleted) current.abort.abort();
      while (running && (await documents.exists({ _id: id }))) {
        const ended = Promise.withResolvers<void>();
        const timer = setTimeout(ended.resolve, 50);
        await Promise.race([running, ended.promise]);
        clearTimeout(timer);
      }
    },

    async stop() {
      stopping.abort();
      await running;
    },
  };
}

/**
 * Whether a failure is temporary and not due to the document: store unavailable, disk full, or too many files
 * being read.
 */
function isTemporary(cause: unknown): boolean {
  if (isDiskFull(cause)) return true;
  return isOutage(cause) || (cause instanceof ApiError && cause.error === 'unavailable');
}
