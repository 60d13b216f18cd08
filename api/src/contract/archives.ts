import type { Conversation, DeskRecord } from './records.ts';
import type { RecordFilter } from './search.ts';

/** POST /api/export: by `ids` (at most 5,000) or by `filter`. JSON is a RecordArchive, CSV is UTF-8 with a byte order mark. */
export interface ExportRequest {
  ids?: string[];
  filter?: RecordFilter;
  format: 'json' | 'csv';
}

/** What an export writes and POST /api/import takes. */
export interface RecordArchive {
  format: 'consultation-desk-records';
  version: 1;
  exportedAt: string;
  conversations: Conversation[];
  records: DeskRecord[];
}

/** POST /api/import. `renamed` are records whose id is another owner's: they got new ids, the same ones at every import. */
export interface ImportReply {
  imported: number;
  unchanged: number;
  renamed: number;
}

/**
 * POST /api/generate_pdf: by `ids` or by `filter`, at most 5,000 records. `title` has at most 200 units; `mask` shows contacts by their
 * first and last characters alone. `tz` (with `ids`; a filter has its own) says which days the headings mean.
 */
export interface PdfRequest {
  ids?: string[];
  filter?: RecordFilter;
  title?: string;
  mask?: boolean;
  tz?: string;
}
