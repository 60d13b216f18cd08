import { z } from 'zod';
import { FileKind } from './files.ts';
import { ReadingNotice, SourcePlace } from './sources.ts';

/** GET /api/documents/:id, for documents that the caller may read: shared ones, and the caller's own files. */
export const SourceDocument = z.object({
  id: z.string(),
  title: z.string(),
  /** Name of the file; '' without one. */
  name: z.string(),
  type: FileKind,
  /** In bytes; 0 without a file. */
  size: z.number(),
  pages: z.number(),
  /** Length of the extracted text in UTF-16 units. */
  length: z.number(),
  /** Whether GET /api/documents/:id/file returns the original. */
  hasFile: z.boolean(),
  isHandbook: z.boolean(),
  /** What could not be read; missing if everything was. */
  notices: z.array(ReadingNotice).exactOptional(),
});
export type SourceDocument = z.infer<typeof SourceDocument>;

/**
 * GET /api/documents/:id/text `?at=`: a part of the extracted text that contains the unit `at` (default 0), at most 40,000 units, cut at line
 * ends where possible. The parts before and after it contain `start - 1` and `end`.
 */
export const SourceText = z.object({
  start: z.number(),
  end: z.number(),
  text: z.string(),
  /** Of the whole text. */
  length: z.number(),
  /** Starts of pages, slides, sheets and table rows within this part, ascending; the first one is the place of `start` if known. */
  places: z.array(z.object({ start: z.number() }).extend(SourcePlace.shape)),
});
export type SourceText = z.infer<typeof SourceText>;

/** Query of GET /api/documents/:id/text. */
export const SourceTextQuery = z.object({
  at: z.coerce.number<string>().int().min(0).max(Number.MAX_SAFE_INTEGER).default(0),
});
