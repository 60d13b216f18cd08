import { Button } from 'host/ui/button.tsx';
import { Icon } from 'host/ui/icon.tsx';
import { useDelayed } from 'host/ui/use-delayed.ts';
import { useId } from 'react';
import { RowsSkeleton } from '../conversation/rows-skeleton.tsx';
import { useChat } from '../state/chat-context.ts';
import { useConversations } from '../state/conversations.ts';
import { ConversationRow } from './conversation-row.tsx';
import { dayOf } from './group-by-day.ts';
import { moveFocus } from './move-focus.ts';
import { PagedList } from './paged-list.tsx';
import styles from './side-panel.module.css';

interface ArchivedConversationsProps {
  onChosen(): void;
  onBack(): void;
  backRef(button: HTMLButtonElement | null): void;
}

export function ArchivedConversations({ onChosen, onBack, backRef }: ArchivedConversationsProps) {
  const { t, chat } = useChat();
  const { conversations, data, error, isPending, hasNextPage, isFetchingNextPage, loadMore, refetch } =
    useConversations(chat.conversations, { isArchived: true });
  const isSlow = useDelayed(isPending);
  const titleId = useId();
  const now = new Date();
  return (
    <div className={styles.archived}>
      <div className={styles.archiveHead}>
        <button ref={backRef} className="button small bare" type="button" onClick={onBack}>
          <Icon name="arrow" isSmall className={styles.back} />
          {t('allConversations')}
        </button>
        <h3 id={titleId}>{t('archived')}</h3>
      </div>
      {isPending && <div className="blank">{isSlow && <RowsSkeleton />}</div>}
      {!isPending && !data && (
        <div className="blank" role="alert">
          <b>{t('listFailed')}</b>
          {error?.message}
          <Button look="small" icon="retry" label={t('tryAgain')} onClick={() => void refetch()} />
        </div>
      )}
      {data && !conversations.length && (
        <div className="blank">
          <b>{t('noArchived')}</b>
          {t('noArchivedHint')}
        </div>
      )}
      {conversations.length > 0 && (
        <PagedList
          className={styles.conversations}
          label={t('archivedList')}
          hasMore={hasNextPage}
          isLoadingMore={isFetchingNextPage}
          loadMore={loadMore}
          onKeyDown={moveFocus}
        >
          <ul aria-labelledby={titleId}>
            {conversations.map((conversation) => (
              <ConversationRow
                key={conversation.id}
                conversation={conversation}
                day={dayOf(conversation, now)}
                onChosen={onChosen}
              />
            ))}
          </ul>
        </PagedList>
      )}
    </div>
  );
}
