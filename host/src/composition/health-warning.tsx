import { Icon } from 'host/ui/icon.tsx';
import type { Warning } from './health-rows.ts';
import { useScreen } from './screen-context.ts';

/** Warns that the canary does worse than the live version: how much, with a button to end it. */
export function HealthWarning({ warning }: { warning: Warning }) {
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
      <button className="button" type="button" onClick={() => change({ kind: 'abort' })}>
        {t('canary.abort')}
      </button>
    </div>
  );
}
