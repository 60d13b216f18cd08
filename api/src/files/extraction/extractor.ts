import type { Place } from '../../answers/index/document.ts';
import type { FileKind } from '../../contract/files.ts';
import type { Language } from '../../contract/language.ts';
import type { ReadingNotice } from '../../contract/sources.ts';

export interface Extracted {
  kind: FileKind;
  /** Media type, detected from the content. */
  type: string;
  /** Simple, well-formed Markdown with `\n` line ends; '' if nothing could be read in an image. */
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
