import type { Readable } from 'node:stream';

/**
 * Stores bytes of releases and uploads. There are two adapters: a folder (`createDiskFileStore`) and GridFS
 * (`createGridFsFileStore`), which is shared by every API process of a cluster.
 * A key is a relative path of 1–16 segments of `A–Z a–z 0–9 . _ @ + -`, none of them `.` or `..`, each at
 * most 200 characters (file systems allow 255 bytes, and unfinished files have a suffix), at most 512 in
 * total. Every method rejects with a TypeError for any other key.
 */
export interface FileStore {
  /** Replaces the content atomically: a reader sees the whole old or the whole new one. */
  put(key: string, content: Uint8Array | AsyncIterable<Uint8Array>): Promise<void>;
  /** undefined if there is no such file. */
  open(key: string): Promise<StoredFile | undefined>;
  /** Removing a missing file is not an error. */
  remove(key: string): Promise<void>;
  /** Keys below a folder, unordered. `prefix` is a key without its last segments, or ''. */
  list(prefix: string): AsyncIterable<string>;
  /** Removes unfinished writes of processes killed before `before`. They are not listed but take up space. */
  sweep(before: Date): Promise<void>;
}

export interface StoredFile {
  /** In bytes. */
  size: number;
  /** Changes whenever the content may have changed; may be used as a cache validator. */
  stamp: string;
  /** The bytes of `range`, by default all. */
  stream(range?: ByteRange): Readable;
}

/** Positions of bytes, counted from 0; `end` is not included. */
export interface ByteRange {
  start: number;
  end: number;
}

const SEGMENT = /^[\w.@+-]{1,200}$/;

/** Returns the key's segments. Throws a TypeError unless it is a safe relative path. */
export function keySegments(key: string): string[] {
  const segments = key.split('/');
  const isSafe =
    key.length <= 512 &&
    segments.length <= 16 &&
    segments.every((segment) => SEGMENT.test(segment) && segment !== '.' && segment !== '..');
  if (!isSafe) throw new TypeError(`the key of a file must be a relative path, got ${JSON.stringify(key)}`);
  return segments;
}

/** The whole file in memory; undefined if it is missing or deleted meanwhile. */
export async function readStored(file: StoredFile): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of file.stream()) chunks.push(chunk as Buffer);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
  return Buffer.concat(chunks);
}

/** Whether ENOENT, or GridFS's FileNotFound or missing chunk, means a missing file. */
export function isMissing(error: unknown): boolean {
  const { code, message } = error as { code?: unknown; message?: unknown };
  if (code === 'ENOENT' || code === 'EISDIR') return true;
  return /FileNotFound|ChunkIs(Missing|WrongSize)|ExtraChunk/.test(String(message));
}
