import type { Conversation, DeskRecord } from './records.ts';
import type { RecordFilter } from './search.ts';

/**
 * POST /api/export: by `ids` (at most 5,000) or by `filter`. JSON is a RecordArchive, CSV is UTF-8 with a
 * byte order mark.
 */
export interface ExportRequest {
  ids?: string[];
  filter?: RecordFilter;
  format: 'json' | 'csv';
}

/** The format of an export and of POST /api/import. */
export interface RecordArchive {
  format: 'consultation-desk-records';
  version: 1;
  exportedAt: string;
  conversations: Conversation[];
  records: DeskRecord[];
}

/**
 * POST /api/import. Records whose id belongs to another owner get new ids, the same ones at every import; they count as
 * imported like all others, so that the reply does not tell which ids exist.
 */
export interface ImportReply {
  imported: number;
  unchanged: number;
  /** Always 0: releases of earlier versions add it up. */
  renamed: 0;
}

/**
 * POST /api/generate_pdf: by `ids` or by `filter`, at most 5,000 records. POST /api/preview_pdf: the same, but only with the first records;
 * totals count all of them. `X-Records` is their number. `title` has at most 200 units;
 * `mask` hides contacts except for their first and last characters. `tz` (with `ids`; a filter has its own)
 * is the time zone of dates in the report.
 */
export interface PdfRequest {
  ids?: string[];
  filter?: RecordFilter;
  title?: string;
  mask?: boolean;
  /** Only the statistics and the questions, without answers, sources and files. */
  questionsOnly?: boolean;
  tz?: string;
}
