import type { ScreenProps } from 'host/contract';
import { useEffect, useMemo, useRef } from 'react';
import { useSearchParams } from 'react-router-dom';
import { createCalendar } from './calendar.ts';
import styles from './history.module.css';
import { NoRecords } from './no-records.tsx';
import { Problem } from './problem.tsx';
import { RecordDetail } from './record-detail.tsx';
import { RecordList } from './record-list.tsx';
import type { RecordPages } from './record-pages.ts';
import { useRecordPages } from './use-record-pages.ts';
import { useStream } from './use-stream.ts';
import { recordWords } from './words.ts';

const PAGE = 50;
const readFirst = (pages: RecordPages) => void pages.more();

/** /history: the visitor's own records, newest first, with the one that the address names (`?r=`) beside them. */
export default function HistoryScreen({ services, language, controls }: ScreenProps) {
  const pages = useRecordPages(services, PAGE, readFirst);
  return (
    <main className="page" id="main" tabIndex={-1}>
      {pages && <History key={language} services={services} controls={controls} pages={pages} />}
    </main>
  );
}

interface HistoryProps extends Pick<ScreenProps, 'services' | 'controls'> {
  pages: RecordPages;
}

function History({ services, controls, pages }: HistoryProps) {
  const { i18n, toasts, http } = services;
  const t = useMemo(() => i18n.translator(recordWords), [i18n]);
  const calendar = useMemo(() => createCalendar(i18n.locale()), [i18n]);
  const { records, isLoading, hasMore, failure } = useStream(pages.state$);
  const [params] = useSearchParams();
  const list = useRef<HTMLDivElement>(null);
  const chosen = records.find(({ id }) => id === params.get('r'));
  const shown = chosen ?? records[0];
  const counted = hasMore ? 'history.some' : 'history.all';

  // On a phone the detail covers the list: the focus goes along, and back to where it came from.
  const chosenId = chosen?.id;
  const before = useRef<string | undefined>(undefined);
  useEffect(() => {
    if (before.current && !chosenId)
      list.current?.querySelector<HTMLElement>(`[data-record="${before.current}"]`)?.focus();
    before.current = chosenId;
  }, [chosenId]);

  return (
    <>
      <header className="head">
        <h1>{t('history.title')}</h1>
        {records.length > 0 && (
          <span className="count keep num">{t(counted, { count: records.length })}</span>
        )}
        <span className="space" />
        <div className="cluster">{controls}</div>
      </header>
      {records.length === 0 && !isLoading && !failure && !hasMore && (
        <NoRecords title={t('history.empty')} about={t('history.empty.about')} t={t} />
      )}
      {records.length === 0 && failure && (
        <Problem failure={failure} title={t('history.failed')} t={t} onRetry={() => pages.more()} />
      )}
      {(records.length > 0 || (isLoading && !failure)) && (
        <div className={styles.split} data-chosen={chosen ? true : undefined}>
          <RecordList
            listRef={list}
            records={records}
            current={shown?.id ?? ''}
            isChosen={Boolean(chosen)}
            isLoading={isLoading}
            hasMore={hasMore}
            failure={failure}
            calendar={calendar}
            t={t}
            onMore={() => pages.more()}
          />
          {shown && (
            <RecordDetail
              key={shown.id}
              record={shown}
              isChosen={Boolean(chosen)}
              calendar={calendar}
              t={t}
              http={http}
              toasts={toasts}
            />
          )}
        </div>
      )}
    </>
  );
}
