import { z } from 'zod';
import { hasOneSelection, TimeZone, trimmedText } from './fields.ts';
import { Conversation, DeskRecord } from './records.ts';
import { RecordFilter } from './search.ts';

/**
 * POST /api/export: by `ids` (at most 5,000) or by `filter`. JSON is a RecordArchive, CSV is UTF-8 with a
 * byte order mark.
 */
export const ExportRequest = z
  .object({
    ids: z.array(z.string().max(100)).min(1).max(5000).exactOptional(),
    filter: RecordFilter.exactOptional(),
    format: z.enum(['json', 'csv']),
  })
  .refine(hasOneSelection, { path: ['filter'] });
export type ExportRequest = z.input<typeof ExportRequest>;

/** The format of an export and of POST /api/import. */
export const RecordArchive = z.object({
  format: z.literal('consultation-desk-records'),
  version: z.literal(1),
  exportedAt: z.string(),
  conversations: z.array(Conversation),
  records: z.array(DeskRecord),
});
export type RecordArchive = z.infer<typeof RecordArchive>;

/**
 * POST /api/import. Records whose id belongs to another owner get new ids, the same ones at every import; they count as
 * imported like all others, so that the reply does not tell which ids exist.
 */
export const ImportReply = z.object({
  imported: z.number(),
  unchanged: z.number(),
  /** Always 0: releases of earlier versions add it up. */
  renamed: z.literal(0),
});
export type ImportReply = z.infer<typeof ImportReply>;

/**
 * POST /api/generate_pdf: by `ids` or by `filter`, at most 5,000 records. POST /api/preview_pdf: the same, but only with the first records;
 * totals count all of them. `X-Records` is their number. `title` has at most 200 units;
 * `mask` hides contacts except for their first and last characters. `tz` (with `ids`; a filter has its own)
 * is the time zone of dates in the report.
 */
export const PdfRequest = z
  .object({
    ids: z.array(z.string().max(100)).min(1).exactOptional(),
    filter: RecordFilter.exactOptional(),
    title: trimmedText(200).exactOptional(),
    mask: z.boolean().exactOptional(),
    /** Only the statistics and the questions, without answers, sources and files. */
    questionsOnly: z.boolean().exactOptional(),
    tz: TimeZone.exactOptional(),
  })
  .refine(hasOneSelection, { path: ['filter'] });
export type PdfRequest = z.input<typeof PdfRequest>;

/** Query of GET /api/conversations/:id/export. */
export const ConversationExportQuery = z.object({
  format: z.enum(['markdown', 'pdf']),
  tz: TimeZone.default('UTC'),
});
