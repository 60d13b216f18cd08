import { randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, opendir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type FileStore, keySegments, type StoredFile } from './file-store.ts';

/** Suffix of unfinished files; `~` is not allowed in keys, so they are never listed or opened. */
const UNFINISHED = '~';

/** Files in a folder, by key. Writes are atomic: a crash leaves the old or the new content. */
export function createDiskFileStore(folder: string): FileStore {
  const pathOf = (key: string) => join(folder, ...keySegments(key));

  return {
    async put(key, content) {
      const path = pathOf(key);
      await mkdir(dirname(path), { recursive: true });
      const unfinished = `${path}.${randomBytes(6).toString('hex')}${UNFINISHED}`;
      try {
        await writeThrough(unfinished, content);
        await rename(unfinished, path);
        await syncFolder(dirname(path));
      } catch (error) {
        await rm(unfinished, { force: true });
        throw error;
      }
    },

    async open(key): Promise<StoredFile | undefined> {
      const path = pathOf(key);
      const found = await stat(path, { bigint: true }).catch(missingIsUndefined);
      if (!found?.isFile()) return undefined;
      return {
        size: Number(found.size),
        stamp: `${found.ino}-${found.size}-${found.mtimeNs}`,
        stream: (range) => createReadStream(path, range && { start: range.start, end: range.end - 1 }),
      };
    },

    async remove(key) {
      await rm(pathOf(key), { force: true });
    },

    async *list(prefix) {
      const segments = prefix === '' ? [] : keySegments(prefix);
      for await (const inner of namesBelow(join(folder, ...segments), segments))
        if (!inner.endsWith(UNFINISHED)) yield inner;
    },

    async sweep(before) {
      for await (const name of namesBelow(folder, [])) {
        if (!name.endsWith(UNFINISHED)) continue;
        const path = join(folder, name);
        const found = await stat(path).catch(missingIsUndefined);
        if (found && found.mtime < before) await rm(path, { force: true });
      }
    },
  };
}

/** Paths of all files, relative to the store's folder. */
async function* namesBelow(path: string, segments: string[]): AsyncGenerator<string> {
  const entries = await opendir(path).catch(missingIsUndefined);
  if (!entries) return;
  for await (const entry of entries) {
    const inner = [...segments, entry.name];
    if (entry.isDirectory()) yield* namesBelow(join(path, entry.name), inner);
    else yield inner.join('/');
  }
}

async function writeThrough(path: string, content: Uint8Array | AsyncIterable<Uint8Array>): Promise<void> {
  await using file = await open(path, 'wx', 0o600);
  await file.writeFile(content);
  await file.sync();
}

/** A rename only survives a power failure after its folder has been synced. */
async function syncFolder(path: string): Promise<void> {
  await using folder = await open(path, 'r');
  await folder.sync();
}

function missingIsUndefined(error: NodeJS.ErrnoException): undefined {
  if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined;
  throw error;
}
