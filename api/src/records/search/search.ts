import type { FoundRecord, RecordFilter, SearchPage } from '../../contract/search.ts';
import type { PageRequest } from '../../store/cursor.ts';
import { createYielder } from '../../store/yield-to-event-loop.ts';
import { toDeskRecord } from '../record.ts';
import type { MatchingRecords } from './matching-records.ts';
import { readWords } from './search-words.ts';

export interface Search {
  /** Newest first by (createdAt, id), with the positions of the words. @throws like `MatchingRecords`. */
  page(owner: string, filter: RecordFilter, request: PageRequest): Promise<SearchPage>;
}

export function createSearch(matching: MatchingRecords): Search {
  return {
    async page(owner, filter, request) {
      const { records, nextCursor, ...counted } = await matching.page(owner, filter, request);
      const words = readWords(filter.text ?? '');
      const yieldToEventLoop = createYielder();
      const found: FoundRecord[] = [];
      for (const record of records) {
        found.push({ ...toDeskRecord(record), highlights: words?.highlights(record) ?? [] });
        await yieldToEventLoop();
      }
      return { records: found, ...counted, nextCursor };
    },
  };
}
