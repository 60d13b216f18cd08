import type { RecordFile } from './records.ts';

/** Kind of a file, detected from its content. */
export type FileKind =
  | 'text'
  | 'markdown'
  | 'csv'
  | 'json'
  | 'html'
  | 'mail'
  | 'pdf'
  | 'docx'
  | 'xlsx'
  | 'pptx'
  | 'image';

/**
 * Additional response fields of predict. `url` is the first image's, `extracted` describes the first file.
 */
export interface PredictFiles {
  isImage: boolean;
  url: string;
  imgUrls: string[];
  extracted: { kind: FileKind; chars: number; pages: number };
  files: RecordFile[];
}

/**
 * GET /api/upload-rules: limits for the files of one question, so that a page can check them before the
 * upload.
 */
export interface UploadRules {
  maxFiles: 10;
  /** For all files together: MAX_UPLOAD_MB. */
  maxBytes: number;
  /** Space left for the caller's files; null if unlimited. */
  freeBytes: number | null;
  /** Supported file extensions, such as `.pdf`. Other files are accepted if their content is text. */
  endings: string[];
  /** Prefixes of media types that are always refused, such as `video/`. */
  refusedTypes: string[];
}

/**
 * Progress of reading uploaded files: `file` counts from 0; `done` of `total` are pages, or other steps of
 * that file.
 */
export interface ReadingProgress {
  file: number;
  files: number;
  name: string;
  done: number;
  total: number;
}
