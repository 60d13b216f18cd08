import type { StoredFile } from '../files/file-store.ts';

/**
 * The bytes of uploaded files, each content once, however many files have it. Every holder of a file counts: the bytes go when the last one
 * lets go. Safe against uploads and removals of the same content at once, on several processes, and against a crash at any moment.
 */
export interface Blobs {
  /** Keeps the file at `path` for one more holder. `hash` is the lower-case hex SHA-256 of its content. */
  keep(hash: string, path: string): Promise<void>;
  /** One holder less. */
  release(hash: string): Promise<void>;
  /** undefined when nobody holds it. */
  open(hash: string): Promise<StoredFile | undefined>;
}
