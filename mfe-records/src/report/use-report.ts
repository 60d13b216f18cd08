import { useQuery } from '@tanstack/react-query';
import type { RecordFilter, RecordStats } from 'api/contract/search';
import { useState } from 'react';
import { type Filter, toRecordFilter } from '../history/filters/filter.ts';
import { useServices } from '../lib/services.ts';
import { periodBefore } from './series.ts';

export interface Counted {
  filter: Filter;
  stats: RecordStats;
  /** Statistics of the previous period of equal length; undefined for open dates or if they could not be loaded. */
  before: RecordStats | undefined;
  /** When they were computed. */
  at: Date;
}

/** Statistics of the filter's records and of the previous period. `shown` are the latest available ones, possibly of an earlier filter. */
export function useReport(filter: Filter) {
  const { http } = useServices();
  const asked = toRecordFilter(filter);
  const query = useQuery({
    queryKey: ['report', asked],
    queryFn: async ({ signal }): Promise<Counted> => {
      const read = async (body: RecordFilter) =>
        (await http.post<RecordStats>('/api/stats', body, { signal })).data;
      const earlier = periodBefore(filter);
      const [stats, before] = await Promise.all([
        read(asked),
        // If this fails, the figures are shown without the comparison.
        earlier && read({ ...asked, ...earlier }).catch(() => undefined),
      ]);
      return { filter, stats, before, at: new Date() };
    },
  });
  const [shown, setShown] = useState(query.data);
  if (query.data && query.data !== shown) setShown(query.data);
  return {
    shown: query.data ?? shown,
    isLoading: query.isFetching,
    failure: query.error,
    retry: query.refetch,
  };
}
