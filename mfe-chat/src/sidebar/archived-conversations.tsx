import { Icon } from 'host/ui/icon.tsx';
import { useDelayed } from 'host/ui/use-delayed.ts';
import { useId } from 'react';
import { useChat } from '../shared/chat-context.ts';
import { moveFocus } from '../shared/move-focus.ts';
import { RowsSkeleton } from '../shared/rows-skeleton.tsx';
import { ConversationRow } from './conversation-row.tsx';
import { useConversations } from './conversations.ts';
import { dayOf } from './group-by-day.ts';
import { PagedList } from './paged-list.tsx';
import styles from './side-panel.module.css';
import { useToolTexts } from './tool-texts.ts';

interface ArchivedConversationsProps {
  onChosen(): void;
  onBack(): void;
  backRef(button: HTMLButtonElement | null): void;
}

/** The archived conversations, in place of the others. */
export function ArchivedConversations({ onChosen, onBack, backRef }: ArchivedConversationsProps) {
  const { t, chat } = useChat();
  const tools = useToolTexts();
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
          {tools('allConversations')}
        </button>
        <h3 id={titleId}>{t('archived')}</h3>
      </div>
      {isPending && <div className="blank">{isSlow && <RowsSkeleton />}</div>}
      {!isPending && !data && (
        <div className="blank" role="alert">
          <b>{t('listFailed')}</b>
          {error?.message}
          <button className="button small" type="button" onClick={() => void refetch()}>
            <Icon name="retry" isSmall />
            {t('tryAgain')}
          </button>
        </div>
      )}
      {data && !conversations.length && (
        <div className="blank">
          <b>{tools('noArchived')}</b>
          {tools('noArchivedHint')}
        </div>
      )}
      {conversations.length > 0 && (
        <PagedList
          className={styles.conversations}
          label={tools('archivedList')}
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
