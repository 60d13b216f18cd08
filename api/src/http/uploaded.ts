/** One file of a multipart body, in a temporary file that goes when the call is over, however it ends. */
export interface UploadedFile {
  path: string;
  /** As the sender calls it: its last path segment, well-formed, 1–255 units. Never to be used as a path. */
  name: string;
  /** In bytes. */
  size: number;
  /** Lower-case hex SHA-256 of its content. */
  hash: string;
}

/** A multipart body: its files named `file`, in order, at least one, and its text fields. */
export interface Uploaded {
  files: UploadedFile[];
  /** As they came, untrimmed; of several of one name the last. Without a prototype. */
  fields: Record<string, string>;
  /** Keeps the temporary files until `work` is over as well, for handlers that answer before they have read them. */
  holdFor(work: Promise<unknown>): void;
}
