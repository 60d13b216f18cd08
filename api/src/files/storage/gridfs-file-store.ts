import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import mongoose, { type Connection } from 'mongoose';
import { maxTimeMS } from '../../store/query-limit.ts';
import { type FileStore, keySegments } from './file-store.ts';

/** Files per read. */
const slice = 200;

/**
 * Stores files in GridFS (bucket `files`) of the connection's database. A file's entry is written after its
 * last chunk, and a replaced file is deleted after the new one is complete, so a reader never sees an
 * incomplete file. An interrupted write leaves chunks without an entry, which are never read; `sweep` deletes
 * them.
 * `connection` must be open.
 */
export function createGridFsFileStore(connection: Connection): FileStore {
  const database = connection.db;
  if (!database) throw new Error('GridFS requires an open connection');
  const bucket = new mongoose.mongo.GridFSBucket(database, { bucketName: 'files' });

  const newestOf = (key: string) =>
    bucket.find({ filename: key }, { maxTimeMS }).sort({ uploadDate: -1, _id: -1 }).limit(1).next();

  const allOf = (key: string) => bucket.find({ filename: key }, { maxTimeMS }).toArray();

  async function removeAll(entries: mongoose.mongo.GridFSFile[]): Promise<void> {
    for (const { _id } of entries) await bucket.delete(_id).catch(ignoreMissing);
  }

  const chunks = database.collection('files.chunks');
  const removeChunksOf = (id: mongoose.mongo.ObjectId) => chunks.deleteMany({ files_id: id });

  return {
    async put(key, content) {
      keySegments(key);
      const before = new Set((await allOf(key)).map(({ _id }) => _id.toHexString()));
      const upload = bucket.openUploadStream(key);
      try {
        await pipeline(content instanceof Uint8Array ? Readable.from([content]) : content, upload);
      } catch (error) {
        await removeChunksOf(upload.id);
        throw error;
      }
      const { old = [], written = [] } = Object.groupBy(await allOf(key), ({ _id }) =>
        before.has(_id.toHexString()) ? 'old' : 'written',
      );
      // Of concurrent writes the last one to end sees all and leaves the newest, so they do not delete each other.
      await removeAll([...old, ...written.sort(newestFirst).slice(1)]);
    },

    async open(key) {
      keySegments(key);
      const file = await newestOf(key);
      if (!file) return undefined;
      return {
        size: file.length,
        stamp: `${file._id}-${file.length}`,
        stream: (range) => bucket.openDownloadStream(file._id, range),
      };
    },

    async remove(key) {
      keySegments(key);
      await removeAll(await allOf(key));
    },

    async *list(prefix) {
      const range =
        prefix === '' ? {} : { filename: { $gte: `${keySegments(prefix).join('/')}/`, $lt: `${prefix}0` } };
      const seen = new Set<string>();
      for await (const { filename } of bucket.find(range).project<{ filename: string }>({ filename: 1 })) {
        if (seen.has(filename)) continue;
        seen.add(filename);
        yield filename;
      }
    },

    async sweep(before) {
      const entries = database.collection('files.files');
      for (let lastId = new mongoose.mongo.ObjectId('0'.repeat(24)); ; ) {
        const some = await chunks
          .find({ files_id: { $gt: lastId }, n: 0 }, { projection: { _id: 0, files_id: 1 } })
          .sort({ files_id: 1, n: 1 })
          .limit(slice)
          .toArray();
        const ids = some.map(({ files_id }) => files_id as mongoose.mongo.ObjectId);
        const last = ids.at(-1);
        if (!last) return;
        lastId = last;
        const old = ids.filter((id) => id.getTimestamp() < before);
        const found = await entries.find({ _id: { $in: old } }, { projection: { _id: 1 } }).toArray();
        const there = new Set(found.map(({ _id }) => _id.toHexString()));
        for (const id of old) if (!there.has(id.toHexString())) await removeChunksOf(id);
      }
    },
  };
}

/** The order in which a reader chooses. */
function newestFirst(one: mongoose.mongo.GridFSFile, other: mongoose.mongo.GridFSFile): number {
  const later = other.uploadDate.getTime() - one.uploadDate.getTime();
  return later || (one._id.toHexString() < other._id.toHexString() ? 1 : -1);
}

/** Ignores that another process has just deleted the same entry. */
function ignoreMissing(error: unknown): void {
  if (/File not found|FileNotFound/i.test(String((error as { message?: unknown }).message))) return;
  throw error;
}
