import type { UseQueryResult } from '@tanstack/react-query';
import type { PointerInfo } from 'api/contract/compositions';
import type { Health, HealthRow } from 'api/contract/reports';
import { Button } from 'host/ui/button.tsx';
import type { ColumnDatum, ColumnsProps } from 'host/ui/charts/bar-charts.tsx';
import { Chart } from 'host/ui/charts/chart.tsx';
import { scaleFor } from 'host/ui/charts/scale.ts';
import { Icon } from 'host/ui/icon.tsx';
import { Segments } from 'host/ui/segments.tsx';
import { type ReactNode, useId, useState } from 'react';
import { shortId } from './change.ts';
import styles from './composition.module.css';
import { rateOf, rowsOf, type VersionRow, type Warning, warningOf } from './health-rows.ts';
import { HealthTable } from './health-table.tsx';
import { PartProblem } from './problems.tsx';
import { useScreen } from './screen-context.ts';

const RANGES = [60, 1440, 10_080] as const;

interface HealthSectionProps {
  pointer: PointerInfo;
  health: UseQueryResult<Health>;
  minutes: number;
  onMinutes(minutes: number): void;
  /** The chosen release by remote. */
  plan: ReadonlyMap<string, string>;
  onChoose(remote: string, release: string): void;
  /** Content below the table: the plan. */
  children: ReactNode;
}

/** All remotes and versions in use, their health, and other versions to choose. */
export function HealthSection(props: HealthSectionProps) {
  const { pointer, health, minutes, onMinutes, plan, onChoose, children } = props;
  const { t } = useScreen();
  const [chosen, setChosen] = useState<string>();
  const rows = rowsOf(pointer, health.data);
  const shown = rows.find(({ key }) => key === chosen) ?? worst(rows);
  const warning = pointer.canary && !pointer.canary.halted ? warningOf(rows) : undefined;
  const hasNoReports = health.data !== undefined && health.data.rows.length === 0;
  return (
    <section className="section" aria-labelledby="composition-health">
      {warning && <HealthWarning warning={warning} />}
      <div className="section-head wrap">
        <h2 id="composition-health">{t('health')}</h2>
        <div className="end">
          <Segments
            label={t('health.range')}
            choices={RANGES.map((value) => ({ value, label: t(`health.${value}`) }))}
            value={minutes}
            onChange={onMinutes}
          />
        </div>
      </div>
      <HealthTable rows={rows} shown={shown?.key} onShow={setChosen} plan={plan} onChoose={onChoose} />
      {hasNoReports && <p className="type-small quiet py-s2">{t('health.none')}</p>}
      {children}
      {!health.data && <PartProblem title={t('health.failed')} query={health} />}
      {health.data && shown && !hasNoReports && (
        <TrendPanel key={shown.key} row={shown} health={health.data} isLong={minutes > 1440} />
      )}
    </section>
  );
}

/** The version with the highest failure rate; without failures the canary, then the most loaded one. */
function worst(rows: readonly VersionRow[]): VersionRow | undefined {
  const failureRate = ({ reported }: VersionRow) =>
    (rateOf(reported, 'failures') ?? 0) + (rateOf(reported, 'errors') ?? 0);
  const isCanary = ({ role }: VersionRow) => Number(role === 'canary');
  const loads = ({ reported }: VersionRow) => reported?.loads ?? 0;
  const reported = rows.filter((row) => row.reported);
  return [...(reported.length ? reported : rows)].sort(
    (one, other) =>
      failureRate(other) - failureRate(one) || isCanary(other) - isCanary(one) || loads(other) - loads(one),
  )[0];
}

/** Warns that a canary fails more often than the live version, with a button to end it. */
function HealthWarning({ warning }: { warning: Warning }) {
  const { t, formats, change } = useScreen();
  const { row, live, measure, times } = warning;
  const values = { release: row.key, version: live.version };
  return (
    <div className="banner" role="status">
      <Icon name="alert" />
      <p>
        {Number.isFinite(times)
          ? t(`canary.worse.${measure}`, { ...values, times: formats.count(Math.round(times)) })
          : t(`canary.new.${measure}`, { ...values, count: formats.count(row.reported?.[measure] ?? 0) })}
      </p>
      <Button label={t('canary.abort')} onClick={() => change({ kind: 'abort' })} />
    </div>
  );
}

interface TrendPanelProps {
  row: VersionRow;
  health: Health;
  /** Whether steps are labelled by day. */
  isLong: boolean;
}

const MEASURES = ['loads', 'failures', 'errors'] as const;
type Measure = (typeof MEASURES)[number];

/** Height of one chart, and of the line above it, in px. */
const HEIGHT = 104;
const LINE = 36;
/** Space for the label of a step, in px. */
const LABEL = 48;

/** A version over time: charts of loads and problems, which can be switched to tables, and the latest errors. */
function TrendPanel({ row: { key: release, reported }, health, isLong }: TrendPanelProps) {
  const { t, formats } = useScreen();
  const id = useId();
  const title = t('trend.of', { release });
  const steps = reported?.series ?? [];
  const hasProblems = steps.some(({ failures, errors }) => failures + errors > 0);
  const common = (width: number, shown: readonly Measure[]): Omit<ColumnsProps, 'looks'> => {
    const every = Math.max(1, Math.ceil(LABEL / (width / Math.max(1, steps.length))));
    const data = steps.map(
      (step, index): ColumnDatum => ({
        key: step.at,
        name: formats.when(step.at),
        tick: index % every === 0 ? formats.tick(step.at, isLong) : '',
        values: shown.map((measure) => step[measure]),
        texts: shown.map((measure) => `${t(measure)} ${formats.count(step[measure])}`),
      }),
    );
    const most = Math.max(...data.map(({ values }) => values.reduce((sum, value) => sum + value, 0)));
    return { id, data, lines: scaleFor(most, 2), width, height: HEIGHT, syncId: id, format: formats.count };
  };
  return (
    <Chart
      title={title}
      level={3}
      sectionClassName={`mt-s5 ${styles.trend}`}
      about={
        reported?.served !== undefined &&
        reported.opened !== undefined &&
        t('served', { served: formats.count(reported.served), opened: formats.count(reported.opened) })
      }
      texts={{
        showTable: t('chart.table'),
        showTableOf: t('chart.table'),
        showChart: t('chart.chart'),
        showChartOf: t('chart.chart'),
        tableOf: title,
        failed: t('chart.failed'),
      }}
      summary={t('chart.summary', {
        release,
        from: formats.when(health.from),
        to: formats.when(health.to),
        loads: t('chart.summary.loads', { count: reported?.loads ?? 0 }),
        failures: t('chart.summary.failures', { count: reported?.failures ?? 0 }),
        errors: t('chart.summary.errors', { count: reported?.errors ?? 0 }),
      })}
      empty={!reported && <p className="type-small quiet py-s2">{t('chart.none', { release })}</p>}
      height={hasProblems ? 2 * (HEIGHT + LINE) : HEIGHT + 2 * LINE}
      head={[t('chart.time'), ...MEASURES.map((measure) => t(measure))]}
      // Newest first, without empty steps.
      rows={steps
        .filter(({ loads, failures, errors }) => loads + failures + errors > 0)
        .reverse()
        .map((step) => ({
          key: step.at,
          cells: [formats.when(step.at), ...MEASURES.map((measure) => formats.count(step[measure]))],
        }))}
      draw={({ Columns }, width) => (
        <div className={`type-meta ink-2 ${styles.drawing}`}>
          <p aria-hidden="true">{t('loads')}</p>
          <Columns {...common(width, ['loads'])} looks={['accent']} />
          {hasProblems ? (
            <>
              <p aria-hidden="true" className={styles.key}>
                <span data-kind="failures">{t('failures')}</span>
                <span data-kind="errors">{t('errors')}</span>
              </p>
              <Columns {...common(width, ['failures', 'errors'])} looks={['error', 'error-hatched']} />
            </>
          ) : (
            <p aria-hidden="true" className="type-small quiet py-s2">
              {t('chart.well')}
            </p>
          )}
        </div>
      )}
      footer={reported && reported.lastErrors.length > 0 && <LastErrors reported={reported} />}
    />
  );
}

function LastErrors({ reported }: { reported: HealthRow }) {
  const { t, formats } = useScreen();
  return (
    <>
      <h3>{t('errors.last')}</h3>
      <ul className={`stack mt-s2 ${styles.errors}`}>
        {reported.lastErrors.map(({ kind, error, count, lastAt, composition }) => (
          <li key={`${kind} ${composition} ${error}`}>
            <p>
              <span className={kind === 'failure' ? 'tag error' : 'tag warning'}>{t(`kind.${kind}`)}</span>
              <code className="breakable">{error}</code>
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
  );
}
