import type { HttpFailure } from 'host/contract';
import { Button } from 'host/ui/button.tsx';
import { barCharts } from 'host/ui/charts/chart.tsx';
import { Icon } from 'host/ui/icon.tsx';
import { useLatePart } from 'host/ui/late-part.tsx';
import { EmptyState } from 'host/ui/problem.tsx';
import { ScreenHead } from 'host/ui/screen.tsx';
import { Segments } from 'host/ui/segments.tsx';
import { Link, useSearchParams } from 'react-router-dom';
import { fullContactLabel } from '../history/filters/contact-label.ts';
import { dayIn } from '../history/filters/days.ts';
import { EVERYTHING, isEverything, timeZone, useFilter } from '../history/filters/filter.ts';
import { FilterBar } from '../history/filters/filter-bar.tsx';
import { LoadProblem } from '../lib/load-problem.tsx';
import { screenOf } from '../lib/screen-root.tsx';
import { reportTexts } from '../lib/texts.ts';
import { ContactSection } from './contact-section.tsx';
import { DaySection } from './day-section.tsx';
import { DeskOverview, useIsAdministrator } from './desk-overview.tsx';
import { Figures, HandoverFigures } from './figures.tsx';
import { Preview } from './preview.tsx';
import styles from './report.module.css';
import { perDay, seriesOf } from './series.ts';
import { ratingsOf, ShareSection } from './share-section.tsx';
import { type Counted, useReport } from './use-report.ts';
import { useWords } from './use-words.ts';

export const texts = [reportTexts];

/** /report: statistics of the records that match the filter in the address, and the same as a PDF. */
export default screenOf(Report, styles.screen);

function Report() {
  const { t } = useWords();
  const { filter, setFilter } = useFilter();
  // Loads the chart library while the figures are loading.
  useLatePart(barCharts);
  const { shown: value, isLoading, failure, retry } = useReport(filter);
  const isAdministrator = useIsAdministrator();
  const [params, setParams] = useSearchParams();
  const isDesk = isAdministrator && params.get('v') === 'desk';
  const isFound = value !== undefined && (value.stats.total > 0 || value.stats.totalIsMore === true);
  const isAll = value !== undefined && isEverything(value.filter);

  const own = (
    <>
      <FilterBar filter={filter} onChange={setFilter} />
      {!isFound && failure && (
        <LoadProblem
          failure={failure}
          title={t('failed')}
          onRetry={() => void retry()}
          actions={failure.choices?.map((contact) => (
            <Button
              key={contact.id}
              label={fullContactLabel(contact)}
              onClick={() => setFilter({ ...filter, contact: contact.id }, 'replace')}
            />
          ))}
        />
      )}
      {!value && !failure && <Bones label={t('loading')} />}
      {value && !isFound && !failure && (
        <div className="column">
          {value.stats.handovers && <HandoverFigures handovers={value.stats.handovers} />}
          {isAll ? (
            <EmptyState className="grow" role="status" title={t('empty')} about={t('empty.about')}>
              <Link className="button primary" to="/index">
                {t('history.ask')}
              </Link>
            </EmptyState>
          ) : (
            <EmptyState className="grow" role="status" title={t('nothing')} about={t('nothing.about')}>
              <Button label={t('clear')} onClick={() => setFilter(EVERYTHING)} />
            </EmptyState>
          )}
        </div>
      )}
      {value && isFound && (
        <ReportBody counted={value} isLoading={isLoading} failure={failure} onRetry={() => void retry()} />
      )}
    </>
  );
  return (
    <>
      <ScreenHead title={t('title')}>
        {isAdministrator && (
          <Segments
            label={t('desk.whose')}
            value={isDesk ? 'desk' : 'own'}
            choices={[
              { value: 'own', label: t('desk.own') },
              { value: 'desk', label: t('desk') },
            ]}
            onChange={(next) => setParams(next === 'desk' ? { v: 'desk' } : {}, { replace: true })}
          />
        )}
      </ScreenHead>
      {isDesk ? <DeskOverview /> : own}
    </>
  );
}

function Bones({ label }: { label: string }) {
  return (
    <div className="late no-print" role="status" aria-label={label}>
      <div className={styles.figures}>
        {['a', 'b', 'c', 'd', 'e'].map((figure) => (
          <div className="stack" key={figure}>
            <span className="skeleton-line half" />
            <span className={`skeleton-line ${styles.tall}`} />
          </div>
        ))}
      </div>
      <span className={`skeleton-line ${styles.wide}`} />
    </div>
  );
}

interface ReportBodyProps {
  counted: Counted;
  /** Whether new figures are loading; the previous ones stay readable until then. */
  isLoading: boolean;
  failure: HttpFailure | null;
  onRetry(): void;
}

/** Figures and charts, with the PDF beside them. */
function ReportBody({ counted, isLoading, failure, onRetry }: ReportBodyProps) {
  const { t, numbers } = useWords();
  const { stats, before, filter, range, at } = counted;
  const average = perDay(seriesOf(stats.byDay, range, dayIn(timeZone(), at)));
  const rated = stats.satisfaction.up + stats.satisfaction.down;
  return (
    <div className={styles.report} aria-busy={isLoading}>
      {isLoading && <i className={`late ${styles.loading}`} />}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: allows scrolling by keyboard */}
      <section className={`body ${styles.main}`} aria-label={t('figures')} tabIndex={0}>
        <div role="status" className={styles.state}>
          {isLoading && <p className="sr">{t('refreshing')}</p>}
          {stats.totalIsMore && (
            <div className="banner">
              <Icon name="alert" />
              <p>{t('newest', { count: numbers.format(stats.total) })}</p>
            </div>
          )}
          {failure && !isLoading && (
            <div className="banner">
              <Icon name="alert" />
              <p>{t('stale', { message: failure.message })}</p>
              <Button label={t('retry')} onClick={onRetry} />
            </div>
          )}
        </div>
        <Figures stats={stats} before={before} filter={filter} average={average} />
        {stats.handovers && <HandoverFigures handovers={stats.handovers} />}
        <DaySection stats={stats} filter={range} at={at} hasPeriodBefore={before !== undefined} />
        <div className={styles.halves}>
          <ContactSection stats={stats} filter={filter} />
          <div>
            <ShareSection by="source" counts={stats.bySource} filter={filter} />
            <ShareSection by="outcome" counts={stats.byOutcome} filter={filter} />
            <ShareSection
              by="feedback"
              about={rated ? t('satisfied.about', { count: numbers.format(rated) }) : t('satisfied.none')}
              counts={ratingsOf(stats)}
              filter={filter}
            />
          </div>
        </div>
      </section>
      <Preview counted={counted} />
    </div>
  );
}
