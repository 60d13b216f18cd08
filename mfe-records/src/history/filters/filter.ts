import type { AnsweredBy, Outcome } from 'api/contract/answers';
import type { FeedbackFilter, RecordFilter } from 'api/contract/search';
import { useCallback, useEffect, useMemo, useRef } from 'react';
import { addressWith, useAddressParams, withParams } from '../../lib/address-params.ts';
import { isDay } from './days.ts';

/** The filters of a screen of records. All that are set must match. */
export interface Filter {
  /** Words and quoted phrases; '' for none. At most 1,000 UTF-16 units. */
  text: string;
  /** A contact's id; '' for oneself, null for anyone. */
  contact: string | null;
  /** First and last day, YYYY-MM-DD, both inclusive; '' for an open end. */
  from: string;
  to: string;
  source: AnsweredBy | '';
  outcome: Outcome | '';
  feedback: FeedbackFilter | '';
}

export const EVERYTHING: Filter = {
  text: '',
  contact: null,
  from: '',
  to: '',
  source: '',
  outcome: '',
  feedback: '',
};

export const SOURCES = ['document', 'curated', 'model', 'person', 'none'] as const satisfies AnsweredBy[];
export const OUTCOMES = ['answered', 'related', 'nothing'] as const satisfies Outcome[];
export const FEEDBACKS = ['up', 'down', 'none'] as const satisfies FeedbackFilter[];

const TEXT_MAX = 1000;
const CONTACT_MAX = 120;

export function isEverything(filter: Filter): boolean {
  return isSameFilter(filter, EVERYTHING);
}

export function isSameFilter(one: Filter, other: Filter): boolean {
  return (Object.keys(EVERYTHING) as (keyof Filter)[]).every((key) => one[key] === other[key]);
}

/** The filter in the API's format: omits what is not set; days are in the browser's time zone. */
export function toRecordFilter(filter: Filter): RecordFilter {
  const { text, contact, from, to, source, outcome, feedback } = filter;
  return {
    ...(text.trim() && { text: text.trim() }),
    ...(contact !== null && { contact }),
    ...(from && { from }),
    ...(to && { to }),
    ...inTimeZone(),
    ...(source && { source }),
    ...(outcome && { outcome }),
    ...(feedback && { feedback }),
  };
}

/** The browser's time zone as an IANA name; undefined if unknown. */
export function timeZone(): string | undefined {
  const name = new Intl.DateTimeFormat().resolvedOptions().timeZone;
  return name && /^[A-Za-z]/.test(name) && name !== 'Etc/Unknown' ? name : undefined;
}

/** The field `tz` of requests that name days; none if the time zone is unknown. */
export function inTimeZone(): { tz?: string } {
  const tz = timeZone();
  return tz ? { tz } : {};
}

/** The filter in an address (`q, contact, from, to, source, outcome, feedback`). Ignores invalid values. */
export function readFilter(params: URLSearchParams): Filter {
  const contact = params.get('contact')?.trim() ?? null;
  const from = dayOrNone(params.get('from'));
  const to = dayOrNone(params.get('to'));
  const isTurned = from !== '' && to !== '' && to < from;
  return {
    text: (params.get('q') ?? '').slice(0, TEXT_MAX),
    contact: contact !== null && contact.length <= CONTACT_MAX ? contact : null,
    from: isTurned ? '' : from,
    to: isTurned ? '' : to,
    source: SOURCES.find((source) => source === params.get('source')) ?? '',
    outcome: OUTCOMES.find((outcome) => outcome === params.get('outcome')) ?? '',
    feedback: FEEDBACKS.find((feedback) => feedback === params.get('feedback')) ?? '',
  };
}

/** A copy of `params` with this filter; other parameters stay. */
export function writeFilter(params: URLSearchParams, filter: Filter): URLSearchParams {
  const { text, contact, ...others } = filter;
  const next = withParams(params, { ...others, q: text.trim() && text.slice(0, TEXT_MAX), contact });
  // The visitor's own records.
  if (contact === '') next.set('contact', '');
  return next;
}

/** The address of a screen with this filter and further parameters: '/history?source=none'. */
export function addressOf(path: string, filter: Filter, others?: Record<string, string>): string {
  return addressWith(writeFilter(new URLSearchParams(others), filter), path);
}

function dayOrNone(text: string | null): string {
  return text && isDay(text) ? text : '';
}

/** Whether a change adds an entry to the browser's history. */
export type Step = 'push' | 'replace';

/** The filter in the address, and a function to change it. Other parameters stay. */
export function useFilter() {
  const [params, setParams] = useAddressParams();
  const query = params.toString();
  const parsed = useMemo(() => readFilter(new URLSearchParams(query)), [query]);
  // The same object as before while only other parameters change.
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
