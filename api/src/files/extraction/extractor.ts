import type { FileKind } from '../../contract/files.ts';
import type { Language } from '../../contract/language.ts';

/** What a file holds. */
export interface Extracted {
  kind: FileKind;
  /** Media type, told by the content. */
  type: string;
  /**
   * The text as light Markdown (headings, paragraphs, lists, tables), well-formed, with `\n` line ends. '' where nothing could be read
   * in an image.
   */
  text: string;
  /** A title that the file itself gives; '' without. */
  title: string;
  language: Language;
  /** Pages of a PDF; 1 for what has none. */
  pages: number;
  /** Pixels of an image, null for others. */
  size: { width: number; height: number } | null;
}

export interface ExtractionProgress {
  /** Pages of a PDF, then those of its scans; per cent of an image. */
  done: number;
  total: number;
}

/**
 * Takes the text out of a file. What the file is, is told by its content; its name is for messages and, among plain texts, for telling
 * Markdown, CSV and text apart. Runs in processes of their own, bound in time, memory and number, so that no file harms the process.
 */
export interface Extractor {
  /**
   * @param path a file on this machine; it is read and left as it is.
   * @throws unsupportedType (415), tooLarge (413: pages, or what it would unpack to), unreadableFile (422: encrypted, cut off, damaged, took
   * too long), unavailable when too many files wait already, rateLimited when too many of `caller` do; an AbortError when `signal` aborts.
   */
  extract(
    path: string,
    name: string,
    options: {
      signal?: AbortSignal;
      onProgress?: (progress: ExtractionProgress) => void;
      /** Callers take turns, so that nobody's files delay those of others for long. Without one the call takes its own turn. */
      caller?: string;
    },
  ): Promise<Extracted>;
  /** Ends what is being read and the processes that read. */
  close(): Promise<void>;
}
