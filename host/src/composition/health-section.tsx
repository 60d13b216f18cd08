import type { UseQueryResult } from '@tanstack/react-query';
import type { PointerInfo } from 'api/contract/compositions';
import type { Health } from 'api/contract/reports';
import { Button } from 'host/ui/button.tsx';
import { Icon } from 'host/ui/icon.tsx';
import { Segments } from 'host/ui/segments.tsx';
import { type ReactNode, useState } from 'react';
import { rateOf, rowsOf, type VersionRow, type Warning, warningOf } from './health-rows.ts';
import { HealthTable } from './health-table.tsx';
import { PartProblem } from './problems.tsx';
import { useScreen } from './screen-context.ts';
import { TrendPanel } from './trend-panel.tsx';

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
