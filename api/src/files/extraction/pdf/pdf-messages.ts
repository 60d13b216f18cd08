import type { getDocumentProxy } from 'unpdf';
import type { Line, TextRun } from './pdf-lines.ts';

/** A document and a page of PDF.js. */
export type Pdf = Awaited<ReturnType<typeof getDocumentProxy>>;
export type Page = Awaited<ReturnType<Pdf['getPage']>>;

/** What the thread does for a PDF; see `pdf-document.ts`. */
export type PdfJob =
  | { kind: 'open'; bytes: Uint8Array; maxImageSize: number }
  | { kind: 'page'; number: number }
  | { kind: 'rules'; number: number }
  | { kind: 'images'; number: number };

export interface PdfInfo {
  pages: number;
  /** As in the file; '' if none. */
  title: string;
  attachments: number;
  /** Whether it has a form that only Adobe's programs can show. */
  hasXfa: boolean;
}

export interface PdfPage {
  /** The running text, in file order. */
  runs: TextRun[];
  /** Notes and labels at an angle. */
  blocks: Line[];
  /** Number of characters that could not be decoded. */
  undecoded: number;
  attachments: number;
}

/** A straight line that a page shows: at `at`, from `from` to `to`, in points from the upper left corner. */
export interface Rule {
  at: number;
  from: number;
  to: number;
}

/** The horizontal and vertical lines of a page: drawn ones, thin rectangles, and the edges of others. */
export interface Rules {
  across: Rule[];
  down: Rule[];
}

export interface PdfImages {
  /** As PNM. */
  images: Uint8Array[];
  /** EXIF orientation. */
  orientation: number;
  /** Whether the page shows images that could not be decoded. */
  hasOthers: boolean;
}

export interface PdfResults {
  open: PdfInfo;
  page: PdfPage;
  rules: Rules;
  images: PdfImages;
}

/** The thread's answer to a job; `error` is the name of the exception. */
export type PdfReply = { value: PdfResults[PdfJob['kind']] } | { error: string };
