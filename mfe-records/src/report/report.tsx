import type { ScreenProps } from 'host/contract';
import { barCharts } from 'host/ui/charts/chart.tsx';
import { useLatePart } from 'host/ui/late-part.tsx';
import { useTranslate } from 'host/ui/use-translate.ts';
import { useMemo } from 'react';
import { Link } from 'react-router-dom';
import { createDayFormat } from '../filters/day-format.ts';
import { dayIn } from '../filters/days.ts';
import { EVERYTHING, isEverything, timeZone } from '../filters/filter.ts';
import { FilterBar } from '../filters/filter-bar.tsx';
import { useFilter } from '../filters/use-filter.ts';
import { ScreenRoot } from '../screen-root.tsx';
import { HandoverFigures } from './figures.tsx';
import styles from './report.module.css';
import { ReportBody } from './report-body.tsx';
import { ReportProblem } from './report-problem.tsx';
import { reportTexts } from './report-texts.ts';
import { useReport } from './use-report.ts';

/** /report: statistics of the records that match the filter in the address, and the same as a PDF. */
export default function ReportScreen({ services, controls }: ScreenProps) {
  return (
    <main className={`page ${styles.screen}`} id="main" tabIndex={-1}>
      <ScreenRoot services={services}>
        <Report services={services} controls={controls} />
      </ScreenRoot>
    </main>
  );
}

function Report({ services, controls }: Pick<ScreenProps, 'services' | 'controls'>) {
  const { i18n } = services;
  const locale = i18n.locale();
  const t = useTranslate(i18n, reportTexts);
  const today = dayIn(timeZone());
  const days = useMemo(() => createDayFormat(locale, today), [locale, today]);
  const numbers = useMemo(() => new Intl.NumberFormat(locale), [locale]);
  const { filter, setFilter } = useFilter();
  // Loads the chart library while the figures are loading.
  useLatePart(barCharts);
  const { shown: value, isLoading, failure, retry } = useReport(services.http, filter);
  const isFound = value !== undefined && value.stats.total > 0;
  const isAll = value !== undefined && isEverything(value.filter);

  return (
    <>
      <header className="head">
        <h1>{t('title')}</h1>
        <span className="space" />
        <div className="cluster">{controls}</div>
      </header>
      <FilterBar services={services} filter={filter} onChange={setFilter} />
      {!isFound && failure && (
        <ReportProblem
          failure={failure}
          t={t}
          onRetry={() => void retry()}
          onChoose={(contact) => setFilter({ ...filter, contact }, 'replace')}
        />
      )}
      {!value && !failure && <Bones label={t('loading')} />}
      {value && !isFound && !failure && (
        <div className={styles.empty}>
          {value.stats.handovers && (
            <HandoverFigures handovers={value.stats.handovers} t={t} numbers={numbers} />
          )}
          {isAll ? (
            <Blank title={t('empty')} about={t('empty.about')}>
              <Link className="button primary" to="/index">
                {t('ask')}
              </Link>
            </Blank>
          ) : (
            <Blank title={t('nothing')} about={t('nothing.about')}>
              <button className="button" type="button" onClick={() => setFilter(EVERYTHING)}>
                {t('clear')}
              </button>
            </Blank>
          )}
        </div>
      )}
      {value && isFound && (
        <ReportBody
          services={services}
          counted={value}
          isLoading={isLoading}
          failure={failure}
          onRetry={() => void retry()}
          locale={locale}
          t={t}
          days={days}
          numbers={numbers}
        />
      )}
    </>
  );
}

function Blank({ title, about, children }: { title: string; about: string; children: React.ReactNode }) {
  return (
    <div className="failed" role="status">
      <h2>{title}</h2>
      <p>{about}</p>
      <div className="row">{children}</div>
    </div>
  );
}

function Bones({ label }: { label: string }) {
  return (
    <div className={styles.skeleton} role="status" aria-label={label}>
      <div className={styles.figures}>
        {['a', 'b', 'c', 'd', 'e'].map((figure) => (
          <div key={figure}>
            <span className="skeleton-line half" />
            <span className={`skeleton-line ${styles.tall}`} />
          </div>
        ))}
      </div>
      <span className={`skeleton-line ${styles.wide}`} />
    </div>
  );
}
