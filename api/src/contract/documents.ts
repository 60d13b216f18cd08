import type { FileKind } from './files.ts';
import type { ReadingNotice, SourcePlace } from './sources.ts';

/** GET /api/documents/:id, for documents that the caller may read: shared ones, and the caller's own files. */
export interface SourceDocument {
  id: string;
  title: string;
  /** Name of the file; '' without one. */
  name: string;
  type: FileKind;
  /** In bytes; 0 without a file. */
  size: number;
  pages: number;
  /** Length of the extracted text in UTF-16 units. */
  length: number;
  /** Whether GET /api/documents/:id/file returns the original. */
  hasFile: boolean;
  isHandbook: boolean;
  /** What could not be read; missing if everything was. */
  notices?: ReadingNotice[];
}

/**
 * GET /api/documents/:id/text `?at=`: a part of the extracted text that contains the unit `at` (default 0), at most 40,000 units, cut at line
 * ends where possible. The parts before and after it contain `start - 1` and `end`.
 */
export interface SourceText {
  start: number;
  end: number;
  text: string;
  /** Of the whole text. */
  length: number;
  /** Starts of pages, slides, sheets and table rows within this part, ascending; the first one is the place of `start` if known. */
  places: ({ start: number } & SourcePlace)[];
}
