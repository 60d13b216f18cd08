import type { FoundRecord } from 'api/contract/search';
import { type RefObject, useLayoutEffect, useRef } from 'react';
import { useLocation } from 'react-router-dom';
import { type ListPlace, placeAt, rememberPlace } from './list-place.ts';
import type { FoundRecords } from './use-found-records.ts';
import type { RecordWindow } from './use-record-window.ts';

/** Maximum number of records loaded to return to a position. */
const READ_AT_MOST = 2000;

interface ListPlaceOptions {
  /** The page's services. */
  page: object;
  scroller: RefObject<HTMLElement | null>;
  found: FoundRecords;
  /** The record in the address, scrolled into view when the list opens. Undefined while it is loading. */
  chosen: FoundRecord | null | undefined;
  window: RecordWindow;
}

/** Restores the scroll position at which the visitor left the list, or scrolls to the chosen record, loading pages as necessary. */
export function useListPlace({ page, scroller, found, chosen, window }: ListPlaceOptions): void {
  const { key: entry } = useLocation();
  const isOpen = useRef(false);
  const remembered = useRef<ListPlace | null>(undefined);
  if (remembered.current === undefined) remembered.current = placeAt(page, entry);

  useLayoutEffect(() => {
    const element = scroller.current;
    const goal = remembered.current ?? chosen;
    if (isOpen.current || !element || goal === undefined || found.records.length === 0) return;
    isOpen.current = true;
    // The visitor has scrolled meanwhile.
    if (goal === null || element.scrollTop > 0) return;
    const index = found.records.findIndex(({ id }) => id === goal.id);
    const last = found.records.at(-1);
    const isFurther = last !== undefined && last.createdAt >= goal.createdAt;
    if (index >= 0) return window.goTo(index, 'distance' in goal ? goal.distance : null);
    if (!isFurther || !found.hasMore || found.failure || found.records.length >= READ_AT_MOST) return;
    isOpen.current = false;
    if (!found.isReading) found.more();
  });

  const latest = useRef<() => void>(undefined);
  latest.current = () => {
    const place = window.placeNow();
    if (place) rememberPlace(page, entry, place);
  };
  useLayoutEffect(() => () => latest.current?.(), []);
}
