import type { getDocumentProxy } from 'unpdf';
import type { Line } from './pdf-lines.ts';

/** A document and a page of PDF.js. */
export type Pdf = Awaited<ReturnType<typeof getDocumentProxy>>;
export type Page = Awaited<ReturnType<Pdf['getPage']>>;

/** What the thread does for a PDF; see `pdf-document.ts`. */
export type PdfJob =
  | { kind: 'open'; bytes: Uint8Array; maxImageSize: number }
  | { kind: 'page'; number: number }
  | { kind: 'images'; number: number };

export interface PdfInfo {
  pages: number;
  /** As in the file; '' if none. */
  title: string;
  /** Number of attached files. */
  attachments: number;
  /** Whether it has a form that only Adobe's programs can show. */
  hasXfa: boolean;
}

export interface PdfPage {
  lines: Line[];
  /** Number of characters that could not be decoded. */
  undecoded: number;
  /** Number of attached files. */
  attachments: number;
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
  images: PdfImages;
}

/** The thread's answer to a job; `error` is the name of the exception. */
export type PdfReply = { value: PdfResults[PdfJob['kind']] } | { error: string };
