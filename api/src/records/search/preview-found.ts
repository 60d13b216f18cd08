import type { Deletion } from '../../contract/contract.ts';
import type { RecordDocument } from '../record.ts';

/** What of a record a preview tells. */
export const previewedFields = ['conversationId', 'files', 'createdAt'] as const;
type Previewed = Pick<RecordDocument, (typeof previewedFields)[number]>;

/** What a deletion of these records would take along, in one reading of them; `check` is told after each slice how many there were so far. */
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
