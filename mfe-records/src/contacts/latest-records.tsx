import { useQuery } from '@tanstack/react-query';
import type { SearchPage } from 'api/contract/search';
import type { Http } from 'host/contract';
import type { DateFormats } from 'host/ui/format-date.ts';
import { grouped } from 'host/ui/grouped.ts';
import { Skeleton } from 'host/ui/skeleton.tsx';
import { SourceMark } from 'host/ui/source-mark.tsx';
import { Link } from 'react-router-dom';
import { addressOf, EVERYTHING } from '../history/filters/filter.ts';
import { answererOf } from '../lib/answerer-of.ts';
import { LoadProblem } from '../lib/load-problem.tsx';
import { plainExcerpt } from '../lib/plain-excerpt.ts';
import styles from './contact-page.module.css';
import type { ContactTranslate } from './contact-texts.ts';

interface LatestRecordsProps {
  http: Http;
  id: string;
  recordCount: number;
  calendar: DateFormats;
  t: ContactTranslate;
}

const SHOWN = 5;

/** The contact's latest records, and a link to all of them in /history. */
export function LatestRecords({ http, id, recordCount, calendar, t }: LatestRecordsProps) {
  const { data, error, refetch } = useQuery({
    queryKey: ['contact records', id, recordCount],
    queryFn: async ({ signal }) =>
      (await http.post<SearchPage>('/api/search', { contact: id, limit: SHOWN }, { signal })).data,
  });
  const filter = { ...EVERYTHING, contact: id };
  return (
    <section className={`section ${styles.latest}`} aria-labelledby="contact-latest">
      <div className="section-head">
        <h2 id="contact-latest">{t('latest')}</h2>
        <Link className="end" to={addressOf('/history', filter)}>
          {recordCount === 1 ? t('latest.only') : t('latest.all', { count: grouped(recordCount) })}
        </Link>
      </div>
      {error && (
        <LoadProblem failure={error} title={t('latest.failed')} t={t} onRetry={() => void refetch()} />
      )}
      {!data && !error && <Skeleton label={t('history.loading')} lines={['most', 'half', 'most']} />}
      <ul className={styles.records}>
        {data?.records.map((record) => (
          <li key={record.id}>
            <Link to={addressOf('/history', filter, { r: record.id })} dir="auto">
              {record.question}
            </Link>
            <p dir="auto">{plainExcerpt(record.answer)}</p>
            <footer>
              <time dateTime={record.createdAt}>{calendar.moment(new Date(record.createdAt))}</time>
              {record.status === 'done' ? (
                <SourceMark source={answererOf(record)} label={t(`source.${answererOf(record)}`)} />
              ) : (
                <span className="tag">{t(`status.${record.status}`)}</span>
              )}
            </footer>
          </li>
        ))}
      </ul>
    </section>
  );
}
