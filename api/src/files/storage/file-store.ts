import type { Readable } from 'node:stream';

/**
 * Where bytes are kept: releases, and what visitors upload. Two adapters: a folder (`createDiskFileStore`) and GridFS
 * (`createGridFsFileStore`), which every API process of a cluster sees.
 *
 * A key is a relative path of 1–16 segments of `A–Z a–z 0–9 . _ @ + -`, none of them `.` or `..`, each at most 200 characters (disks
 * take 255 bytes, and what is being written has a suffix), at most 512 in all.
 * Every call rejects with a TypeError on any other key.
 */
export interface FileStore {
  /** Keeps `content` under `key` and replaces what was there, in one step: a reader sees all of the old or all of the new. */
  put(key: string, content: Uint8Array | AsyncIterable<Uint8Array>): Promise<void>;
  /** undefined when there is no such file. */
  open(key: string): Promise<StoredFile | undefined>;
  /** Removing what is not there is no error. */
  remove(key: string): Promise<void>;
  /** Keys below a folder, in no order. `prefix` is a key without its last segments, `''` for all: whole segments match. */
  list(prefix: string): AsyncIterable<string>;
  /** Removes what processes that were killed before `before` had not put to the end. It is in no list, and takes room all the same. */
  sweep(before: Date): Promise<void>;
}

export interface StoredFile {
  /** In bytes. */
  size: number;
  /** Differs when the content may differ; the same stamp may be answered from a cache. */
  stamp: string;
  stream(): Readable;
}

const SEGMENT = /^[\w.@+-]{1,200}$/;

/** Returns the key's segments. Throws a TypeError unless it is a safe relative path. */
export function keySegments(key: string): string[] {
  const segments = key.split('/');
  const isSafe =
    key.length <= 512 &&
    segments.length <= 16 &&
    segments.every((segment) => SEGMENT.test(segment) && segment !== '.' && segment !== '..');
  if (!isSafe) throw new TypeError(`a file's key must be a relative path, got ${JSON.stringify(key)}`);
  return segments;
}

/** The whole file in memory. undefined when it is missing, also when it goes away between the two steps. */
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

/** True for what the disk (ENOENT) and GridFS (FileNotFound, a chunk that is gone) say of a missing file. */
function isMissing(error: unknown): boolean {
  const { code, message } = error as { code?: unknown; message?: unknown };
  if (code === 'ENOENT' || code === 'EISDIR') return true;
  return /FileNotFound|ChunkIs(Missing|WrongSize)|ExtraChunk/.test(String(message));
}
