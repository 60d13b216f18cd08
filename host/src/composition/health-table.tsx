import { useInfiniteQuery } from '@tanstack/react-query';
import type { HealthRow, VitalName } from 'api/contract/reports';
import { Sparkline } from 'host/ui/charts/sparkline.tsx';
import { Icon } from 'host/ui/icon.tsx';
import { Menu } from 'host/ui/menu.tsx';
import { useEffect, useId, useRef, useState } from 'react';
import styles from './composition.module.css';
import { rateOf, type VersionRow } from './health-rows.ts';
import { useScreen } from './screen-context.ts';

/** Failure rate that is highlighted. */
const HIGH = 0.01;

const FIGURES = ['share', 'loads', 'failures', 'errors'] as const;
const VITALS: readonly VitalName[] = ['LCP', 'INP', 'CLS'];

interface HealthTableProps {
  rows: readonly VersionRow[];
  /** Key of the row whose trend is shown. */
  shown: string | undefined;
  onShow(key: string): void;
  plan: ReadonlyMap<string, string>;
  onChoose(remote: string, release: string): void;
}

/** One row per remote and version; scrolls horizontally if it is wider than the page. */
export function HealthTable({ rows, shown, onShow, plan, onChoose }: HealthTableProps) {
  const { t } = useScreen();
  const most = Math.max(1, ...rows.flatMap(({ reported }) => problemsOf(reported)));
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: allows scrolling by keyboard
    <section className={`scroll-x ${styles.scroll}`} tabIndex={0} aria-label={t('health.table')}>
      <table className={`table ${styles.health}`}>
        <thead>
          <tr>
            <th scope="col">{t('remote')}</th>
            <th scope="col">{t('version')}</th>
            {FIGURES.map((name) => (
              <th key={name} scope="col" className="right">
                {t(name)}
              </th>
            ))}
            {VITALS.map((name) => (
              <th key={name} scope="col" className="right">
                <abbr title={t(`vital.${name}`)}>{name} p75</abbr>
              </th>
            ))}
            <th scope="col" className="right">
              {t('trend')}
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => {
            const isFirst = rows[index - 1]?.remote !== row.remote;
            const hasMore = rows[index + 1]?.remote === row.remote;
            return (
              <tr
                key={row.key}
                className={hasMore ? styles.group : styles.only}
                data-shown={shown === row.key}
              >
                <th scope="row">
                  <span className={isFirst ? styles.remote : 'sr'}>{row.remote}</span>
                </th>
                <td>
                  <Version row={row} chosen={plan.get(row.remote)} onChoose={onChoose} />
                  {row.reported?.isFailing && (
                    <span className={`tag error ${styles.failing}`}>{t('failing')}</span>
                  )}
                </td>
                <Figures reported={row.reported} />
                <td className="right">
                  <button
                    className={styles.trendButton}
                    type="button"
                    aria-pressed={shown === row.key}
                    aria-label={t('trend.of', { release: row.key })}
                    title={t('trend.of', { release: row.key })}
                    onClick={() => onShow(row.key)}
                  >
                    <Sparkline values={problemsOf(row.reported)} most={most} />
                  </button>
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </section>
  );
}

interface VersionProps {
  row: VersionRow;
  chosen: string | undefined;
  onChoose(remote: string, release: string): void;
}

function Version({ row, chosen, onChoose }: VersionProps) {
  const { t } = useScreen();
  if (row.role === 'live')
    return <VersionMenu remote={row.remote} live={row.version} chosen={chosen} onChoose={onChoose} />;
  return (
    <span className={styles.otherVersion}>
      <code title={row.version}>{row.version}</code>
      <span className={row.role === 'canary' ? 'tag accent' : 'tag'}>{t(`role.${row.role}`)}</span>
    </span>
  );
}

function Figures({ reported }: { reported: HealthRow | undefined }) {
  const { formats } = useScreen();
  const vital = (name: VitalName) => {
    const p75 = reported?.vitals[name]?.p75;
    if (p75 === undefined) return '–';
    return name === 'CLS' ? formats.score(p75) : formats.duration(p75);
  };
  return (
    <>
      <td className="right">{reported ? formats.percent(reported.share / 100) : '–'}</td>
      <td className="right">{reported ? formats.count(reported.loads) : '–'}</td>
      <Problems reported={reported} measure="failures" />
      <Problems reported={reported} measure="errors" />
      {VITALS.map((name) => (
        <td key={name} className="right">
          {vital(name)}
        </td>
      ))}
    </>
  );
}

interface ProblemsProps {
  reported: HealthRow | undefined;
  measure: 'failures' | 'errors';
}

/** A count with its share of the loads; high shares are marked by more than colour. */
function Problems({ reported, measure }: ProblemsProps) {
  const { t, formats } = useScreen();
  const rate = rateOf(reported, measure);
  if (!reported) return <td className="right">–</td>;
  const isHigh = rate !== null && rate >= HIGH;
  return (
    <td className={isHigh ? `right strong ink-error nowrap ${styles.bad}` : 'right'}>
      {isHigh && (
        <>
          <Icon name="alert" isSmall />
          <span className="sr">{t('rate.bad')} </span>
        </>
      )}
      {formats.count(reported[measure])}
      {rate !== null && rate > 0 && Number.isFinite(rate) && <small>{formats.percent(rate)}</small>}
    </td>
  );
}

function problemsOf(reported: HealthRow | undefined): number[] {
  return (reported?.series ?? []).map(({ failures, errors }) => failures + errors);
}

interface VersionMenuProps {
  remote: string;
  live: string;
  /** 'mfe-chat@1.5.0' if another version than the live one is chosen. */
  chosen: string | undefined;
  onChoose(remote: string, release: string): void;
}

/** The version of a remote, with a menu of its other releases. Arrow keys move in it; Escape and a press outside close it. */
function VersionMenu({ remote, live, chosen, onChoose }: VersionMenuProps) {
  const { t, formats, calls } = useScreen();
  const [isOpen, setOpen] = useState(false);
  const query = useInfiniteQuery({ ...calls.releases(remote), enabled: isOpen, staleTime: 0 });
  const { error, isFetchingNextPage } = query;
  const releases = query.data?.pages.flatMap((page) => page.releases);
  const isAnswered = releases !== undefined || error !== null;
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const current = chosen ?? `${remote}@${live}`;
  const label = t('menu.of', { release: current });

  const leave = () => {
    setOpen(false);
    button.current?.focus();
  };

  // Only the first loaded versions take the focus.
  useEffect(() => {
    if (!isOpen || !isAnswered) return;
    const first = document.getElementById(id)?.querySelector<HTMLElement>('[role^=menuitem]');
    first?.focus({ preventScroll: true });
  }, [isOpen, isAnswered, id]);

  return (
    <>
      <button
        className={chosen ? `${styles.version} ${styles.changed}` : styles.version}
        type="button"
        ref={button}
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onClick={() => setOpen(!isOpen)}
      >
        {/* Until the plan is applied, the numbers beside it belong to the live version. */}
        <span className="clip">
          {chosen && '→ '}
          {current.slice(remote.length + 1)}
        </span>
        <Icon name="chevron" isSmall />
      </button>
      {isOpen && button.current && (
        <Menu
          className={styles.versions ?? ''}
          id={id}
          anchor={button.current}
          label={label}
          gap={4}
          isLoading={!isAnswered}
          closesOnScroll
          onClose={() => setOpen(false)}
        >
          {!isAnswered && <span className="skeleton-line full" />}
          {releases?.map((release) => (
            <button
              key={release.id}
              type="button"
              role="menuitemradio"
              aria-checked={release.id === current}
              tabIndex={-1}
              onClick={() => {
                leave();
                onChoose(remote, release.id);
              }}
            >
              <Icon name={release.id === current ? 'check' : 'layers'} />
              <span>
                <code className="type-code breakable">{release.version}</code>
                <small>
                  {formats.when(release.publishedAt)}
                  {release.version === live && ` · ${t('live')}`}
                  {release.isLive && release.version !== live && ` · ${t('role.canary')}`}
                </small>
              </span>
            </button>
          ))}
          {error && <p role="alert">{`${t('menu.failed')}：${error.message}`}</p>}
          {releases && !error && releases.length < 2 && <p>{t('menu.only')}</p>}
          {query.hasNextPage && (
            <button
              type="button"
              role="menuitem"
              tabIndex={-1}
              onClick={() => isFetchingNextPage || void query.fetchNextPage()}
            >
              <Icon name="more" />
              {t('menu.more')}
            </button>
          )}
        </Menu>
      )}
    </>
  );
}
