import type { Health } from 'api/contract/reports';
import { useWidth } from 'host/ui/use-width.ts';
import { useId, useState } from 'react';
import { shortId } from './change.ts';
import styles from './composition.module.css';
import type { VersionRow } from './health-rows.ts';
import { useScreen } from './screen-context.ts';
import { TrendTable } from './trend-table.tsx';
import { useCharts } from './use-charts.ts';

interface TrendPanelProps {
  row: VersionRow;
  health: Health;
  /** Steps are labelled by day. */
  isLong: boolean;
}

/** A version over time: a chart with a summary, the same as a table on request, and the latest errors. */
export function TrendPanel({ row, health, isLong }: TrendPanelProps) {
  const { t, formats, report } = useScreen();
  const titleId = useId();
  const patternId = useId();
  const [isTable, setTable] = useState(false);
  const { charts, isBroken } = useCharts(report);
  const [frame, width] = useWidth<HTMLDivElement>(640);
  const { key: release, reported } = row;
  const names = { loads: t('loads'), failures: t('failures'), errors: t('errors') };
  const steps = (reported?.series ?? []).map((step) => ({
    ...step,
    tick: formats.tick(step.at, isLong),
    name: formats.when(step.at),
  }));
  const hasProblems = steps.some(({ failures, errors }) => failures + errors > 0);
  const summary = t('chart.summary', {
    release,
    from: formats.when(health.from),
    to: formats.when(health.to),
    loads: formats.count(reported?.loads ?? 0),
    failures: formats.count(reported?.failures ?? 0),
    errors: formats.count(reported?.errors ?? 0),
  });
  return (
    <section className={styles.trend} aria-labelledby={titleId}>
      <div className="section-head">
        <h3 id={titleId}>{t('chart.title', { release })}</h3>
        {reported && (
          <button className={`end ${styles.link}`} type="button" onClick={() => setTable(!isTable)}>
            {t(isTable ? 'chart.chart' : 'chart.table')}
          </button>
        )}
      </div>
      {reported?.served !== undefined && reported.opened !== undefined && (
        <p className={styles.note}>
          {t('served', { served: formats.count(reported.served), opened: formats.count(reported.opened) })}
        </p>
      )}
      <div ref={frame}>
        {!reported && <p className={styles.note}>{t('chart.none', { release })}</p>}
        {reported && isTable && (
          <TrendTable steps={steps} names={names} label={t('chart.title', { release })} />
        )}
        {reported && !isTable && isBroken && <p className={styles.note}>{t('chart.failed')}</p>}
        {reported && !isTable && !isBroken && (
          <div role="img" aria-label={summary} className={styles.drawing}>
            <p aria-hidden="true">{t('chart.loads')}</p>
            {charts ? (
              <charts.LoadsChart {...{ steps, width, names }} id={patternId} format={formats.count} />
            ) : (
              <div className={styles.undrawn} />
            )}
            {hasProblems ? (
              <p aria-hidden="true" className={styles.key}>
                <span data-kind="failures">{names.failures}</span>
                <span data-kind="errors">{names.errors}</span>
              </p>
            ) : (
              <p aria-hidden="true" className={styles.note}>
                {t('chart.well')}
              </p>
            )}
            {hasProblems &&
              (charts ? (
                <charts.ProblemsChart {...{ steps, width, names }} id={patternId} format={formats.count} />
              ) : (
                <div className={styles.undrawn} />
              ))}
          </div>
        )}
      </div>
      {reported && reported.lastErrors.length > 0 && (
        <>
          <h3>{t('errors.last')}</h3>
          <ul className={styles.errors}>
            {reported.lastErrors.map(({ kind, error, count, lastAt, composition }) => (
              <li key={`${kind} ${composition} ${error}`}>
                <p>
                  <span className={kind === 'failure' ? 'tag error' : 'tag warning'}>
                    {t(`kind.${kind}`)}
                  </span>
                  <code>{error}</code>
                </p>
                <p className="quiet">
                  {t('errors.about', {
                    count: formats.count(count),
                    time: formats.when(lastAt),
                    id: shortId(composition),
                  })}
                </p>
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}
