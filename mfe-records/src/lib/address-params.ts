import { useCallback, useEffect, useMemo } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';

/** Contacts and searched words are in the fragment, which browsers do not send to servers, so that no proxy logs them. */
const PRIVATE = ['q', 'contact', 'id'];

/** The address of `path`, by default of the current screen, with these parameters: '/history?source=none#contact=13800138000'. */
export function addressWith(params: URLSearchParams, path = ''): string {
  const sent = new URLSearchParams(params);
  const unsent = new URLSearchParams();
  for (const key of PRIVATE) {
    const value = params.get(key);
    sent.delete(key);
    if (value !== null) unsent.set(key, value);
  }
  // A relative address without path and query would lead to the start page.
  const query = sent.size > 0 || !path ? `?${sent}` : '';
  return `${path}${query}${unsent.size > 0 ? `#${unsent}` : ''}`;
}

/** A copy of `params` with these values; '' and null remove one. */
export function withParams(
  params: URLSearchParams,
  values: Readonly<Record<string, string | null>>,
): URLSearchParams {
  const next = new URLSearchParams(params);
  for (const [key, value] of Object.entries(values)) {
    next.delete(key);
    if (value) next.set(key, value);
  }
  return next;
}

/** The parameters in query and fragment, and a function to change them. Private ones in the query, as in old links, move to the fragment. */
export function useAddressParams() {
  const { search, hash } = useLocation();
  const navigate = useNavigate();
  const [params, isOld] = useMemo(() => {
    const all = new URLSearchParams(search);
    const isOld = PRIVATE.some((key) => all.has(key));
    const unsent = new URLSearchParams(hash.slice(1));
    for (const key of PRIVATE) if (unsent.has(key)) all.set(key, unsent.get(key) ?? '');
    return [all, isOld] as const;
  }, [search, hash]);
  const setParams = useCallback(
    (next: URLSearchParams, options?: { replace: boolean }) => void navigate(addressWith(next), options),
    [navigate],
  );
  useEffect(() => {
    if (isOld) setParams(params, { replace: true });
  }, [isOld, params, setParams]);
  return [params, setParams] as const;
}
