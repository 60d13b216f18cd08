import type { RecordFilter, RecordStats } from 'api/contract/search';
import type { HostServices } from 'host/contract';
import { type Filter, toRecordFilter } from '../filters/filter.ts';
import { type Answer, useAnswer } from '../filters/use-answer.ts';
import { periodBefore } from './series.ts';

export interface Counted {
  filter: Filter;
  stats: RecordStats;
  /** Of the period of equal length before; undefined for open dates, and where it could not be read. */
  before: RecordStats | undefined;
  /** When it was counted. */
  at: Date;
}

/** What the filter's records add up to, and those of the period before. `generation` changes with the owner. */
export function useReport({ http }: HostServices, filter: Filter, generation: number): Answer<Counted> {
  const asked = toRecordFilter(filter);
  return useAnswer(JSON.stringify([generation, asked]), async (signal) => {
    const read = async (params: RecordFilter) =>
      (await http.get<RecordStats>('/api/stats', { params, signal })).data;
    const earlier = periodBefore(filter);
    const [stats, before] = await Promise.all([
      read(asked),
      // The figures stand without the comparison.
      earlier && read({ ...asked, ...earlier }).catch(() => undefined),
    ]);
    return { filter, stats, before, at: new Date() };
  });
}
