import { randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import type { Model } from 'mongoose';
import { ApiError } from '../errors/errors.ts';
import { databaseDate } from '../store/database-clock.ts';
import { defineModel } from '../store/define-model.ts';
import { type DocumentOf, field, required } from '../store/fields.ts';
import { slicesById } from '../store/in-slices.ts';
import { retryConflicts } from '../store/retry-conflicts.ts';
import { isDiskFull, isDuplicateKey } from '../store/store-failure.ts';
import type { FileStore, StoredFile } from './storage/file-store.ts';

const fields = {
  /** SHA-256 of the content, lower-case hex. */
  _id: required(String),
  /** Storage key of the bytes. A new one each time the same content is stored again after its removal. */
  key: required(String),
  /** Uploads and documents with this content, which is removed soon after the last one is. */
  holders: field<string[]>({ type: [String], required: true }),
  /** When the last holder was added. */
  heldAt: required(Date),
};

/** Stored content with its holders, see `Blobs`. */
export type BlobDocument = DocumentOf<typeof fields>;

export const blobModel = defineModel<BlobDocument>('Blob', 'blobs', fields);

export type BlobModel = Model<BlobDocument>;

/** Folder of the content within the file store. */
export const blobFolder = 'blobs';

export type Blobs = ReturnType<typeof createBlobs>;

/**
 * The bytes of uploaded files, stored once per content. Everything that has a content is registered as a
 * holder by its id (an upload's, a document's); the bytes are deleted when the last holder is released. Every
 * call is idempotent. Safe against concurrent uploads and removals of the same content in several processes,
 * and against a crash at any moment (see sweep-blobs.ts).
 */
export function createBlobs(blobs: BlobModel, files: FileStore) {
  const hold = async (hash: string, holder: string) => {
    const held = { $addToSet: { holders: holder }, $set: { heldAt: databaseDate() } };
    return (await blobs.updateOne({ _id: hash }, held)).matchedCount === 1;
  };

  async function put(key: string, path: string): Promise<void> {
    try {
      await files.put(key, createReadStream(path));
    } catch (cause) {
      throw isDiskFull(cause) ? new ApiError('disk_full') : cause;
    }
  }

  return {
    /**
     * Stores the file at `path` for `holder`; must be called before the holder is written. `hash` is the
     * SHA-256 of its content in lower-case hex.
     * @throws disk_full
     */
    async store(hash: string, path: string, holder: string): Promise<void> {
      await retryConflicts(async () => {
        if (await hold(hash, holder)) return true;
        // A new key, so that a concurrent removal of the previous content cannot delete these bytes.
        const key = newKey(hash);
        await put(key, path);
        try {
          await blobs.create({ _id: hash, key, holders: [holder], heldAt: databaseDate() });
          return true;
        } catch (cause) {
          await files.remove(key);
          // A concurrent upload has stored the same content: use that one.
          if (!isDuplicateKey(cause)) throw cause;
          return null;
        }
      });
    },

    /** Removes `holder` if registered. Must be called after the holder is deleted, or before it is tried again. */
    async release(hash: string, holder: string): Promise<void> {
      await blobs.updateOne({ _id: hash }, { $pull: { holders: holder } });
      const left = await blobs.findOneAndDelete({ _id: hash, holders: { $size: 0 } }).lean();
      if (left) await files.remove(left.key);
    },

    /** undefined if it has no holder. */
    async open(hash: string): Promise<StoredFile | undefined> {
      for (let key = ''; ; ) {
        const blob = await blobs.findById(hash, { key: 1 }).lean();
        // Missing bytes may have been removed and stored again meanwhile.
        if (!blob || blob.key === key) return undefined;
        key = blob.key;
        const file = await files.open(key);
        if (file) return file;
      }
    },
  };
}

/** Contains the creation time: see sweep-blobs.ts. */
function newKey(hash: string): string {
  return `${blobFolder}/${hash.slice(0, 2)}/${hash}.${Date.now()}-${randomBytes(6).toString('hex')}`;
}

/** When the bytes of `key` were stored, in ms since 1970; NaN for a key of another format. */
export function storedAt(key: string): number {
  return Number(/\.(\d+)-[0-9a-f]+$/.exec(key)?.[1] ?? Number.NaN);
}

const slice = 200;

/**
 * Repairs what crashes left: content without an entry or incomplete, and holders that do not exist. Content
 * newer than `before` may belong to a running request.
 */
export async function sweepBlobs(
  deps: {
    blobs: BlobModel;
    files: FileStore;
    kept: Pick<Blobs, 'release'>;
    /** The existing ones of these holders. */
    existingOf(holders: string[]): Promise<Set<string>>;
  },
  before: Date,
): Promise<void> {
  const { blobs, files, kept, existingOf } = deps;
  for await (const some of slicesById<BlobDocument>(blobs, slice)) {
    const old = some.filter(({ heldAt }) => heldAt <= before);
    const there = await existingOf(old.flatMap(({ holders }) => holders));
    for (const { _id, holders } of old) {
      const gone = holders.filter((holder) => !there.has(holder));
      for (const holder of gone) await kept.release(_id, holder);
      // Its last holder was released directly before its process died.
      if (holders.length === 0) await kept.release(_id, '');
    }
  }
  await removeUnnamed(blobs, files, before);
  await files.sweep(before);
}

async function removeUnnamed(blobs: BlobModel, files: FileStore, before: Date): Promise<void> {
  let some: string[] = [];
  const removeSome = async () => {
    const named = await blobs.find({ _id: { $in: some.map(hashOf) } }, { key: 1 }).lean();
    const keys = new Set(named.map(({ key }) => key));
    for (const key of some) if (!keys.has(key)) await files.remove(key);
    some = [];
  };
  for await (const key of files.list(blobFolder)) {
    if (storedAt(key) > before.getTime()) continue;
    some.push(key);
    if (some.length >= slice) await removeSome();
  }
  if (some.length > 0) await removeSome();
}

function hashOf(key: string): string {
  return key.split('/').at(-1)?.split('.', 1)[0] ?? '';
}
