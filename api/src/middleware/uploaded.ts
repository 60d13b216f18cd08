/** One file of a multipart body, in a temporary file that goes when the call is over, however it ends. */
export interface UploadedFile {
  path: string;
  /** As the sender calls it: its last path segment, well-formed, 1–255 units. Never to be used as a path. */
  name: string;
  /** Bytes. */
  size: number;
  /** Lower-case hex SHA-256 of its content. */
  hash: string;
}

/** A multipart body: its files named `file`, in order, and its text fields. */
export interface Uploaded {
  files: UploadedFile[];
  fields: Record<string, string>;
}
