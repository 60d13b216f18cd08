import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { CheckReport, CompositionInfo, PartDiff } from 'api/contract/compositions';
import type { ReleaseDetails, ReleaseFileInfo } from 'api/contract/releases';
import { Button } from 'host/ui/button.tsx';
import { Fault } from 'host/ui/fault.tsx';
import { Icon } from 'host/ui/icon.tsx';
import { IconButton } from 'host/ui/icon-button.tsx';
import { Segments } from 'host/ui/segments.tsx';
import { useEffect, useId, useState } from 'react';
import { changesOf, partsOf, SHARES } from './change.ts';
import { changeText } from './change-list.tsx';
import styles from './composition.module.css';
import { DiffParts } from './diff-parts.tsx';
import { Findings, PartProblem } from './problems.tsx';
import { useOpsAction, useScreen } from './screen-context.ts';

interface PlanSectionProps {
  live: CompositionInfo;
  /** 'mfe-chat@1.5.0', one per remote. */
  releases: readonly string[];
  onDrop(remote: string): void;
  onClear(): void;
}

const STARTS = SHARES.filter((share) => share > 0).map((value) => ({ value, label: `${value}%` }));

/** The plan: chosen versions that can be compared, checked, made live or started as canary in one step. */
export function PlanSection({ live, releases, onDrop, onClear }: PlanSectionProps) {
  const { t, formats, calls, change, unlock } = useScreen();
  const titleId = useId();
  const [share, setShare] = useState(5);
  const { isBusy: isChecking, failure, run, cancel, clear } = useOpsAction();
  const [report, setReport] = useState<CheckReport>();
  const [isDiff, setDiff] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: findings are valid for this plan and live composition only
  useEffect(() => {
    cancel();
    clear();
    setReport(undefined);
  }, [live.id, releases.join(' ')]);

  const check = () => {
    setReport(undefined);
    void run(async (signal) => setReport(await calls.check({ releases: [...releases] }, signal)));
  };

  return (
    <section className={styles.plan} aria-labelledby={titleId}>
      <div className="section-head mb-s1">
        <h3 id={titleId}>{t('plan')}</h3>
        <span className="quiet">{t('plan.about', { count: releases.length })}</span>
        <button className="end link type-small nowrap" type="button" onClick={onClear}>
          {t('plan.clear')}
        </button>
      </div>
      <ul className={styles.planned}>
        {changesOf(live, releases).map((planned) => (
          <li key={planned.name}>
            <code className="type-code">{changeText(planned, t)}</code>
            <IconButton
              icon="close"
              label={t('plan.drop', { name: planned.name })}
              hasTitle
              isSmall
              onClick={() => onDrop(planned.name)}
            />
          </li>
        ))}
      </ul>
      <div className={`line wrap ${styles.planTools}`}>
        <Button look="small" label={t('diff')} aria-expanded={isDiff} onClick={() => setDiff(!isDiff)} />
        <Button
          look="small"
          label={t(isChecking ? 'plan.checking' : 'plan.check')}
          aria-disabled={isChecking}
          onClick={() => !isChecking && unlock(check)}
        />
        <Button
          look="primary small"
          label={t('plan.switch')}
          onClick={() => change({ kind: 'set', choice: { releases: [...releases] } })}
        />
        <span className={`line wrap push ${styles.start}`}>
          <Segments label={t('plan.share')} choices={STARTS} value={share} onChange={setShare} />
          <Button
            look="small"
            label={t('plan.canary', { share })}
            onClick={() => change({ kind: 'canary', choice: { releases: [...releases] }, share })}
          />
        </span>
      </div>
      <div role="status">
        {failure && <Fault isQuiet>{failure.message}</Fault>}
        {report?.isFine && (
          <p className="field-note success">
            <Icon name="ok" />
            {t('plan.fine', {
              time: formats.duration(report.tookMs),
              looked: Object.entries(report.looked)
                .filter(([, count]) => count > 0)
                .map(([rule, count]) =>
                  t(`looked.${rule as keyof CheckReport['looked']}`, { count: formats.count(count) }),
                )
                .join(t('joint')),
            })}
          </p>
        )}
        {report && !report.isFine && (
          <>
            <Fault isQuiet>{t('plan.bad', { count: report.findings.length })}</Fault>
            <Findings findings={report.findings} />
          </>
        )}
        {report?.warnings && <Findings findings={report.warnings} areWarnings />}
      </div>
      {isDiff && <PlanDiff live={live} releases={releases} />}
    </section>
  );
}

/** Compares the plan with the live composition, before a composition is created from it. */
function PlanDiff({ live, releases }: { live: CompositionInfo; releases: readonly string[] }) {
  const { t, calls } = useScreen();
  const diff = useQuery({
    queryKey: ['plan', live.id, releases],
    queryFn: ({ signal }) =>
      Promise.all(
        releases.map(async (release) => {
          const name = release.slice(0, release.lastIndexOf('@'));
          const before = partsOf(live).find((one) => one.name === name);
          const [from, to] = await Promise.all([
            before ? calls.release(before.release, signal) : null,
            calls.release(release, signal),
          ]);
          return diffReleases(from, to);
        }),
      ),
    placeholderData: keepPreviousData,
  });
  if (diff.error) return <PartProblem title={t('diff.failed')} query={diff} />;
  if (!diff.data) return <span className="skeleton-line full" role="status" aria-label={t('loading')} />;
  return <DiffParts parts={diff.data} />;
}

/** Compares two releases of a remote file by file; null where there is none. */
function diffReleases(from: ReleaseDetails | null, to: ReleaseDetails): PartDiff {
  const before = from?.files ?? [];
  const has = (files: readonly ReleaseFileInfo[], { path, integrity }: ReleaseFileInfo) =>
    files.some((file) => file.path === path && file.integrity === integrity);
  const added = to.files.filter((file) => !has(before, file));
  const removed = before.filter((file) => !has(to.files, file));
  const [exposedBefore, exposes] = [Object.keys(from?.exposes ?? {}), Object.keys(to.exposes)];
  const libraries = [...new Set([...Object.keys(from?.shared ?? {}), ...Object.keys(to.shared)])];
  return {
    name: to.name,
    from: from?.version ?? null,
    to: to.version,
    added,
    removed,
    kept: to.files.length - added.length,
    bytes: sizeOf(added) - sizeOf(removed),
    exposesAdded: exposes.filter((key) => !exposedBefore.includes(key)),
    exposesRemoved: exposedBefore.filter((key) => !exposes.includes(key)),
    shared: libraries
      .map((library) => ({
        library,
        from: from?.shared[library] ?? null,
        to: to.shared[library] ?? null,
      }))
      .filter((range) => range.from !== range.to),
    contract: { from: from?.contract ?? null, to: to.contract },
  };
}

function sizeOf(files: readonly ReleaseFileInfo[]): number {
  return files.reduce((sum, { size }) => sum + size, 0);
}
