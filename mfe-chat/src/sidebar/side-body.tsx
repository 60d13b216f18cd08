import type { Conversation } from 'api/contract/records';
import { Button } from 'host/ui/button.tsx';
import { createLatePart, Late, useLatePart } from 'host/ui/late-part.tsx';
import { useStream } from 'host/ui/use-stream.ts';
import { useRef, useState } from 'react';
import { useChat } from '../state/chat-context.ts';
import { useConversations } from '../state/conversations.ts';
import { AccountCard } from './account-card.tsx';
import { ConversationRow } from './conversation-row.tsx';
import { dayOf, groupByDay } from './group-by-day.ts';
import { ConversationList, DayGroup } from './paged-list.tsx';
import { SearchBox } from './search-box.tsx';
import styles from './side-panel.module.css';

export const searchResults = createLatePart(
  () => import(/* webpackChunkName: "search" */ './search-results.tsx'),
);
export const archivedConversations = createLatePart(
  () => import(/* webpackChunkName: "archived" */ './archived-conversations.tsx'),
);

/** Content of the side panel: search, conversations by day, account card. */
export function SideBody({ onChosen }: { onChosen(): void }) {
  return (
    <>
      <div className={styles.list}>
        <SearchBox />
        <List onChosen={onChosen} />
      </div>
      <AccountCard />
    </>
  );
}

/** Search results during a search, the archived conversations once opened, otherwise the list of conversations. */
function List({ onChosen }: { onChosen(): void }) {
  const { services, t, chat } = useChat();
  const isIdle = useStream(chat.search.state$).query === null;
  const { part: results } = useLatePart(searchResults);
  const [isArchive, setIsArchive] = useState(false);
  // The pressed button disappears: the focus moves to the one that reverses it.
  const isFocusDue = useRef(false);
  const focus = (button: HTMLButtonElement | null) => {
    if (!button || !isFocusDue.current) return;
    isFocusDue.current = false;
    button.focus();
  };
  const show = (next: boolean) => {
    isFocusDue.current = true;
    setIsArchive(next);
  };
  const fail = () => {
    setIsArchive(false);
    services.toasts.show({ kind: 'warning', text: t('partFailed') });
  };
  if (!isIdle && results) return <results.SearchResults onChosen={onChosen} />;
  if (isArchive)
    return (
      <Late part={archivedConversations} onFailed={fail}>
        {({ ArchivedConversations }) => (
          <ArchivedConversations onChosen={onChosen} onBack={() => show(false)} backRef={focus} />
        )}
      </Late>
    );
  return <Conversations onChosen={onChosen} onArchive={() => show(true)} archiveRef={focus} />;
}

interface ConversationsProps {
  onChosen(): void;
  onArchive(): void;
  archiveRef(button: HTMLButtonElement | null): void;
}

function Conversations({ onChosen, onArchive, archiveRef }: ConversationsProps) {
  const { t, chat } = useChat();
  const list = useConversations(chat.conversations);
  const now = new Date();
  const pinned = byTime(list.conversations.filter((one) => one.pinned));
  const others = byTime(list.conversations.filter((one) => !one.pinned));
  const rows = (some: readonly Conversation[]) =>
    some.map((conversation) => (
      <ConversationRow
        key={conversation.id}
        conversation={conversation}
        day={dayOf(conversation.updatedAt, now)}
        onChosen={onChosen}
      />
    ));
  return (
    <>
      <ConversationList
        list={list}
        label={t('conversationList')}
        none={{ title: t('noConversations'), text: t('noConversationsHint') }}
      >
        {pinned.length > 0 && <DayGroup title={t('pinned')}>{rows(pinned)}</DayGroup>}
        {groupByDay(others, now).map(({ day, conversations }) => (
          <DayGroup key={day} title={t(day)}>
            {rows(conversations)}
          </DayGroup>
        ))}
      </ConversationList>
      {list.hasArchived && (
        <Button
          ref={archiveRef}
          look={`small bare ${styles.archive}`}
          icon="archive"
          label={t('archived')}
          onClick={onArchive}
        />
      )}
    </>
  );
}

/** A conversation that was just pinned or unpinned has not been sorted by the server yet. */
function byTime(some: readonly Conversation[]): Conversation[] {
  return some.toSorted((a, b) => (a.updatedAt < b.updatedAt ? 1 : a.updatedAt > b.updatedAt ? -1 : 0));
}
