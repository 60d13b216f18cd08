import { defaultRangeExtractor, type Range, useVirtualizer } from '@tanstack/react-virtual';
import type { DeskRecord } from 'api/contract/records';
import type { FoundRecord } from 'api/contract/search';
import { dayOfLocal } from 'host/ui/local-day.ts';
import { type RefObject, useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { flushSync } from 'react-dom';

/** Assumed row height until measured, in px. */
const ROW = 87;

interface WindowRow {
  index: number;
  /** Distance from the top of its day, in px. */
  top: number;
}

interface WindowDay {
  key: string;
  date: Date;
  top: number;
  height: number | undefined;
  rows: WindowRow[];
}

/**
 * The visible rows by day with their positions, or all rows when printing; the row `activeIndex` is always rendered because it may have the
 * focus. Keeps the scroll position when records are inserted or removed above.
 */
export function useRecordWindow(
  records: readonly FoundRecord[],
  scroller: RefObject<HTMLElement | null>,
  activeIndex: number,
) {
  const isPrinting = usePrinting();
  const rangeExtractor = useCallback(
    (range: Range) => {
      if (isPrinting) return Array.from({ length: range.count }, (_, index) => index);
      const rows = defaultRangeExtractor(range);
      const isOutside = activeIndex >= 0 && activeIndex < range.count && !rows.includes(activeIndex);
      return isOutside ? [...rows, activeIndex].sort((one, other) => one - other) : rows;
    },
    [activeIndex, isPrinting],
  );
  const virtualizer = useVirtualizer({
    count: records.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW,
    getItemKey: useCallback((index: number) => records[index]?.id ?? index, [records]),
    overscan: 8,
    rangeExtractor,
    useFlushSync: false,
  });
  const days = useMemo(() => groupByDay(records), [records]);
  const items = virtualizer.getVirtualItems();
  const places = virtualizer.measurementsCache;

  const shown: WindowDay[] = [];
  let at = 0;
  for (const { index, start } of items) {
    while ((days[at]?.last ?? Number.POSITIVE_INFINITY) < index) at += 1;
    const day = days[at];
    if (!day) break;
    const top = places[day.first]?.start ?? 0;
    if (shown.at(-1)?.key !== day.key) {
      const height = isPrinting ? undefined : (places[day.last]?.end ?? top) - top;
      shown.push({ key: day.key, date: day.date, top, height, rows: [] });
    }
    shown.at(-1)?.rows.push({ index, top: start - top });
  }

  // Keeps the first visible row at its distance from the edge, unless the list is scrolled to the very top.
  const anchor = useRef({ records, id: '', distance: 0 });
  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element) return;
    const { id, distance } = anchor.current;
    if (anchor.current.records !== records && id && element.scrollTop > 0) {
      const index = records.findIndex((record) => record.id === id);
      const start = virtualizer.measurementsCache[index]?.start;
      if (start !== undefined && start - distance !== element.scrollTop) element.scrollTop = start - distance;
    }
    const place = placeNow();
    anchor.current = { records, id: place?.id ?? '', distance: place?.distance ?? 0 };
  });

  const placeNow = (): ListPlace | null => {
    const element = scroller.current;
    const first = element && virtualizer.getVirtualItemForOffset(element.scrollTop);
    const record = first && records[first.index];
    if (!record) return null;
    return { id: record.id, createdAt: record.createdAt, distance: first.start - element.scrollTop };
  };
  const goTo = (index: number, distance: number | null) => {
    const { start = 0, size = ROW } = virtualizer.measurementsCache[index] ?? {};
    const { current: element } = scroller;
    if (element) element.scrollTop = start - (distance ?? (element.clientHeight - size) / 2);
  };

  return {
    isPrinting,
    placeNow,
    goTo,
    days: shown,
    /** Undefined when printing, where rows have their natural height. */
    height: isPrinting ? undefined : virtualizer.getTotalSize(),
    lastIndex: items.at(-1)?.index ?? -1,
    measure: virtualizer.measureElement,
    show: useCallback((index: number) => virtualizer.scrollToIndex(index, { align: 'auto' }), [virtualizer]),
  };
}

export type RecordWindow = ReturnType<typeof useRecordWindow>;

interface Day {
  /** YYYY-MM-DD, local. */
  key: string;
  date: Date;
  /** Positions of its records in the list: `first` to `last`, both inclusive. */
  first: number;
  last: number;
}

/** Groups adjacent records by local day, in the given order. */
function groupByDay(records: readonly { createdAt: string }[]): Day[] {
  const days: Day[] = [];
  records.forEach(({ createdAt }, index) => {
    const date = new Date(createdAt);
    const key = dayOfLocal(date);
    const day = days.at(-1);
    if (day?.key === key) day.last = index;
    else days.push({ key, date, first: index, last: index });
  });
  return days;
}

/** True while the page is being printed: rendered before the browser creates the print layout. */
function usePrinting(): boolean {
  const [isPrinting, setPrinting] = useState(false);
  useEffect(() => {
    const begin = () => flushSync(() => setPrinting(true));
    const end = () => setPrinting(false);
    window.addEventListener('beforeprint', begin);
    window.addEventListener('afterprint', end);
    return () => {
      window.removeEventListener('beforeprint', begin);
      window.removeEventListener('afterprint', end);
    };
  }, []);
  return isPrinting;
}

/** A scroll position: a record, and the distance of its row from the upper edge of the list in px. */
export interface ListPlace extends Pick<DeskRecord, 'id' | 'createdAt'> {
  distance: number;
}

/** The last scroll position of each list, to return to it. Lives as long as its key, the page's services. */
const places = new WeakMap<object, { entry: string; place: ListPlace }>();

/** Stores the scroll position of the list at this history entry of the browser. */
export function rememberPlace(page: object, entry: string, place: ListPlace): void {
  places.set(page, { entry, place });
}

export function placeAt(page: object, entry: string): ListPlace | null {
  const last = places.get(page);
  return last?.entry === entry ? last.place : null;
}
