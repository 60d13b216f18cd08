import type { Contact } from 'api/contract/records';
import { Button } from 'host/ui/button.tsx';
import { formatClock, formatDay } from 'host/ui/format-date.ts';
import { useDelayed } from 'host/ui/use-delayed.ts';
import { type KeyboardEvent, type ReactNode, useId } from 'react';
import { RowsSkeleton } from '../conversation/rows-skeleton.tsx';
import { ContactName } from '../people/contact-label.tsx';
import { useChat } from '../state/chat-context.ts';
import type { useConversations } from '../state/conversations.ts';
import styles from './side-panel.module.css';

interface PagedListProps {
  className: string | undefined;
  label: string;
  /** The pages that are loaded, and a function that loads the next one. */
  list: { hasNextPage: boolean; isFetchingNextPage: boolean; loadMore(): void };
  onKeyDown(event: KeyboardEvent<HTMLElement>): void;
  children: ReactNode;
}

/** A scrolling list that loads the next page when its end is near, or by a button. */
export function PagedList({ className, label, list, onKeyDown, children }: PagedListProps) {
  const { hasNextPage, isFetchingNextPage, loadMore } = list;
  const { t } = useChat();
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for form fields; this group names a scrolling area
    <div
      className={className}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: allows scrolling by keyboard
      tabIndex={0}
      role="group"
      aria-label={label}
      onKeyDown={onKeyDown}
      onScroll={({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) => {
        if (hasNextPage && scrollHeight - scrollTop - clientHeight < 200) loadMore();
      }}
    >
      {children}
      {hasNextPage && (
        <Button
          look={`small bare ${styles.more}`}
          label={t(isFetchingNextPage ? 'loading' : 'showMore')}
          isOff={isFetchingNextPage}
          onClick={loadMore}
        />
      )}
    </div>
  );
}

/** Moves the focus between the links of a list with the arrow keys. */
export function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  // React events of an open menu also bubble here, although it is elsewhere in the page.
  if (!step || event.defaultPrevented || (event.target as HTMLElement).tagName === 'INPUT') return;
  const links = [...event.currentTarget.querySelectorAll<HTMLElement>('a')];
  const at = links.findIndex((link) => link.parentElement?.contains(document.activeElement));
  links[at < 0 ? 0 : Math.max(0, Math.min(at + step, links.length - 1))]?.focus();
  event.preventDefault();
}

/** The entries of one day, with a heading that labels their list. */
export function DayGroup({ title, children }: { title: string; children: ReactNode }) {
  const id = useId();
  return (
    <>
      <h3 className="type-meta quiet" id={id}>
        {title}
      </h3>
      <ul aria-labelledby={id}>{children}</ul>
    </>
  );
}

interface RowDetailsProps {
  contact: Contact | null;
  /** Shown instead of the name if there is no contact. */
  nobody?: string;
  /** ISO 8601. */
  time: string;
  /** Whether the heading of the row says no exact day. */
  hasDay?: boolean;
  children?: ReactNode;
}

/** The second line of a row: the contact, and when it was. */
export function RowDetails({ contact, nobody, time, hasDay = false, children }: RowDetailsProps) {
  const locale = useChat().services.i18n.locale();
  return (
    <small className="line">
      {(contact || nobody) && (
        <span className="clip">{contact ? <ContactName contact={contact} /> : nobody}</span>
      )}
      {children}
      <time className="nowrap" dateTime={time}>
        {hasDay ? formatDay(time, locale, new Date()) : formatClock(time, locale)}
      </time>
    </small>
  );
}

interface NoListProps {
  title: string;
  text: string;
  /** Set if the list could not be loaded: loads it again. */
  onRetry?(): void;
}

/** Shown instead of a list that is empty or could not be loaded. */
export function NoList({ title, text, onRetry }: NoListProps) {
  const { t } = useChat();
  return (
    <div className="blank" role={onRetry && 'alert'}>
      <b>{title}</b>
      {text}
      {onRetry && <Button look="small" icon="retry" label={t('tryAgain')} onClick={onRetry} />}
    </div>
  );
}

interface ConversationListProps {
  list: ReturnType<typeof useConversations>;
  label: string;
  /** Shown if the list is empty. */
  none: { title: string; text: string };
  children: ReactNode;
}

/** The rows of conversations, or what is shown while loading, after a failure or without any. */
export function ConversationList({ list, label, none, children }: ConversationListProps) {
  const { conversations, data, error, isPending, refetch } = list;
  const { t } = useChat();
  const isSlow = useDelayed(isPending);
  if (isPending) return <div className="blank">{isSlow && <RowsSkeleton />}</div>;
  if (!data)
    return <NoList title={t('listFailed')} text={error?.message ?? ''} onRetry={() => void refetch()} />;
  if (conversations.length === 0) return <NoList {...none} />;
  return (
    <PagedList className={styles.conversations} label={label} list={list} onKeyDown={moveFocus}>
      {children}
    </PagedList>
  );
}
