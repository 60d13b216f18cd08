import { useQuery } from '@tanstack/react-query';
import type { InboxSummary } from 'api/contract/handover';
import type { ScreenProps } from 'host/contract';
import { ScreenHead, useTexts } from 'host/ui/screen.tsx';
import { Skeleton } from 'host/ui/skeleton.tsx';
import { Link } from 'react-router-dom';
import listStyles from '../lib/list.module.css';
import { LoadProblem } from '../lib/load-problem.tsx';
import { ScreenRoot } from '../lib/screen-root.tsx';
import { useServices } from '../lib/services.ts';
import { inboxTexts } from '../lib/texts.ts';
import styles from './inbox.module.css';
import { InboxContent } from './inbox-content.tsx';

export const texts = [inboxTexts];

/**
 * /inbox: requests for a person, which editors answer. `?s=closed` shows the closed ones, `?h=` selects one. Other visitors get an
 * explanation.
 */
export default function InboxScreen({ services, controls }: ScreenProps) {
  return (
    <ScreenRoot services={services} controls={controls} className={listStyles.page}>
      <Inbox />
    </ScreenRoot>
  );
}

function Inbox() {
  const { http } = useServices();
  const t = useTexts(inboxTexts);
  const { data, error, refetch } = useQuery({
    queryKey: ['inbox', 'summary'],
    staleTime: 0,
    queryFn: async ({ signal }) => (await http.get<InboxSummary>('/api/inbox/summary', { signal })).data,
  });
  return (
    <>
      <ScreenHead
        title={t('title')}
        aside={
          data && data.open !== null && <span className="count">{t('open.count', { count: data.open })}</span>
        }
      />
      {data && data.open !== null && <InboxContent />}
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
      {!data && error && <LoadProblem failure={error} title={t('failed')} onRetry={() => void refetch()} />}
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
