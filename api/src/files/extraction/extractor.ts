import type { Place } from '../../answers/document.ts';
import type { FileKind } from '../../contract/files.ts';
import type { Language } from '../../contract/language.ts';
import type { ReadingNotice } from '../../contract/sources.ts';

/** The content of a file. */
export interface Extracted {
  kind: FileKind;
  /** Media type, detected from the content. */
  type: string;
  /**
   * The text as simple Markdown (headings, paragraphs, lists, tables), well-formed, with `
   * ` line ends. '' if nothing could be read in an image.
   */
  text: string;
  /** Starts of pages, slides, sheets and tables in `text`, ascending. */
  places: Place[];
  /** The title in the file's metadata; '' if none. */
  title: string;
  /** What could not be read, in the order of the file; [] if everything was. */
  notices: ReadingNotice[];
  language: Language;
  /** Pages of a PDF; otherwise 1. */
  pages: number;
  /** Size of an image in pixels, otherwise null. */
  size: { width: number; height: number } | null;
}

export interface ExtractionProgress {
  /** Pages of a PDF, then its scanned pages; percent of an image. */
  done: number;
  total: number;
}

/**
 * Extracts text from files. The format is detected from the content; the name is used for messages and to
 * distinguish Markdown, CSV and plain text. Runs in separate processes with limited time, memory and number,
 * so that no file can harm the server.
 */
export interface Extractor {
  /**
   * @param path a local file, which is only read. @throws unsupported_type (415), too_large (413: pages, or
   * unpacked size), unreadableFile (422: encrypted, truncated, damaged, too slow), unavailable if too many
   * files are waiting, rate_limited if too many of `caller` are; an AbortError when `signal` aborts.
   */
  extract(
    path: string,
    name: string,
    options: {
      signal?: AbortSignal;
      onProgress?: (progress: ExtractionProgress) => void;
      /**
       * Queues are served round-robin by caller, so that one caller's files do not delay others for long. A
       * call without one counts as its own caller.
       */
      caller?: string;
    },
  ): Promise<Extracted>;
  /** Aborts all reading and ends the processes. */
  close(): Promise<void>;
}
