import type { FoundRecord, RecordFilter, SearchPage } from '../../contract/search.ts';
import type { PageRequest } from '../../store/cursor.ts';
import { createYielder } from '../../store/yield-to-event-loop.ts';
import type { Conversations } from '../conversations.ts';
import type { HiddenRecords } from '../hidden-records.ts';
import { toDeskRecord } from '../record.ts';
import type { MatchingRecords } from './matching-records.ts';
import { readWords } from './search-words.ts';

export type Search = ReturnType<typeof createSearch>;

export function createSearch(
  matching: MatchingRecords,
  conversations: Pick<Conversations, 'titled'>,
  { shownTo }: Pick<HiddenRecords, 'shownTo'>,
) {
  /** Other filters are of records. */
  async function titled(owner: string, { text = '', tz: _, ...others }: RecordFilter, request: PageRequest) {
    if (request.cursor !== undefined || Object.values(others).some((one) => one !== undefined)) return {};
    const found = await conversations.titled(owner, text);
    return found.length > 0 ? { conversations: found } : {};
  }

  return {
    /** Newest first by (createdAt, id), with the positions of the words. @throws like `MatchingRecords`. */
    async page(owner: string, filter: RecordFilter, request: PageRequest): Promise<SearchPage> {
      const [{ records, nextCursor, ...counted }, named] = await Promise.all([
        matching.page(owner, filter, request),
        titled(owner, filter, request),
      ]);
      const words = readWords(filter.text ?? '');
      const yieldToEventLoop = createYielder();
      const found: FoundRecord[] = [];
      for (const record of await shownTo(owner, records)) {
        found.push({ ...toDeskRecord(record), highlights: words?.highlights(record) ?? [] });
        await yieldToEventLoop();
      }
      return { records: found, ...counted, nextCursor, ...named };
    },
  };
}
