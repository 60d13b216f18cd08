import type { Conversation } from 'api/contract/records';
import { Button } from 'host/ui/button.tsx';
import { hasCookies } from 'host/ui/has-cookies.ts';
import { Icon } from 'host/ui/icon.tsx';
import { IconButton } from 'host/ui/icon-button.tsx';
import { createLatePart, Late, useLatePart } from 'host/ui/late-part.tsx';
import { useStream } from 'host/ui/use-stream.ts';
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { Link } from 'react-router-dom';
import { useChat } from '../state/chat-context.ts';
import { useConversations } from '../state/conversations.ts';
import { ConversationRow } from './conversation-row.tsx';
import { dayOf, groupByDay } from './group-by-day.ts';
import { ConversationList, DayGroup } from './paged-list.tsx';
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

const KEY = 'account-card';
const DAY_MS = 86_400_000;

/**
 * Says where the conversations of a guest or an account are stored. With an account it is shown for one day only, to leave room for the
 * list. Aligned with the composer.
 */
function AccountCard() {
  const { services, t, chat } = useChat();
  const { guestDays, isPending } = useConversations(chat.conversations);
  const username = useStream(services.session.username$);
  const isNew = useIsNew(username !== '');
  if (username && !isNew) return null;
  if (username)
    return (
      <Card>
        <h2 className="line gap-6px type-ui strong" id="account-card">
          <span className="clip">{username}</span>
          <Link to="/history">{t('seeRecords')}</Link>
        </h2>
        <p className="type-small ink-2">{t('signedInText')}</p>
      </Card>
    );
  return (
    <Card>
      <h2 className="line gap-6px type-ui strong" id="account-card">
        {t('guestTitle')}
      </h2>
      <p className="type-small ink-2">{isPending ? '\u00a0' : guestText()}</p>
      <div className="line gap-s1 mt-s2">
        <Link className="button small" to="/login">
          {t('signIn')}
        </Link>
        <Link className="button small bare" to="/register">
          {t('signUp')}
        </Link>
      </div>
    </Card>
  );

  function guestText(): string {
    if (!hasCookies()) return t('guestNoCookies');
    return guestDays ? t('guestText', { days: t('days', { count: guestDays }) }) : t('guestTextUnknown');
  }
}

function Card({ children }: { children: ReactNode }) {
  return (
    <div className={styles.foot}>
      <section className={styles.account} aria-labelledby="account-card">
        {children}
      </section>
    </div>
  );
}

/** Whether this browser has shown the account for less than a day. */
function useIsNew(isMember: boolean): boolean {
  const { storage } = useChat().services;
  const [openedAt] = useState(Date.now);
  const since = isMember ? storage.get<number>(KEY) : undefined;
  useEffect(() => {
    if (isMember && since === undefined) storage.set(KEY, openedAt);
  }, [storage, isMember, since, openedAt]);
  return openedAt - (since ?? openedAt) < DAY_MS;
}

/** Maximum length of a search in UTF-16 units, as in the API. */
const MAX_SEARCH = 1_000;

/** The search field above the conversations. Escape ends the search. */
function SearchBox() {
  const { t, chat } = useChat();
  const { text } = useStream(chat.search.state$);
  const field = useRef<HTMLInputElement>(null);
  const keyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Enter') chat.search.submit();
    else if (event.key === 'Escape' && text) end();
    else return;
    event.preventDefault();
  };
  const end = () => {
    chat.search.clear();
    field.current?.focus();
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: jsdom and older browsers do not know the element search
    <div role="search" className={`search ${styles.search}`}>
      <Icon name="search" />
      <input
        ref={field}
        className="input"
        type="search"
        aria-label={t('search')}
        placeholder={t('search')}
        maxLength={MAX_SEARCH}
        autoComplete="off"
        enterKeyHint="search"
        value={text}
        onChange={({ currentTarget, nativeEvent }) =>
          chat.search.type(currentTarget.value, (nativeEvent as InputEvent).isComposing)
        }
        onCompositionEnd={({ currentTarget }) => chat.search.type(currentTarget.value, false)}
        onKeyDown={keyDown}
      />
      {text && <IconButton icon="close" label={t('clearSearch')} isSmall onClick={end} />}
    </div>
  );
}
