import type { ScreenProps } from 'host/contract';
import { useMemo } from 'react';
import { createCalendar } from './calendar.ts';
import { ContactBars } from './contact-bars.tsx';
import { DayChart } from './day-chart.tsx';
import { Figures } from './figures.tsx';
import { NoRecords } from './no-records.tsx';
import { Problem } from './problem.tsx';
import type { RecordPages } from './record-pages.ts';
import styles from './report.module.css';
import { ReportRange } from './report-range.tsx';
import { SourceShare } from './source-share.tsx';
import { tally } from './tally.ts';
import { useRecordPages } from './use-record-pages.ts';
import { useStream } from './use-stream.ts';
import { recordWords } from './words.ts';

const PAGE = 100;
/** How many records are counted at first, and by each further step. */
const STEP = 1000;
const readFirst = (pages: RecordPages) => void pages.upTo(STEP);

/** /report: what the visitor's own records add up to, as far as they have been read; the range says how far that is. */
export default function ReportScreen({ services, language, controls }: ScreenProps) {
  const pages = useRecordPages(services, PAGE, readFirst);
  return (
    <main className="page" id="main" tabIndex={-1}>
      {pages && <Report key={language} services={services} controls={controls} pages={pages} />}
    </main>
  );
}

interface ReportProps extends Pick<ScreenProps, 'services' | 'controls'> {
  pages: RecordPages;
}

function Report({ services, controls, pages }: ReportProps) {
  const { i18n } = services;
  const t = useMemo(() => i18n.translator(recordWords), [i18n]);
  const calendar = useMemo(() => createCalendar(i18n.locale()), [i18n]);
  const numbers = useMemo(() => new Intl.NumberFormat(i18n.locale()), [i18n]);
  const { records, hasMore, isLoading, failure } = useStream(pages.state$);
  const counts = useMemo(() => tally(records), [records]);
  const words = { t, calendar, numbers };

  return (
    <>
      <header className="head">
        <h1>{t('report.title')}</h1>
        <span className="space" />
        <div className="cluster">{controls}</div>
      </header>
      {records.length === 0 && failure && (
        <Problem failure={failure} title={t('report.failed')} t={t} onRetry={() => pages.upTo(STEP)} />
      )}
      {records.length === 0 && !failure && hasMore && <Bones label={t('report.loading')} />}
      {records.length === 0 && !failure && !hasMore && (
        <NoRecords title={t('report.empty')} about={t('report.empty.about')} t={t} />
      )}
      {records.length > 0 && (
        <div className={styles.report}>
          <section className={`body ${styles.main}`} aria-label={t('report.figures')}>
            <Figures counts={counts} {...words} />
            <DayChart days={counts.byDay} {...words} />
            <div className={styles.halves}>
              <ContactBars contacts={counts.byContact} {...words} />
              <SourceShare counts={counts} {...words} />
            </div>
          </section>
          <ReportRange
            counts={counts}
            step={STEP}
            hasMore={hasMore}
            isLoading={isLoading}
            failure={failure}
            onMore={() => pages.upTo(records.length + STEP)}
            {...words}
          />
        </div>
      )}
    </>
  );
}

function Bones({ label }: { label: string }) {
  return (
    <div className={styles.bones} role="status" aria-label={label}>
      <div className={styles.figures}>
        {['a', 'b', 'c', 'd'].map((figure) => (
          <div key={figure}>
            <span className="bone half" />
            <span className={`bone ${styles.tall}`} />
          </div>
        ))}
      </div>
      <span className={`bone ${styles.wide}`} />
    </div>
  );
}
