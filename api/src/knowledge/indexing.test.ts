import { readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import pino from 'pino';
import type { KnowledgeIndex } from '../answers/index/create-knowledge-index.ts';
import type { CuttableDocument } from '../answers/index/passages-of.ts';
import { ApiError } from '../errors/errors.ts';
import type { Extractor } from '../files/extraction/create-extractor.ts';
import type { Extracted } from '../files/extraction/extractor.ts';
import { createChanges } from '../store/changes.ts';
import { createJobModel, createJobs } from '../store/jobs/jobs.ts';
import { createThisProcess, newLease } from '../store/process-lease.ts';
import { type KnowledgeStore, openKnowledgeStore } from '../testing/knowledge-store.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { until } from '../testing/until.ts';
import { createDocuments } from './documents.ts';
import { createIndexing } from './indexing.ts';

let store: KnowledgeStore;
let folder: string;
let processes: { stop(): Promise<void> }[];

beforeEach(async () => {
  store = await openKnowledgeStore();
  folder = await temporaryFolder('desk-indexing');
  processes = [];
});
afterEach(async () => {
  await Promise.all(processes.map((one) => one.stop()));
  await store.end();
  await rm(folder, { recursive: true, force: true });
});

const blobs = {
  store: async () => undefined,
  release: async () => undefined,
  open: async (hash: string) => ({ size: 1, stamp: hash, stream: () => Readable.from(['x']) }),
};

const read: Extracted = {
  kind: 'text',
  type: 'text/plain',
  text: 'What it says.',
  title: '',
  language: 'en',
  pages: 1,
  places: [],
  notices: [],
  size: null,
};

/** A process with a reader and an index controlled by the test. */
/** Access to the first collection. */
const all = { readable: [''], editable: [''] } as const;

function startProcess(
  parts: {
    extract?: Extractor['extract'];
    put?: KnowledgeIndex['put'];
    remove?: KnowledgeIndex['remove'];
  } = {},
) {
  const self = createThisProcess();
  const log = pino({ level: 'silent' });
  const clock = { now: Date.now, measure: async () => undefined };
  const changes = createChanges({ connection: store.models.documents.db, isAlone: false, log });
  const jobs = createJobs({ model: jobModel(), self, clock, isAlone: false, changes, log });
  const indexing = createIndexing({
    models: store.models,
    blobs,
    extractor: { extract: parts.extract ?? (async () => read) },
    index: { put: parts.put ?? (async () => 1), remove: parts.remove ?? (async () => undefined) },
    jobs,
    log,
    folder,
  });
  changes.start();
  jobs.start();
  processes.push(jobs, changes);
  const documents = createDocuments({
    models: store.models,
    blobs,
    indexing,
    index: { remove: parts.remove ?? (async () => undefined) },
  });
  const add = async (n: number) => {
    const path = join(folder, `given-${n}`);
    await writeFile(path, `${n}`);
    const file = { path, name: `${n}.txt`, size: 1, hash: `${n}`.padStart(64, '0') };
    const { document } = await documents.add(file, { title: '', isDraft: false }, 'en', all);
    await rm(path);
    return document.id;
  };
  return { self, indexing, documents, add, stop: jobs.stop };
}

const jobModel = () =>
  (store.models.documents.db.models.Job as ReturnType<typeof createJobModel>) ??
  createJobModel(store.models.documents.db);
const statusOf = async (id: string) => (await store.models.documents.findById(id).lean())?.status;

test('two processes share the work without duplicates', async () => {
  const put: string[] = [];
  const parts = {
    put: async ({ _id }: CuttableDocument) => {
      put.push(_id);
      await new Promise((resolve) => setTimeout(resolve, 5));
      return 1;
    },
  };
  const [one, other] = [startProcess(parts), startProcess(parts)];
  const ids = await Promise.all(Array.from({ length: 12 }, (_, n) => (n % 2 ? one : other).add(n)));
  await until(async () => (await store.models.documents.countDocuments({ status: 'ready' })) === ids.length);
  expect(put.sort()).toEqual(ids.sort());
  expect(await readdir(folder)).toEqual([]);
});

test('documents that an earlier version was indexing or removing are continued', async () => {
  const { indexing } = startProcess();
  const row = (_id: string, more: object = {}) =>
    store.models.documents.collection.insertOne({
      _id,
      owner: '',
      source: 'upload',
      blob: 'b',
      title: _id,
      language: 'en',
      status: 'indexing',
      progress: 0.4,
      lease: newLease(createThisProcess()),
      revision: 0,
      createdAt: new Date(),
      ...more,
    } as never);
  await row('left');
  await row('deleted', { deletedAt: new Date() });
  await indexing.resume();
  await until(async () => (await statusOf('left')) === 'ready' && !(await statusOf('deleted')));
});

test('a document deleted during reading disappears immediately, and its passages soon after', async () => {
  const events: string[] = [];
  const began = Promise.withResolvers<void>();
  const { documents, add } = startProcess({
    extract: (_path, _name, { signal }) => {
      began.resolve();
      return new Promise((_resolve, reject) => {
        signal?.addEventListener('abort', () => {
          events.push('reading ended');
          reject(signal.reason);
        });
      });
    },
    remove: async () => {
      events.push('passages removed');
    },
  });
  const id = await add(1);
  await began.promise;
  await documents.remove(id, all);
  expect(events).toEqual(['reading ended', 'passages removed']);
  expect(await store.models.documents.countDocuments({ _id: id })).toBe(0);
  expect(await readdir(folder)).toEqual([]);
});

test('a repeated request to index starts again, and the earlier run does not complete it', async () => {
  const texts: string[] = [];
  const first = Promise.withResolvers<void>();
  let times = 0;
  const { documents, add } = startProcess({
    extract: async () => ({ ...read, text: `version ${++times}` }),
    put: async ({ text }, { signal } = {}) => {
      texts.push(text);
      if (texts.length > 1) return 1;
      first.resolve();
      await new Promise((_resolve, reject) => {
        signal?.addEventListener('abort', () => reject(signal.reason));
      });
      return 1;
    },
  });
  const id = await add(1);
  await first.promise;
  await documents.reindex(id, 'en', all);
  await until(async () => (await statusOf(id)) === 'ready');
  expect(texts).toEqual(['version 1', 'version 2']);
  expect((await store.models.texts.findById(id).lean())?.text).toBe('version 2');
});

test('an unreadable file is a failure of its own, and a busy reader is retried', async () => {
  let isBusy = true;
  const { add } = startProcess({
    extract: async (_path, name) => {
      if (name === '1.txt') throw new ApiError('unsupported_file');
      if (isBusy) throw new ApiError('unavailable');
      return read;
    },
  });
  const [bad, good] = [await add(1), await add(2)];
  await until(async () => (await statusOf(bad)) === 'failed');
  expect(await store.models.documents.findById(bad).lean()).toMatchObject({ failure: 'unsupported_file' });
  expect(await statusOf(good)).toBe('indexing');
  isBusy = false;
  await until(async () => (await statusOf(good)) === 'ready');
});

test('a process that stops releases its work', async () => {
  const began = Promise.withResolvers<void>();
  const { stop, add } = startProcess({
    extract: (_path, _name, { signal }) => {
      began.resolve();
      return new Promise((_resolve, reject) => {
        signal?.addEventListener('abort', () => reject(signal.reason));
      });
    },
  });
  const id = await add(1);
  await began.promise;
  await stop();
  expect(await statusOf(id)).toBe('indexing');
  startProcess();
  await until(async () => (await statusOf(id)) === 'ready');
});

test('the progress of a document is written while it is read, by one process', async () => {
  const began = Promise.withResolvers<void>();
  const end = Promise.withResolvers<Extracted>();
  const { add } = startProcess({
    extract: (_path, _name, { onProgress }) => {
      onProgress?.({ done: 1, total: 2 });
      // Progress that is shown never decreases.
      onProgress?.({ done: 0, total: 2 });
      began.resolve();
      return end.promise;
    },
  });
  const id = await add(1);
  await began.promise;
  const other = startProcess({ extract: async () => ({ ...read, text: 'of the other' }) });
  await until(async () => (await store.models.documents.findById(id).lean())?.progress === 0.25);
  await other.indexing.resume();
  end.resolve(read);
  await until(async () => (await statusOf(id)) === 'ready');
  expect((await store.models.texts.findById(id).lean())?.text).toBe(read.text);
});

test('a process that lost its lease writes nothing more', async () => {
  const began = Promise.withResolvers<void>();
  const end = Promise.withResolvers<Extracted>();
  const lost = Promise.withResolvers<void>();
  const { add } = startProcess({
    extract: (_path, _name, { signal }) => {
      signal?.addEventListener('abort', () => lost.resolve());
      began.resolve();
      return end.promise;
    },
  });
  const id = await add(1);
  await began.promise;
  const other = createThisProcess();
  await jobModel().updateOne({ key: id }, { $set: { lease: newLease(other) } });
  await lost.promise;
  end.resolve({ ...read, text: 'too late' });
  await Promise.all(processes.map((one) => one.stop()));
  expect(await store.models.texts.findById(id).lean()).toBeNull();
  expect((await jobModel().findOne({ key: id }).lean())?.lease?.process).toBe(other.process);
  other.end();
});

test('a file can be added again while its deleted document is still being removed', async () => {
  const end = Promise.withResolvers<void>();
  const { documents, add } = startProcess({ remove: () => end.promise });
  const id = await add(1);
  await until(async () => (await statusOf(id)) === 'ready');
  expect(await add(1)).toBe(id);
  const removing = documents.remove(id, all);
  await until(async () => Boolean((await store.models.documents.findById(id).lean())?.deletedAt));
  const again = await add(1);
  expect(again).not.toBe(id);
  end.resolve();
  await removing;
  await until(async () => (await statusOf(again)) === 'ready');
  expect(await store.models.documents.findById(id).lean()).toBeNull();
});
