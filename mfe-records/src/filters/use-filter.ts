import { useCallback, useEffect, useMemo, useRef } from 'react';
import { useSearchParams } from 'react-router-dom';
import { type Filter, isEverything, isSameFilter, readFilter, writeFilter } from './filter.ts';

/** Whether a change becomes a step of its own for the browser's back button. */
export type Step = 'push' | 'replace';

/** The filter that the address names, and its change. Other parts of the address stay as they are. */
export function useFilter() {
  const [params, setParams] = useSearchParams();
  const query = params.toString();
  const parsed = useMemo(() => readFilter(new URLSearchParams(query)), [query]);
  // The same filter stays the same object while another part of the address changes.
  const kept = useRef(parsed);
  const filter = isSameFilter(kept.current, parsed) ? kept.current : parsed;
  const latest = useRef({ params, setParams });
  useEffect(() => {
    kept.current = filter;
    latest.current = { params, setParams };
  });

  /** Choosing is a step ('push'), typing is none ('replace'). */
  const setFilter = useCallback((next: Filter, step: Step = 'push') => {
    const { params, setParams } = latest.current;
    if (!isSameFilter(readFilter(params), next))
      setParams(writeFilter(params, next), { replace: step === 'replace' });
  }, []);

  return { filter, setFilter, isEmpty: isEverything(filter) };
}
