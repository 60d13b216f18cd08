import { useQuery } from '@tanstack/react-query';
import type { DeskOverview as Overview } from 'api/contract/overview';
import type { SettingsAccess } from 'api/contract/settings';
import type { HostServices } from 'host/contract';
import { barCharts } from 'host/ui/charts/chart.tsx';
import { asFailure } from 'host/ui/failure.ts';
import { useLatePart } from 'host/ui/late-part.tsx';
import { Problem } from 'host/ui/problem.tsx';
import { Section } from 'host/ui/section.tsx';
import { Segments } from 'host/ui/segments.tsx';
import { OutcomeMark, SourceMark } from 'host/ui/source-mark.tsx';
import { useStream } from 'host/ui/use-stream.ts';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { dayIn } from '../history/filters/days.ts';
import { timeZone } from '../history/filters/filter.ts';
import { DaySection } from './day-section.tsx';
import { Figure } from './figures.tsx';
import styles from './report.module.css';
import type { ReportTexts } from './report-texts.ts';
import { perDay, seriesOf } from './series.ts';
import { OUTCOME_FILLS, RATING_FILLS, RatingMark, ShareSection } from './share-section.tsx';
import { percent } from './shares.ts';

/** Whether the visitor may see the overview of the desk. */
export function useIsAdministrator({ http, token$ }: Pick<HostServices, 'http' | 'token$'>): boolean {
  const token = useStream(token$);
  const { data } = useQuery({
    queryKey: ['settings access', token],
    queryFn: async ({ signal }) => (await http.get<SettingsAccess>('/api/settings/access', { signal })).data,
    enabled: token !== '',
    retry: false,
  });
  return token !== '' && data?.isAdministrator === true;
}

interface DeskOverviewProps extends ReportTexts {
  http: HostServices['http'];
  locale: string;
}

const PERIODS = [7, 30, 90] as const;

/** What all visitors have asked in the latest days, without their texts. */
export function DeskOverview({ http, locale, ...words }: DeskOverviewProps) {
  const { t } = words;
  const [days, setDays] = useState<(typeof PERIODS)[number]>(30);
  useLatePart(barCharts);
  const { data, error, refetch } = useQuery({
    queryKey: ['overview', days],
    staleTime: 0,
    queryFn: async ({ signal }) => {
      const params = { days, tz: timeZone() ?? 'UTC' };
      const overview = (await http.get<Overview>('/api/overview', { params, signal })).data;
      return { overview, at: new Date() };
    },
    placeholderData: (before) => before,
  });
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: allows scrolling by keyboard
    <section className={`body ${styles.desk}`} aria-label={t('desk')} tabIndex={0}>
      <div className={styles.periods}>
        <Segments
          label={t('desk.period')}
          value={days}
          choices={PERIODS.map((value) => ({ value, label: t('desk.days', { count: value }) }))}
          onChange={setDays}
        />
        <p className="quiet">{t('desk.about')}</p>
      </div>
      {data && <OverviewBody {...data} locale={locale} {...words} />}
      {!data && error && (
        <Problem
          title={t('failed')}
          message={asFailure(error).message}
          retryLabel={t('retry')}
          onRetry={() => void refetch()}
          requestId={asFailure(error).requestId}
        />
      )}
      {!data && !error && (
        <p className="sr" role="status">
          {t('loading')}
        </p>
      )}
    </section>
  );
}

interface BodyProps extends ReportTexts {
  overview: Overview;
  at: Date;
  locale: string;
}

function OverviewBody({ overview, at, locale, ...words }: BodyProps) {
  const { t, numbers } = words;
  const { total, byOutcome, satisfaction, mostCited, topUnanswered } = overview;
  const { up, down } = satisfaction;
  const rated = up + down;
  const answered = byOutcome.answered + byOutcome.person;
  const average = perDay(seriesOf(overview.byDay, overview, dayIn(timeZone(), at)));
  const outcomes = (['answered', 'related', 'nothing', 'person'] as const).map((outcome) => {
    const name = outcome === 'person' ? t('source.person') : t(`outcome.${outcome}`);
    return {
      key: outcome,
      name,
      label:
        outcome === 'person' ? (
          <SourceMark source="person" label={name} />
        ) : (
          <OutcomeMark outcome={outcome} label={name} />
        ),
      count: byOutcome[outcome],
      fill: outcome === 'person' ? ('dotted' as const) : OUTCOME_FILLS[outcome],
    };
  });
  const ratings = (['up', 'down', 'none'] as const).map((rating) => ({
    key: rating,
    name: t(`rating.${rating}`),
    label: <RatingMark fill={RATING_FILLS[rating]} label={t(`rating.${rating}`)} />,
    count: { up, down, none: total - rated }[rating],
    fill: RATING_FILLS[rating],
  }));
  return (
    <>
      <dl className={`${styles.figures} ${styles.three}`}>
        <Figure name={t('total')} value={numbers.format(total)}>
          {t('total.about', { count: numbers.format(Math.round(average * 10) / 10) })}
        </Figure>
        <Figure
          name={t('answered')}
          value={total ? numbers.format(percent(answered, total)) : '–'}
          unit={total ? '%' : ''}
        >
          {t('answered.about', { count: numbers.format(answered) })}
        </Figure>
        <Figure
          name={t('satisfied')}
          value={rated ? numbers.format(percent(up, rated)) : '–'}
          unit={rated ? '%' : ''}
        >
          {rated ? t('satisfied.about', { count: numbers.format(rated) }) : t('satisfied.none')}
        </Figure>
      </dl>
      {total > 0 && (
        <>
          <DaySection stats={overview} filter={overview} at={at} locale={locale} hasPeriodBefore {...words} />
          <div className={styles.halves}>
            <ShareSection title={t('byOutcome')} head={t('col.outcome')} shares={outcomes} {...words} />
            <div className={styles.shares}>
              <ShareSection title={t('byRating')} head={t('col.rating')} shares={ratings} {...words} />
            </div>
          </div>
        </>
      )}
      <div className={styles.halves}>
        <Ranking
          title={t('desk.cited')}
          about={t('desk.cited.about')}
          empty={t('desk.cited.none')}
          numbers={numbers}
          rows={mostCited.map(({ id, title, cited }) => ({
            key: id,
            label: <Link to={`/knowledge?d=${encodeURIComponent(id)}`}>{title}</Link>,
            count: cited,
          }))}
        />
        <div className={styles.shares}>
          <Ranking
            title={t('desk.unanswered')}
            about={<Link to="/knowledge">{t('desk.unanswered.link')}</Link>}
            empty={t('unanswered.none')}
            numbers={numbers}
            rows={topUnanswered.map(({ question, count }) => ({ key: question, label: question, count }))}
          />
        </div>
      </div>
    </>
  );
}

interface RankingProps {
  title: string;
  about: React.ReactNode;
  empty: string;
  rows: { key: string; label: React.ReactNode; count: number }[];
  numbers: Intl.NumberFormat;
}

function Ranking({ title, about, empty, rows, numbers }: RankingProps) {
  return (
    <Section title={title} aside={<span className="end quiet">{about}</span>}>
      {rows.length === 0 && <p className="quiet">{empty}</p>}
      <ol className={styles.ranking}>
        {rows.map(({ key, label, count }) => (
          <li key={key}>
            <span dir="auto">{label}</span>
            <span className="num">{numbers.format(count)}</span>
          </li>
        ))}
      </ol>
    </Section>
  );
}
