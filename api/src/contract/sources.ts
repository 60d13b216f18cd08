import { z } from 'zod';

/**
 * Where people find a position of a document; fields that do not apply are missing. All count from 1; `row` is that of the file, header row
 * included.
 */
export const SourcePlace = z.object({
  page: z.number().exactOptional(),
  slide: z.number().exactOptional(),
  sheet: z.string().exactOptional(),
  row: z.number().exactOptional(),
});
export type SourcePlace = z.infer<typeof SourcePlace>;

/** Why something in a file could not be read. A screen shows a sentence for each code. */
export const NoticeCode = z.enum([
  'mostly_unread',
  'text_not_decoded',
  'charset_unknown',
  'characters_damaged',
  'page_too_slow',
  'page_damaged',
  'picture_not_read',
  'attachment_not_read',
  'embedded_not_read',
  'form_not_read',
  'formula_not_read',
  'formula_without_value',
  'chart_not_read',
  'drawing_not_read',
  'frame_not_read',
]);
export type NoticeCode = z.infer<typeof NoticeCode>;

/** What could not be read of a file. */
export const ReadingNotice = z.object({
  code: NoticeCode,
  /** Missing if it concerns the whole file, or too many places to list. */
  at: SourcePlace.exactOptional(),
  /** The last page, slide or row of a range that starts at `at`. */
  until: z.number().exactOptional(),
  /** How many of these things, at least 1. */
  count: z.number(),
});
export type ReadingNotice = z.infer<typeof ReadingNotice>;

/** A document or a file of which something could not be read. */
export const IncompleteSource = z.object({ title: z.string(), notices: z.array(ReadingNotice) });
export type IncompleteSource = z.infer<typeof IncompleteSource>;
