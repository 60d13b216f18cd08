import type { Deletion } from '../../contract/deletions.ts';
import type { RecordDocument } from '../record.ts';

/** The fields of a record that a preview needs. */
export const previewedFields = ['conversationId', 'files', 'createdAt'] as const;
type Previewed = Pick<RecordDocument, (typeof previewedFields)[number]>;

/**
 * Counts what deleting these records would remove, in one pass; `check` is called with the count after each
 * slice.
 */
export async function previewFound(
  slices: AsyncIterable<readonly Previewed[]>,
  check: (matched: number) => void,
): Promise<NonNullable<Deletion['preview']> & { matched: number }> {
  const conversations = new Set<string>();
  let matched = 0;
  let files = 0;
  let first: Date | null = null;
  let last: Date | null = null;
  for await (const slice of slices) {
    for (const record of slice) {
      conversations.add(record.conversationId.toHexString());
      files += record.files.length;
      if (!first || record.createdAt < first) first = record.createdAt;
      if (!last || record.createdAt > last) last = record.createdAt;
    }
    matched += slice.length;
    check(matched);
  }
  return {
    matched,
    conversations: conversations.size,
    files,
    firstAt: first?.toISOString() ?? null,
    lastAt: last?.toISOString() ?? null,
  };
}
