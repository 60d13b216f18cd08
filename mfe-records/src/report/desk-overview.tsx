import { useQuery } from '@tanstack/react-query';
import type { DeskOverview as Overview } from 'api/contract/overview';
import type { SettingsAccess } from 'api/contract/settings';
import { barCharts } from 'host/ui/charts/chart.tsx';
import { useLatePart } from 'host/ui/late-part.tsx';
import { Problem } from 'host/ui/problem.tsx';
import { Section } from 'host/ui/section.tsx';
import { Segments } from 'host/ui/segments.tsx';
import { useStream } from 'host/ui/use-stream.ts';
import { type ReactNode, useState } from 'react';
import { Link } from 'react-router-dom';
import { dayIn } from '../history/filters/days.ts';
import { timeZone } from '../history/filters/filter.ts';
import { useRead, useServices } from '../lib/services.ts';
import { DaySection } from './day-section.tsx';
import { Figure, PercentFigure, SatisfactionFigure } from './figures.tsx';
import styles from './report.module.css';
import { perDay, seriesOf } from './series.ts';
import { ratingsOf, ShareSection } from './share-section.tsx';
import { useWords } from './use-words.ts';

/** Whether the visitor may see the overview of the desk. */
export function useIsAdministrator(): boolean {
  const token = useStream(useServices().token$);
  const { data } = useRead<SettingsAccess>('/api/settings/access', {
    queryKey: ['settings access', token],
    enabled: token !== '',
    retry: false,
  });
  return token !== '' && data?.isAdministrator === true;
}

const PERIODS = [7, 30, 90] as const;

/** What all visitors have asked in the latest days, without their texts. */
export function DeskOverview() {
  const { t } = useWords();
  const { http } = useServices();
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
      <div className="filters wrap gap-s4">
        <Segments
          label={t('desk.period')}
          value={days}
          choices={PERIODS.map((value) => ({ value, label: t('desk.days', { count: value }) }))}
          onChange={setDays}
        />
        <p className="quiet">{t('desk.about')}</p>
      </div>
      {data && <OverviewBody {...data} />}
      {!data && error && (
        <Problem
          title={t('failed')}
          message={error.message}
          onRetry={() => void refetch()}
          requestId={error.requestId}
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

function OverviewBody({ overview, at }: { overview: Overview; at: Date }) {
  const { t, numbers } = useWords();
  const { total, byOutcome, satisfaction, mostCited, topUnanswered } = overview;
  const answered = byOutcome.answered + byOutcome.person;
  const average = perDay(seriesOf(overview.byDay, overview, dayIn(timeZone(), at)));
  return (
    <>
      <dl className={styles.figures}>
        <Figure name={t('total')} value={numbers.format(total)}>
          {t('total.about', { count: numbers.format(Math.round(average * 10) / 10) })}
        </Figure>
        <PercentFigure name={t('answered')} part={answered} whole={total}>
          {t('history.all', { count: numbers.format(answered) })}
        </PercentFigure>
        <SatisfactionFigure {...satisfaction} />
      </dl>
      {total > 0 && (
        <>
          <DaySection stats={overview} filter={overview} at={at} hasPeriodBefore />
          <div className={styles.halves}>
            <ShareSection by="outcome" counts={byOutcome} />
            <div>
              <ShareSection by="feedback" counts={ratingsOf(overview)} />
            </div>
          </div>
        </>
      )}
      <div className={styles.halves}>
        <Ranking
          title={t('desk.cited')}
          about={t('desk.cited.about')}
          empty={t('desk.cited.none')}
          rows={mostCited.map(({ id, title, cited }) => ({
            key: id,
            label: <Link to={`/knowledge?d=${encodeURIComponent(id)}`}>{title}</Link>,
            count: cited,
          }))}
        />
        <div>
          <Ranking
            title={t('desk.unanswered')}
            about={<Link to="/knowledge">{t('desk.unanswered.link')}</Link>}
            empty={t('unanswered.none')}
            rows={topUnanswered.map(({ question, count }) => ({ key: question, label: question, count }))}
          />
        </div>
      </div>
    </>
  );
}

interface RankingProps {
  title: string;
  about: ReactNode;
  empty: string;
  rows: { key: string; label: ReactNode; count: number }[];
}

function Ranking({ title, about, empty, rows }: RankingProps) {
  const { numbers } = useWords();
  return (
    <Section title={title} aside={<span className="end quiet">{about}</span>}>
      {rows.length === 0 && <p className="quiet">{empty}</p>}
      <ol className="ruled rule-above targets">
        {rows.map(({ key, label, count }) => (
          <li className="line spread gap-s4 py-s2 type-small breakable" key={key}>
            <span dir="auto">{label}</span>
            <span className="num">{numbers.format(count)}</span>
          </li>
        ))}
      </ol>
    </Section>
  );
}
