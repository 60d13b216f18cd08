import { mkdir, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Connection } from 'mongoose';
import type { ReadPassage } from '../answers/index/read-passage.ts';
import type { KnowledgeModels } from '../answers/knowledge-models.ts';
import type { Answers } from '../answers/open-answers.ts';
import type { Config } from '../config/config.ts';
import { notFound } from '../errors/errors.ts';
import type { HiddenRecords } from '../records/hidden-records.ts';
import type { FindIncompleteSources } from '../records/record-list.ts';
import type { RecordModels } from '../records/record-models.ts';
import { passageOf } from '../records/withdrawn-answers.ts';
import { databaseNow } from '../store/database-clock.ts';
import { isDead, type ThisProcess } from '../store/process-lease.ts';
import { createExtractor } from './extraction/create-extractor.ts';
import type { FileModels } from './file-models.ts';
import { createSourceDocuments } from './source-documents.ts';
import { createDiskFileStore } from './storage/disk-file-store.ts';
import { createGridFsFileStore } from './storage/gridfs-file-store.ts';
import type { UploadModel } from './upload.ts';
import { createUploads } from './uploads.ts';

/** Age after which an upload no longer belongs to a running request, in ms. */
const maxUploadMs = 3_600_000;

export type OpenFiles = Awaited<ReturnType<typeof openFiles>>;

/** `isAlone` means that no other process can be using this store. */
export async function openFiles(deps: {
  connection: Connection;
  models: FileModels & Pick<RecordModels, 'records'>;
  config: Config;
  self: ThisProcess;
  isAlone: boolean;
  hidden: HiddenRecords;
  answers: Pick<Answers, 'models' | 'index' | 'readPassage' | 'readableBy'>;
}) {
  const { connection, models, config, self, isAlone, hidden, answers } = deps;
  const { documents, passages } = answers.models;
  const startedAt = databaseNow();
  const store =
    config.mongodbUri === null
      ? createDiskFileStore(join(config.dataDir, 'files'))
      : createGridFsFileStore(connection);
  const uploads = createUploads({ models, documents, index: answers.index, files: store, hidden });
  const { readFiles, blobs } = uploads;
  const sourceDocuments = createSourceDocuments({ ...answers, readFiles, blobs });
  const folder = await openTemporaryFolder(config.dataDir, self, isAlone);
  return {
    ...uploads,
    store,
    extractor: createExtractor({ limits: { maxPages: config.maxPages } }),
    /** Folder and limits of uploads. */
    upload: { folder: folder.path, maxMb: config.maxUploadMb },
    /** Reads passages; those of the owner's own files only while their record exists. */
    async readPassage(id: string, owner: string): ReturnType<ReadPassage> {
      const own = await passages.findOne({ _id: id, owner }, { documentId: 1 }).lean();
      if (own && !(await readFiles.maySeeDocument(owner, own.documentId))) throw notFound('passage');
      const passage = await answers.readPassage(id, owner);
      const at = await sourceDocuments.placeOf(passage, owner);
      return { ...passage, ...(at ? { at } : {}) };
    },
    sourceDocuments,
    findIncompleteSources: createFindIncompleteSources({ ...answers, uploads: models.uploads }),
    /** Deletes what interrupted requests left behind. */
    async sweep(): Promise<void> {
      // If no other process uses the store, requests that were running when it was opened have ended.
      await uploads.sweep(new Date(Math.max(isAlone ? startedAt : 0, databaseNow() - maxUploadMs)));
    },
    /** Keeps the temporary files of this process, and deletes those of dead ones. Call at least once an hour. */
    renew: (): Promise<void> => folder.sweep(),
    /** Deletes the temporary files of this process. */
    close: (): Promise<void> => folder.remove(),
  };
}

/** Lists the files of the question first, then the cited documents. */
function createFindIncompleteSources({
  models: { documents, passages },
  readableBy,
  uploads,
}: Pick<Answers, 'readableBy'> & {
  models: Pick<KnowledgeModels, 'documents' | 'passages'>;
  uploads: UploadModel;
}): FindIncompleteSources {
  return async ({ owner, citations, files }) => {
    const uploaded = await uploads
      .find({ _id: { $in: files.map(({ id }) => id) } }, { documentId: 1 })
      .lean();
    const ofFiles = new Set(uploaded.map(({ documentId }) => documentId));
    const ids = citations.map(({ href }) => passageOf(href));
    const cited = await passages.find({ _id: { $in: ids } }, { documentId: 1 }).lean();
    const documentOf = new Map(cited.map(({ _id, documentId }) => [_id, documentId]));
    const documentIds = new Set(ids.flatMap((id) => documentOf.get(id) ?? []));
    const readable = { $in: ['', owner, ...(await readableBy(owner))] };
    const found = await documents
      .find({ _id: { $in: [...documentIds] }, owner: readable, deletedAt: null }, { title: 1, notices: 1 })
      .lean();
    const byId = new Map(found.map((document) => [document._id, document]));
    return [
      ...files.map(({ name, notices }) => ({ title: name, notices: notices ?? [] })),
      ...[...documentIds].flatMap((id) => {
        const document = ofFiles.has(id) ? undefined : byId.get(id);
        return document ? [{ title: document.title, notices: document.notices ?? [] }] : [];
      }),
    ].filter(({ notices }) => notices.length > 0);
  };
}

/** Time after which a process of another host without a sign of life counts as dead, in ms. */
const deadAfterMs = 3 * 3_600_000;
const ownerFile = 'process';

/** `isAlone`: no other process can be using this DATA_DIR, so existing folders are left over. */
export async function openTemporaryFolder(dataDir: string, self: ThisProcess, isAlone: boolean) {
  const all = join(dataDir, 'tmp');
  const path = join(all, self.process);
  const ownerPath = join(path, ownerFile);

  async function removeLeft(isLeft: (folder: string) => Promise<boolean>): Promise<void> {
    for (const name of await readdir(all)) {
      const folder = join(all, name);
      if (folder !== path && (await isLeft(folder))) await rm(folder, { recursive: true, force: true });
    }
  }

  async function isOfDead(folder: string): Promise<boolean> {
    const file = join(folder, ownerFile);
    const seen = await stat(file).catch(() => stat(folder).catch(() => null));
    if (!seen) return false;
    const until = new Date(seen.mtimeMs + deadAfterMs);
    const { host, pid } = await readOwner(file);
    return isDead({ process: folder.slice(all.length + 1), host, pid, until }, self);
  }

  await mkdir(path, { recursive: true, mode: 0o700 });
  await writeFile(ownerPath, JSON.stringify({ host: self.host, pid: self.pid }), { mode: 0o600 });
  await removeLeft(isAlone ? async () => true : isOfDead);

  return {
    path,
    /** Renews this process's sign of life, and deletes folders of dead processes. Call at least once an hour. */
    async sweep(): Promise<void> {
      const now = new Date();
      await utimes(ownerPath, now, now);
      await removeLeft(isOfDead);
    },
    /** Deletes the folder with all of its content at shutdown. */
    remove: (): Promise<void> => rm(path, { recursive: true, force: true }),
  };
}

/** Without an owner file the process was killed while starting: its folder is deleted by age. */
async function readOwner(file: string): Promise<{ host: string; pid: number }> {
  try {
    const { host, pid } = JSON.parse(await readFile(file, 'utf8')) as { host: unknown; pid: unknown };
    return { host: String(host), pid: Number(pid) };
  } catch {
    return { host: '', pid: 0 };
  }
}
