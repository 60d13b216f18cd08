import type { HostServices, HttpFailure } from 'host/contract';
import { Button } from 'host/ui/button.tsx';
import { Icon } from 'host/ui/icon.tsx';
import { dayIn } from '../history/filters/days.ts';
import { timeZone } from '../history/filters/filter.ts';
import { ContactSection } from './contact-section.tsx';
import { DaySection } from './day-section.tsx';
import { Figures, HandoverFigures } from './figures.tsx';
import { Preview } from './preview.tsx';
import styles from './report.module.css';
import type { ReportTexts } from './report-texts.ts';
import { perDay, seriesOf } from './series.ts';
import { ShareSection } from './share-section.tsx';
import { outcomeShares, ratingShares, sourceShares } from './shares-of.tsx';
import type { Counted } from './use-report.ts';

interface ReportBodyProps extends ReportTexts {
  services: HostServices;
  counted: Counted;
  /** New figures are loading; the previous ones stay readable until then. */
  isLoading: boolean;
  failure: HttpFailure | null;
  onRetry(): void;
  locale: string;
}

/** Figures and charts, with the PDF beside them. */
export function ReportBody(props: ReportBodyProps) {
  const { services, counted, isLoading, failure, onRetry, locale, t, days, numbers } = props;
  const { stats, before, filter, at } = counted;
  const words = { t, days, numbers };
  const average = perDay(seriesOf(stats.byDay, filter, dayIn(timeZone(), at)));
  const rated = stats.satisfaction.up + stats.satisfaction.down;
  return (
    <div className={styles.report} aria-busy={isLoading}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: allows scrolling by keyboard */}
      <section className={`body ${styles.main}`} aria-label={t('figures')} tabIndex={0}>
        <div role="status" className={styles.state}>
          {isLoading && <p className="sr">{t('refreshing')}</p>}
          {failure && !isLoading && (
            <div className="banner">
              <Icon name="alert" />
              <p>{t('stale', { message: failure.message })}</p>
              <Button label={t('retry')} onClick={onRetry} />
            </div>
          )}
        </div>
        <Figures stats={stats} before={before} filter={filter} average={average} {...words} />
        {stats.handovers && <HandoverFigures handovers={stats.handovers} t={t} numbers={numbers} />}
        <DaySection
          stats={stats}
          filter={filter}
          at={at}
          locale={locale}
          hasPeriodBefore={before !== undefined}
          {...words}
        />
        <div className={styles.halves}>
          <ContactSection stats={stats} filter={filter} {...words} />
          <div className={styles.shares}>
            <ShareSection
              title={t('bySource')}
              head={t('col.source')}
              shares={sourceShares(stats, filter, t)}
              {...words}
            />
            <ShareSection
              title={t('byOutcome')}
              head={t('col.outcome')}
              shares={outcomeShares(stats, filter, t)}
              {...words}
            />
            <ShareSection
              title={t('byRating')}
              about={rated ? t('satisfied.about', { count: numbers.format(rated) }) : t('satisfied.none')}
              head={t('col.rating')}
              shares={ratingShares(stats, filter, t)}
              {...words}
            />
          </div>
        </div>
      </section>
      <Preview services={services} counted={counted} {...words} />
    </div>
  );
}
