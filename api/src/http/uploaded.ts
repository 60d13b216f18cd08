/** One file of a multipart body, in a temporary file that is deleted at the end of the request. */
export interface UploadedFile {
  path: string;
  /** Name given by the client: the last path segment, well-formed, 1–255 units. Never use it as a path. */
  name: string;
  /** In bytes. */
  size: number;
  /** SHA-256 of its content, lower-case hex. */
  hash: string;
}

/** A multipart body: its files named `file`, in order, at least one, and its text fields. */
export interface Uploaded {
  files: UploadedFile[];
  /** Untrimmed; the last one of the same name. Without a prototype. */
  fields: Record<string, string>;
  /** Keeps the temporary files until `work` has ended, for handlers that respond before reading them. */
  holdFor(work: Promise<unknown>): void;
}
