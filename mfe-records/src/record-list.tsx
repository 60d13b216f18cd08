import type { DeskRecord } from 'api/contract';
import type { HttpFailure, Translate } from 'host/contract';
import { type KeyboardEvent, type RefObject, useMemo } from 'react';
import type { Calendar } from './calendar.ts';
import { groupByDay } from './group-by-day.ts';
import styles from './history.module.css';
import { MoreRecords } from './more-records.tsx';
import { RecordRow } from './record-row.tsx';
import type { RecordWords } from './words.ts';

interface RecordListProps {
  listRef: RefObject<HTMLDivElement | null>;
  records: DeskRecord[];
  current: string;
  /** Chosen by the visitor, not just the newest. */
  isChosen: boolean;
  isLoading: boolean;
  hasMore: boolean;
  failure: HttpFailure | null;
  calendar: Calendar;
  t: Translate<RecordWords>;
  onMore(): void;
}

/** The records by day, each day with its date torn off in the gutter. Arrows go from record to record. */
export function RecordList(props: RecordListProps) {
  const { listRef, records, current, isChosen, isLoading, hasMore, failure, calendar, t, onMore } = props;
  const days = useMemo(() => groupByDay(records), [records]);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the arrows are a short cut between links that Tab reaches as well
    <div className={styles.ledger} ref={listRef} onKeyDown={moveByArrows}>
      <section className={styles.scroll} aria-label={t('history.list')} aria-busy={isLoading || undefined}>
        {records.length === 0 && <Bones label={t('history.loading')} />}
        {days.map((day) => (
          <section
            key={day.key}
            className={styles.day}
            aria-label={`${calendar.day(day.date)} ${calendar.weekday(day.date)}`}
          >
            <h2 className={styles.date}>
              <b>{day.date.getDate()}</b>
              <span>
                {calendar.month(day.date)} {calendar.weekday(day.date)}
              </span>
            </h2>
            <ul>
              {day.records.map((record) => (
                <RecordRow
                  key={record.id}
                  record={record}
                  isCurrent={record.id === current}
                  replaces={isChosen}
                  calendar={calendar}
                  t={t}
                />
              ))}
            </ul>
          </section>
        ))}
        {records.length > 0 && hasMore && (
          <MoreRecords isLoading={isLoading} failure={failure} t={t} onMore={onMore} />
        )}
      </section>
    </div>
  );
}

function Bones({ label }: { label: string }) {
  return (
    <div className={styles.bones} role="status" aria-label={label}>
      {['a', 'b', 'c', 'd', 'e'].map((row) => (
        <div key={row}>
          <span className="bone most" />
          <span className="bone full" />
          <span className="bone third" />
        </div>
      ))}
    </div>
  );
}

function moveByArrows(event: KeyboardEvent<HTMLElement>) {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (!step || event.altKey || event.ctrlKey || event.metaKey) return;
  const links = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-record]')];
  const next = links[links.indexOf(document.activeElement as HTMLElement) + step];
  if (!links.includes(document.activeElement as HTMLElement) || !next) return;
  event.preventDefault();
  next.focus();
}
