/**
 * Where people find a position of a document; fields that do not apply are missing. All count from 1; `row` is that of the file, header row
 * included.
 */
export interface SourcePlace {
  page?: number;
  slide?: number;
  sheet?: string;
  row?: number;
}

/** Why something in a file could not be read. A screen shows a sentence for each code. */
export type NoticeCode =
  /** Less than half of the visible text was read. */
  | 'mostly_unread'
  /** Characters whose font does not say which ones they are; `count` is their number. */
  | 'text_not_decoded'
  /** The encoding of the text could not be determined, so that characters may be wrong. */
  | 'charset_unknown'
  /** Bytes that are no characters in the encoding of the text; `count` is their number. */
  | 'characters_damaged'
  /** A page that took too long. */
  | 'page_too_slow'
  | 'page_damaged'
  /** A picture, or a scanned page, whose text was not recognised. */
  | 'picture_not_read'
  /** Files within the file. */
  | 'attachment_not_read'
  /** A part that was inserted from another file or format. */
  | 'embedded_not_read'
  /** A form that only its own program can show. */
  | 'form_not_read'
  | 'formula_not_read'
  /** A cell whose formula was stored without its result. */
  | 'formula_without_value'
  /** A chart without its figures. */
  | 'chart_not_read'
  /** A diagram, drawing or text box. */
  | 'drawing_not_read'
  | 'frame_not_read';

/** What could not be read of a file. */
export interface ReadingNotice {
  code: NoticeCode;
  /** Missing if it concerns the whole file, or too many places to list. */
  at?: SourcePlace;
  /** The last page, slide or row of a range that starts at `at`. */
  until?: number;
  /** How many of these things, at least 1. */
  count: number;
}

/** A document or a file of which something could not be read. */
export interface IncompleteSource {
  title: string;
  notices: ReadingNotice[];
}
