import type { FoundRecord } from 'api/contract/search';
import { grouped } from 'host/ui/grouped.ts';
import { Icon } from 'host/ui/icon.tsx';
import { useFormats, useTexts } from 'host/ui/screen.tsx';
import { memo, type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { Link, useLocation } from 'react-router-dom';
import { addressWith, useAddressParams, withParams } from '../lib/address-params.ts';
import { AnswererMark } from '../lib/answerer-mark.tsx';
import { useServices } from '../lib/services.ts';
import { historyTexts } from '../lib/texts.ts';
import { ListMore } from '../lib/use-paged-list.tsx';
import { contactLabel } from './filters/contact-label.ts';
import styles from './history.module.css';
import { excerptOf, foundWords, markRanges, markWords, rangesOf } from './mark-ranges.tsx';
import { isTicked, type Selection } from './selection.ts';
import type { FoundRecords } from './use-found-records.ts';
import { useListKeys } from './use-list-keys.ts';
import {
  type ListPlace,
  placeAt,
  type RecordWindow,
  rememberPlace,
  useRecordWindow,
} from './use-record-window.ts';

interface RecordListProps {
  listRef: RefObject<HTMLDivElement | null>;
  found: FoundRecords;
  current: string;
  /** Chosen by the visitor, as opposed to the newest record shown by default. */
  isChosen: boolean;
  /** The chosen record; undefined while it is loading. */
  chosen: FoundRecord | null | undefined;
  selection: Selection;
  onSelect(next: Selection): void;
  onErase(): void;
}

/** How many rows before the last one the next page is loaded. */
const AHEAD = 20;

/** The virtual list of records, grouped by day with a date in the margin; renders visible rows only. */
export function RecordList(props: RecordListProps) {
  const t = useTexts(historyTexts);
  const { dates } = useFormats();
  const { listRef, found, current, isChosen, chosen } = props;
  const { selection, onSelect } = props;
  const { records, total, totalIsMore, isLoading, isReading, isBehind, hasMore, failure, more } = found;
  const [params] = useAddressParams();
  const scroller = useRef<HTMLElement>(null);
  const [activeId, setActiveId] = useState('');
  const named = records.findIndex(({ id }) => id === (activeId || current));
  const activeIndex = named < 0 && records.length > 0 ? 0 : named;
  const window = useRecordWindow(records, scroller, activeIndex);
  const { days, height, lastIndex, measure, show } = window;
  useListPlace({ scroller, found, chosen, window });

  const goal = useRef<{ id: string; place: 'record' | 'tick' } | null>(null);
  const go = useCallback(
    (index: number, place: 'record' | 'tick') => {
      const record = records[index];
      if (!record) return;
      goal.current = { id: record.id, place };
      setActiveId(record.id);
      show(index);
    },
    [records, show],
  );
  useEffect(() => {
    if (!goal.current) return;
    const { id, place } = goal.current;
    const target = scroller.current?.querySelector<HTMLElement>(`[data-${place}="${CSS.escape(id)}"]`);
    if (!target) return;
    goal.current = null;
    target.focus({ preventScroll: true });
  });
  const keys = useListKeys({
    records,
    selection,
    activeIndex,
    onSelect,
    onGo: go,
    onActive: setActiveId,
    onErase: props.onErase,
  });

  const isAtEnd = !window.isPrinting && lastIndex >= records.length - AHEAD;
  const isNearEnd = isAtEnd && hasMore && !isReading && !failure && records.length > 0;
  useEffect(() => {
    if (isNearEnd) more();
  }, [isNearEnd, more]);

  return (
    <div className="fill grow" ref={listRef} {...keys}>
      <section
        className={styles.scroll}
        aria-label={t('history.list')}
        aria-busy={isLoading || isBehind || undefined}
        data-behind={isBehind || undefined}
        ref={scroller}
      >
        {records.length === 0 && <Bones label={t('history.loading')} />}
        <div className={styles.days} style={records.length > 0 ? { height } : undefined}>
          {days.map((day) => (
            <section
              key={day.key}
              className={styles.day}
              style={{ top: day.top, height: day.height }}
              aria-label={`${dates.day(day.date)} ${dates.weekday(day.date)}`}
            >
              <h2 className={styles.date}>
                <b>{day.date.getDate()}</b>
                <span>
                  {dates.month(day.date)} {dates.weekday(day.date)}
                </span>
              </h2>
              <ul>
                {day.rows.map(({ index, top }) => {
                  const record = records[index];
                  if (!record) return null;
                  return (
                    <RecordRow
                      key={record.id}
                      record={record}
                      index={index}
                      total={totalIsMore ? -1 : total}
                      top={top}
                      isCurrent={record.id === current}
                      isTicked={isTicked(selection, record.id)}
                      isActive={index === activeIndex}
                      replaces={isChosen}
                      address={addressWith(withParams(params, { r: record.id }))}
                      measure={measure}
                    />
                  );
                })}
              </ul>
            </section>
          ))}
        </div>
        {window.isPrinting && hasMore && (
          <p>
            {t('history.printed', {
              shown: grouped(records.length),
              total: totalIsMore ? `${grouped(total)}+` : grouped(total),
            })}
          </p>
        )}
        {records.length > 0 && hasMore && (
          // Scrolling near the button loads more records, too.
          <div className="rule-above">
            <ListMore list={found} label={t('history.more')} />
          </div>
        )}
      </section>
    </div>
  );
}

function Bones({ label }: { label: string }) {
  return (
    <div className={`${styles.skeleton} late`} role="status" aria-label={label}>
      {['a', 'b', 'c', 'd', 'e'].map((row) => (
        <div className="stack" key={row}>
          <span className="skeleton-line most" />
          <span className="skeleton-line full" />
          <span className="skeleton-line third" />
        </div>
      ))}
    </div>
  );
}

/** Maximum number of records loaded to return to a position. */
const READ_AT_MOST = 2000;

interface ListPlaceOptions {
  scroller: RefObject<HTMLElement | null>;
  found: FoundRecords;
  /** The record in the address, scrolled into view when the list opens. Undefined while it is loading. */
  chosen: FoundRecord | null | undefined;
  window: RecordWindow;
}

/** Restores the scroll position at which the visitor left the list, or scrolls to the chosen record, loading pages as necessary. */
function useListPlace({ scroller, found, chosen, window }: ListPlaceOptions): void {
  // The key of the stored scroll positions, which exist as long as the page.
  const page = useServices();
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

interface RecordRowProps {
  record: FoundRecord;
  /** Its position among all matching records, from 0, and their number; -1 if unknown. */
  index: number;
  total: number;
  /** Distance from the top of its day, in px. */
  top: number;
  isCurrent: boolean;
  isTicked: boolean;
  /** Whether Tab moves the focus to this row. */
  isActive: boolean;
  /** Whether a record is already open; the next one then replaces its history entry. */
  replaces: boolean;
  address: string;
  measure(element: HTMLElement | null): void;
}

/** A row of the list: question, beginning of the answer, time, source and further marks. */
const RecordRow = memo(function RecordRow(props: RecordRowProps) {
  const t = useTexts(historyTexts);
  const { dates } = useFormats();
  const { record, index, total, top, isCurrent, isTicked, isActive, replaces, address } = props;
  const { id, status, citations, files, imgUrls, feedback } = record;
  const others = files.filter(({ url }) => !imgUrls.includes(url)).length;
  const tabIndex = isActive ? 0 : -1;
  return (
    <li
      className={styles.record}
      aria-current={isCurrent || undefined}
      aria-posinset={index + 1}
      aria-setsize={total}
      data-index={index}
      ref={props.measure}
      style={{ top }}
    >
      <label className={`no-print ${styles.tick}`}>
        <input
          className="check"
          type="checkbox"
          aria-label={t('pick', { question: record.question.slice(0, 80) })}
          checked={isTicked}
          tabIndex={tabIndex}
          data-tick={id}
          readOnly
        />
      </label>
      <div>
        <Link to={address} replace={replaces} tabIndex={tabIndex} data-record={id}>
          <b dir="auto">{markRanges(record.question, rangesOf(record, 'question'))}</b>
        </Link>
        <p className="type-small ink-2" dir="auto">
          {markWords(excerptOf(record), foundWords(record))}
        </p>
        <footer className="line type-meta quiet">
          <time dateTime={record.createdAt}>{dates.clock(new Date(record.createdAt))}</time>
          {status === 'done' ? (
            <AnswererMark record={record} />
          ) : (
            <span className={`tag ${status === 'failed' ? 'error' : ''}`}>{t(`status.${status}`)}</span>
          )}
          {record.versionOf && <span>{t('version', { number: record.versionOf.number })}</span>}
          {record.answeredSince && <span className="tag accent">{t('answeredSince')}</span>}
          {citations.length > 0 && <span>{t('citations', { count: citations.length })}</span>}
          {imgUrls.length > 0 && <span>{t('pictures', { count: imgUrls.length })}</span>}
          {others > 0 && <span>{t('files', { count: others })}</span>}
          {feedback && (
            <span className="source">
              <Icon name="thumb" className={feedback.rating === -1 ? 'up' : ''} />
              <span className="sr">{t(feedback.rating === 1 ? 'helpful' : 'unhelpful')}</span>
            </span>
          )}
          {record.contact && <span className="clip">{contactLabel(record.contact)}</span>}
        </footer>
      </div>
    </li>
  );
});
