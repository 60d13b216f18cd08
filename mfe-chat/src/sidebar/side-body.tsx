import { Icon } from 'host/ui/icon.tsx';
import { createLatePart, useLatePart } from 'host/ui/late-part.tsx';
import { useDelayed } from 'host/ui/use-delayed.ts';
import { useStream } from 'host/ui/use-stream.ts';
import { useChat } from '../shared/chat-context.ts';
import { moveFocus } from '../shared/move-focus.ts';
import { RowsSkeleton } from '../shared/rows-skeleton.tsx';
import { AccountCard } from './account-card.tsx';
import { ConversationRow } from './conversation-row.tsx';
import { useConversations } from './conversations.ts';
import { groupByDay } from './group-by-day.ts';
import { DayGroup, PagedList } from './paged-list.tsx';
import { SearchBox } from './search-box.tsx';
import styles from './side-panel.module.css';

export const searchResults = createLatePart(() => import('./search-results.tsx'));

/** Content of the side panel: search, conversations by day, account card. */
export function SideBody({ onChosen }: { onChosen(): void }) {
  return (
    <>
      <div className={styles.list}>
        <SearchBox />
        <List onChosen={onChosen} />
      </div>
      <div className={styles.foot}>
        <AccountCard />
      </div>
    </>
  );
}

/** Search results during a search, otherwise the conversations. */
function List({ onChosen }: { onChosen(): void }) {
  const { chat } = useChat();
  const isIdle = useStream(chat.search.state$).query === null;
  const { part: results } = useLatePart(searchResults);
  if (isIdle || !results) return <Conversations onChosen={onChosen} />;
  return <results.SearchResults onChosen={onChosen} />;
}

function Conversations({ onChosen }: { onChosen(): void }) {
  const { t, chat } = useChat();
  const { conversations, data, error, isPending, hasNextPage, isFetchingNextPage, loadMore, refetch } =
    useConversations(chat.conversations);
  const isSlow = useDelayed(isPending);

  if (isPending) return <div className="blank">{isSlow && <RowsSkeleton />}</div>;
  if (!data)
    return (
      <div className="blank" role="alert">
        <b>{t('listFailed')}</b>
        {error?.message}
        <button className="button small" type="button" onClick={() => void refetch()}>
          <Icon name="retry" isSmall />
          {t('tryAgain')}
        </button>
      </div>
    );
  if (!conversations.length)
    return (
      <div className="blank">
        <b>{t('noConversations')}</b>
        {t('noConversationsHint')}
      </div>
    );
  return (
    <PagedList
      className={styles.conversations}
      label={t('conversationList')}
      hasMore={hasNextPage}
      isLoadingMore={isFetchingNextPage}
      loadMore={loadMore}
      onKeyDown={moveFocus}
    >
      {groupByDay(conversations, new Date()).map(({ day, conversations: ofDay }) => (
        <DayGroup key={day} title={t(day)}>
          {ofDay.map((conversation) => (
            <ConversationRow
              key={conversation.id}
              conversation={conversation}
              day={day}
              onChosen={onChosen}
            />
          ))}
        </DayGroup>
      ))}
    </PagedList>
  );
}
