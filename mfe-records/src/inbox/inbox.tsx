import type { InboxSummary } from 'api/contract/handover';
import { EmptyState } from 'host/ui/problem.tsx';
import { ScreenHead, useTexts } from 'host/ui/screen.tsx';
import { Link } from 'react-router-dom';
import listStyles from '../lib/list.module.css';
import { FirstRead } from '../lib/load-problem.tsx';
import { screenOf } from '../lib/screen-root.tsx';
import { useRead } from '../lib/services.ts';
import { inboxTexts } from '../lib/texts.ts';
import { InboxContent } from './inbox-content.tsx';

export const texts = [inboxTexts];

/**
 * /inbox: requests for a person, which editors answer. `?s=closed` shows the closed ones, `?h=` selects one. Other visitors get an
 * explanation.
 */
export default screenOf(Inbox, listStyles.page);

function Inbox() {
  const t = useTexts(inboxTexts);
  const query = useRead<InboxSummary>('/api/inbox/summary', {
    queryKey: ['inbox', 'summary'],
    staleTime: 0,
  });
  const { data } = query;
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
        <EmptyState title={t('reader')} about={t('reader.about')}>
          <Link className="button" to="/index">
            {t('history.ask')}
          </Link>
        </EmptyState>
      )}
      <FirstRead
        query={query}
        title={t('failed')}
        className="pad-s5"
        label={t('loading')}
        lines={['third', 'most', 'half', 'third', 'most', 'half']}
      />
    </>
  );
}
