import { z } from 'zod';
import { RecordFile } from './records.ts';

/** Kind of a file, detected from its content. */
export const FileKind = z.enum([
  'text',
  'markdown',
  'csv',
  'json',
  'html',
  'mail',
  'pdf',
  'docx',
  'xlsx',
  'pptx',
  'image',
]);
export type FileKind = z.infer<typeof FileKind>;

/**
 * Additional response fields of predict. `url` is the first image's, `extracted` describes the first file.
 */
export const PredictFiles = z.object({
  isImage: z.boolean(),
  url: z.string(),
  imgUrls: z.array(z.string()),
  extracted: z.object({ kind: FileKind, chars: z.number(), pages: z.number() }),
  files: z.array(RecordFile),
});
export type PredictFiles = z.infer<typeof PredictFiles>;

/**
 * GET /api/upload-rules: limits for the files of one question, so that a page can check them before the
 * upload.
 */
export const UploadRules = z.object({
  maxFiles: z.literal(10),
  /** For all files together: MAX_UPLOAD_MB. */
  maxBytes: z.number(),
  /** Space left for the caller's files; null if unlimited. */
  freeBytes: z.number().nullable(),
  /** Supported file extensions, such as `.pdf`. Other files are accepted if their content is text. */
  endings: z.array(z.string()),
  /** Prefixes of media types that are always refused, such as `video/`. */
  refusedTypes: z.array(z.string()),
});
export type UploadRules = z.infer<typeof UploadRules>;

/**
 * Progress of reading uploaded files: `file` counts from 0; `done` of `total` are pages, or other steps of
 * that file.
 */
export const ReadingProgress = z.object({
  file: z.number(),
  files: z.number(),
  name: z.string(),
  done: z.number(),
  total: z.number(),
});
export type ReadingProgress = z.infer<typeof ReadingProgress>;
