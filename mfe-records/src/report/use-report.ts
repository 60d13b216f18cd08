import { useQuery } from '@tanstack/react-query';
import type { RecordFilter, RecordStats } from 'api/contract/search';
import { useState } from 'react';
import { type Filter, toRecordFilter } from '../history/filters/filter.ts';
import { useServices } from '../lib/services.ts';
import { periodBefore } from './series.ts';

export interface Counted {
  filter: Filter;
  stats: RecordStats;
  /** The counted days: those of the filter, or of its newest records if only these were counted. */
  range: Pick<Filter, 'from' | 'to'>;
  /** Statistics of the previous period of equal length; undefined for open dates, if they could not be loaded, or if only the newest records were counted. */
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
      const isPart = stats.totalIsMore || before?.totalIsMore;
      const range = stats.totalIsMore ? { ...filter, from: stats.byDay[0]?.day ?? filter.from } : filter;
      return { filter, range, stats, before: isPart ? undefined : before, at: new Date() };
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
