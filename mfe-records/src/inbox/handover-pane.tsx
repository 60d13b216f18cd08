import type { InboxDetail } from 'api/contract/handover';
import { EmptyState } from 'host/ui/problem.tsx';
import { useTexts } from 'host/ui/screen.tsx';
import { Link } from 'react-router-dom';
import { BackLink } from '../lib/back-link.tsx';
import listStyles from '../lib/list.module.css';
import { FirstRead } from '../lib/load-problem.tsx';
import { useRead } from '../lib/services.ts';
import { inboxTexts } from '../lib/texts.ts';
import { useEscapeBack } from '../lib/use-escape-back.ts';
import styles from './handover.module.css';
import { HandoverView } from './handover-view.tsx';

interface HandoverPaneProps {
  /** The request in the address; null without one. */
  id: string | null;
  /** The address of the list without a chosen request. */
  backSearch: string;
}

/** The chosen request beside the list, or why it cannot be shown. */
export function HandoverPane({ id, backSearch }: HandoverPaneProps) {
  const t = useTexts(inboxTexts);
  useEscapeBack(id !== null, { search: backSearch });
  const query = useRead<InboxDetail>(`/api/inbox/${encodeURIComponent(id ?? '')}`, {
    queryKey: ['inbox', 'detail', id],
    enabled: id !== null,
    staleTime: 0,
  });
  if (id === null) return <p className={`blank ${styles.none}`}>{t('choose')}</p>;
  const { data, error } = query;
  const isGone = error?.status === 404;
  return (
    <article className={`column ${listStyles.open}`} aria-label={t('request')}>
      <BackLink className={styles.back} to={{ search: backSearch }} label={t('back')} takesFocus />
      {isGone && (
        <EmptyState title={t('gone')} about={t('gone.about')}>
          <Link className="button" to={{ search: backSearch }}>
            {t('back')}
          </Link>
        </EmptyState>
      )}
      {data && !isGone && <HandoverView detail={data} />}
      {!isGone && (
        <FirstRead
          query={query}
          title={t('request.failed')}
          className="pad-s6"
          label={t('request.loading')}
          lines={['most', 'third', 'full', 'full', 'half']}
        />
      )}
    </article>
  );
}
