import { randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { diskFull } from '../errors/errors.ts';
import { retryConflicts } from '../store/retry-conflicts.ts';
import { isDiskFull, isDuplicateKey } from '../store/store-failure.ts';
import type { BlobModel } from './blob.ts';
import type { FileStore, StoredFile } from './storage/file-store.ts';

/**
 * The bytes of uploaded files, each content once, however many files have it. Whatever has it is a holder, by its id (an upload's, a
 * document's): the bytes go when the last one lets go. Every call can be done again, alone or after a crash. Safe against uploads and
 * removals of the same content at once, on several processes, and against a crash at any moment (see sweep-blobs.ts).
 */
export interface Blobs {
  /**
   * Keeps the file at `path` for `holder`, to be called before the holder is written. `hash` is the lower-case hex SHA-256 of its content.
   *
   * @throws diskFull
   */
  keep(hash: string, path: string, holder: string): Promise<void>;
  /** `holder` has it no more, or never had. To be called after the holder is gone, or before it is tried again. */
  release(hash: string, holder: string): Promise<void>;
  /** undefined when nobody holds it. */
  open(hash: string): Promise<StoredFile | undefined>;
}

/** Where the bytes are, in the file store. */
export const blobFolder = 'blobs';

export function createBlobs(blobs: BlobModel, files: FileStore): Blobs {
  const hold = async (hash: string, holder: string) => {
    const held = { $addToSet: { holders: holder }, $set: { heldAt: new Date() } };
    return (await blobs.updateOne({ _id: hash }, held)).matchedCount === 1;
  };

  async function put(key: string, path: string): Promise<void> {
    try {
      await files.put(key, createReadStream(path));
    } catch (cause) {
      throw isDiskFull(cause) ? diskFull() : cause;
    }
  }

  return {
    async keep(hash, path, holder) {
      await retryConflicts(async () => {
        if (await hold(hash, holder)) return true;
        // A key of its own: whoever removes the content that was there before can never mean these bytes.
        const key = newKey(hash);
        await put(key, path);
        try {
          await blobs.create({ _id: hash, key, holders: [holder], heldAt: new Date() });
          return true;
        } catch (cause) {
          await files.remove(key);
          // Somebody else has brought the same content in the meantime: that is held.
          if (!isDuplicateKey(cause)) throw cause;
          return null;
        }
      });
    },

    async release(hash, holder) {
      await blobs.updateOne({ _id: hash }, { $pull: { holders: holder } });
      const left = await blobs.findOneAndDelete({ _id: hash, holders: { $size: 0 } }).lean();
      if (left) await files.remove(left.key);
    },

    async open(hash) {
      for (let key = ''; ; ) {
        const blob = await blobs.findById(hash, { key: 1 }).lean();
        // What is not where it should be may have gone and come again in between.
        if (!blob || blob.key === key) return undefined;
        key = blob.key;
        const file = await files.open(key);
        if (file) return file;
      }
    },
  };
}

/** Says when it was made: see sweep-blobs.ts. */
function newKey(hash: string): string {
  return `${blobFolder}/${hash.slice(0, 2)}/${hash}.${Date.now()}-${randomBytes(6).toString('hex')}`;
}

/** When the bytes of `key` were brought, in ms since 1970; NaN for a key that is not of this kind. */
export function keptAt(key: string): number {
  return Number(/\.(\d+)-[0-9a-f]+$/.exec(key)?.[1] ?? Number.NaN);
}
