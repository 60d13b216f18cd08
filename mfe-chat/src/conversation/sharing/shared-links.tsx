import { useInfiniteQuery } from '@tanstack/react-query';
import type { ListedShare, SharePage } from 'api/contract/sharing';
import { Button } from 'host/ui/button.tsx';
import { Dialog } from 'host/ui/dialog.tsx';
import { Problem } from 'host/ui/problem.tsx';
import { Skeleton } from 'host/ui/skeleton.tsx';
import { useAction } from 'host/ui/use-action.ts';
import { useEffect, useRef } from 'react';
import { Link } from 'react-router-dom';
import { useChat } from '../../state/chat-context.ts';
import { type ShareTranslate, shareTexts, useTexts } from '../../state/part-texts.ts';
import styles from './shared-links.module.css';

interface SharedLinksProps {
  onBack(): void;
  onClose(): void;
  /** Called after a link was revoked, which may be that of the shown conversation. */
  onRevoked(): void;
}

/** All links of the visitor and when they expire; each can be revoked. */
export function SharedLinks({ onBack, onClose, onRevoked }: SharedLinksProps) {
  const { services, chat } = useChat();
  const t = useTexts(shareTexts);
  const back = useRef<HTMLButtonElement>(null);
  const { failure, run } = useAction();
  const query = useInfiniteQuery(
    {
      queryKey: ['shares'],
      queryFn: async ({ pageParam, signal }) => {
        const params = pageParam ? { cursor: pageParam } : {};
        return (await services.http.get<SharePage>('/api/shares', { params, signal })).data;
      },
      initialPageParam: '',
      getNextPageParam: ({ nextCursor }) => nextCursor,
      staleTime: 0,
    },
    chat.queries,
  );
  const shares = query.data?.pages.flatMap((page) => page.shares);
  useEffect(() => back.current?.focus(), []);

  const revoke = ({ conversationId }: ListedShare) =>
    run(async () => {
      await services.http.delete(`/api/conversations/${conversationId}/share`);
      back.current?.focus();
      onRevoked();
      await query.refetch();
    });

  return (
    <Dialog
      title={t('allLinks')}
      closeLabel={t('close')}
      onClose={onClose}
      foot={<Button ref={back} label={t('back')} onClick={onBack} />}
    >
      {!shares && query.error && (
        <Problem
          level={3}
          title={t('failed')}
          message={query.error.message}
          retryLabel={t('retry')}
          onRetry={() => void query.refetch()}
        />
      )}
      {!shares && !query.error && <Skeleton label={t('loading')} lines={['most', 'half']} />}
      {shares?.length === 0 && <p className="blank">{t('noLinks')}</p>}
      <ul className={`stack gap-s3 ${styles.links}`}>
        {shares?.map((share) => (
          <li key={share.conversationId}>
            <Link
              className="breakable"
              to={{ search: `?c=${share.conversationId}` }}
              onClick={onClose}
              dir="auto"
            >
              {share.title}
            </Link>
            <Button
              look="small danger-quiet"
              label={t('revokeShort')}
              aria-label={t('revokeOf', { title: share.title })}
              onClick={() => void revoke(share)}
            />
            <small>{about(share, services.i18n.locale(), t)}</small>
          </li>
        ))}
      </ul>
      {query.hasNextPage && (
        <Button look="small" label={t('more')} onClick={() => void query.fetchNextPage()} />
      )}
      <p className="field-note error" role="alert">
        {failure?.message}
      </p>
    </Dialog>
  );
}

function about(
  { createdAt, expiresAt, recordCount }: ListedShare,
  locale: string,
  t: ShareTranslate,
): string {
  const format = new Intl.DateTimeFormat(locale, { dateStyle: 'medium' });
  const date = expiresAt && format.format(new Date(expiresAt));
  const isOver = expiresAt !== null && new Date(expiresAt) <= new Date();
  const end = date ? t(isOver ? 'over' : 'until', { date }) : t('never');
  return t('listed', { created: format.format(new Date(createdAt)), count: recordCount, end });
}
