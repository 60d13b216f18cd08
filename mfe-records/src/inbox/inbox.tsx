import { useQuery } from '@tanstack/react-query';
import type { InboxSummary } from 'api/contract/handover';
import type { ScreenProps } from 'host/contract';
import { createDateFormats } from 'host/ui/format-date.ts';
import { Skeleton } from 'host/ui/skeleton.tsx';
import { useTranslate } from 'host/ui/use-translate.ts';
import { useMemo } from 'react';
import { Link } from 'react-router-dom';
import listStyles from '../lib/list.module.css';
import { LoadProblem } from '../lib/load-problem.tsx';
import { ScreenRoot } from '../lib/screen-root.tsx';
import styles from './inbox.module.css';
import { InboxContent } from './inbox-content.tsx';
import { inboxTexts } from './inbox-texts.ts';

export const texts = [inboxTexts];

/**
 * /inbox: requests for a person, which editors answer. `?s=closed` shows the closed ones, `?h=` selects one. Other visitors get an
 * explanation.
 */
export default function InboxScreen({ services, language, controls }: ScreenProps) {
  return (
    <main className={`page ${listStyles.page}`} id="main" tabIndex={-1}>
      <ScreenRoot services={services}>
        <Inbox services={services} language={language} controls={controls} />
      </ScreenRoot>
    </main>
  );
}

function Inbox({ services, language, controls }: Pick<ScreenProps, 'services' | 'language' | 'controls'>) {
  const { i18n, http } = services;
  const t = useTranslate(i18n, inboxTexts);
  const calendar = useMemo(() => createDateFormats(language), [language]);
  const { data, error, refetch } = useQuery({
    queryKey: ['inbox', 'summary'],
    staleTime: 0,
    queryFn: async ({ signal }) => (await http.get<InboxSummary>('/api/inbox/summary', { signal })).data,
  });
  return (
    <>
      <header className="head">
        <h1>{t('title')}</h1>
        {data && data.open !== null && <span className="count">{t('open.count', { count: data.open })}</span>}
        <span className="space" />
        <div className="cluster">{controls}</div>
      </header>
      {data && data.open !== null && <InboxContent {...{ services, calendar, t }} />}
      {data && data.open === null && (
        <div className="failed">
          <h2>{t('reader')}</h2>
          <p>{t('reader.about')}</p>
          <div className="row">
            <Link className="button" to="/index">
              {t('ask')}
            </Link>
          </div>
        </div>
      )}
      {!data && error && (
        <LoadProblem failure={error} title={t('failed')} t={t} onRetry={() => void refetch()} />
      )}
      {!data && !error && (
        <Skeleton
          className={styles.skeleton}
          label={t('loading')}
          lines={['third', 'most', 'half', 'third', 'most', 'half']}
        />
      )}
    </>
  );
}
