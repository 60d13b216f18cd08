import { createHash } from 'node:crypto';
import { type FileStore, isMissing } from '../../files/storage/file-store.ts';

export interface CopiedFile {
  key: string;
  size: number;
  sha256: string;
}

/**
 * Copies all files and compares each copy with its original. Files that are already there are compared only, so an interrupted call can be
 * repeated. Files that are deleted meanwhile are left out.
 * @throws Error if a copy differs
 */
export async function* copyFiles(from: FileStore, to: FileStore): AsyncGenerator<CopiedFile> {
  for await (const key of from.list('')) {
    const copied = await copyFile(key, from, to).catch((cause) => {
      if (isMissing(cause)) return undefined;
      throw cause;
    });
    if (copied) yield copied;
  }
}

async function copyFile(key: string, from: FileStore, to: FileStore): Promise<CopiedFile | undefined> {
  const original = await from.open(key);
  if (!original) return undefined;
  const { size } = original;
  const there = await to.open(key);
  if (there?.size === size) {
    const sha256 = await hashOf(original.stream());
    if ((await hashOf(there.stream())) === sha256) return { key, size, sha256 };
  }
  const hash = createHash('sha256');
  await to.put(
    key,
    (async function* () {
      for await (const chunk of original.stream()) {
        hash.update(chunk);
        yield chunk as Uint8Array;
      }
    })(),
  );
  const sha256 = hash.digest('hex');
  const copy = await to.open(key);
  if (!copy || (await hashOf(copy.stream())) !== sha256)
    throw new Error(`the copy of the file ${key} differs`);
  return { key, size: copy.size, sha256 };
}

/** SHA-256 (hex). */
export async function hashOf(content: AsyncIterable<Uint8Array>): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of content) hash.update(chunk);
  return hash.digest('hex');
}
