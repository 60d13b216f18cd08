import { useCallback, useEffect, useMemo, useRef } from 'react';
import { useAddressParams } from '../../lib/address-params.ts';
import { type Filter, isEverything, isSameFilter, readFilter, writeFilter } from './filter.ts';

/** Whether a change adds an entry to the browser's history. */
export type Step = 'push' | 'replace';

/** The filter in the address, and a function to change it. Other parameters stay. */
export function useFilter() {
  const [params, setParams] = useAddressParams();
  const query = params.toString();
  const parsed = useMemo(() => readFilter(new URLSearchParams(query)), [query]);
  // Keeps its identity while other parameters change.
  const previous = useRef(parsed);
  const filter = isSameFilter(previous.current, parsed) ? previous.current : parsed;
  const latest = useRef({ params, setParams });
  useEffect(() => {
    previous.current = filter;
    latest.current = { params, setParams };
  });

  /** Choosing adds a history entry ('push'), typing does not ('replace'). */
  const setFilter = useCallback((next: Filter, step: Step = 'push') => {
    const { params, setParams } = latest.current;
    if (!isSameFilter(readFilter(params), next))
      setParams(writeFilter(params, next), { replace: step === 'replace' });
  }, []);

  return { filter, setFilter, isEmpty: isEverything(filter) };
}
