import type { RecordFile } from './records.ts';

/** What a file turned out to be, told by its content. */
export type FileKind =
  | 'text'
  | 'markdown'
  | 'csv'
  | 'json'
  | 'html'
  | 'pdf'
  | 'docx'
  | 'xlsx'
  | 'pptx'
  | 'image';

/** What predict tells of its files besides the answer. `url` is the first image's, `extracted` says what the first file held. */
export interface PredictFiles {
  isImage: boolean;
  url: string;
  imgUrls: string[];
  extracted: { kind: FileKind; chars: number; pages: number };
  files: RecordFile[];
}

/** GET /api/upload-rules: what the files of one question must keep to, so that a page can say so before it sends them. */
export interface UploadRules {
  maxFiles: 10;
  /** Of all files together: MAX_UPLOAD_MB. */
  maxBytes: number;
  /** That the caller may still keep; null without a limit. */
  freeBytes: number | null;
  /** What names of files that are read end in, such as `.pdf`. A file of another name is read where it turns out to be text. */
  endings: string[];
  /** Beginnings of media types that are never read, such as `video/`. */
  refusedTypes: string[];
}

/** How far the reading of uploaded files is: `file` counts from 0, `done` of `total` are pages, or other steps of that file. */
export interface ReadingProgress {
  file: number;
  files: number;
  name: string;
  done: number;
  total: number;
}
