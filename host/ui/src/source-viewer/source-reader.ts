import type { Quote } from '../find-quote.ts';
import type { ReadingNotice } from '../reading-notices/notice-texts.ts';

/** Where people find a position of a document; all count from 1. */
export interface SourcePlace {
  page?: number;
  slide?: number;
  sheet?: string;
  row?: number;
}

/** A part of a document that answers cite. */
export interface SourcePassage {
  documentId: string;
  title: string;
  text: string;
  start: number;
  /** Heading path, for display. */
  place: string;
  columns?: string;
  at?: SourcePlace;
}

export interface SourceDocument {
  title: string;
  name: string;
  type: string;
  hasFile: boolean;
  /** What could not be read; missing if everything was. */
  notices?: ReadingNotice[];
}

/** A part of a document's text; `start` and `end` are UTF-16 positions in the whole text of `length` units. */
export interface SourcePart {
  start: number;
  end: number;
  text: string;
  length: number;
  places: ({ start: number } & SourcePlace)[];
}

/** Why a request failed. `status` is 404 for what does not exist any more. */
export interface SourceFailure extends Error {
  status?: number;
}

/** How the screen reads documents. All reject with `SourceFailure`. */
export interface SourceReader {
  passage(href: string, signal: AbortSignal): Promise<SourcePassage>;
  document(id: string, signal: AbortSignal): Promise<SourceDocument>;
  /** The part that contains the unit `at`. */
  part(id: string, at: number, signal: AbortSignal): Promise<SourcePart>;
  file(id: string, signal?: AbortSignal): Promise<Blob>;
  /** The bytes `start`–`end` of the original file; `end` is not included. More than that if the server does not send parts. */
  bytes(id: string, start: number, end: number, signal: AbortSignal): Promise<SourceBytes>;
}

/** A part of a file of `size` bytes. */
export interface SourceBytes {
  bytes: Uint8Array<ArrayBuffer>;
  size: number;
  /** Changes with the content of the file. */
  version: string;
}

/** What is shown: a citation, a passage without a quote, or a whole document. */
export interface Source {
  title: string;
  quote?: Quote;
  /** Address of the passage. */
  href?: string;
  /** Of the document, if there is no `href`. */
  documentId?: string;
}
