import { type KeyboardEvent, type ReactNode, useId } from 'react';
import { useChat } from './chat-context.ts';
import { groupByDay } from './group-by-day.ts';
import { Icon } from './icon.tsx';
import { LoadingBones } from './loading-bones.tsx';
import styles from './side-panel.module.css';
import { Slip } from './slip.tsx';
import { Thread } from './thread.tsx';
import { useDelayed } from './use-delayed.ts';
import { useValue } from './use-value.ts';

/** The conversations by day, and below them who is asking. */
export function SideBody({ onChosen }: { onChosen(): void }) {
  return (
    <>
      <Threads onChosen={onChosen} />
      <div className={styles.foot}>
        <Slip />
      </div>
    </>
  );
}

function Threads({ onChosen }: { onChosen(): void }) {
  const { t, desk } = useChat();
  const { phase, conversations, hasMore, isLoadingMore, message } = useValue(desk.conversations.state$);
  const isSlow = useDelayed(phase === 'loading');

  if (phase === 'loading') return <div className="blank">{isSlow && <LoadingBones />}</div>;
  if (phase === 'failed')
    return (
      <div className="blank" role="alert">
        <b>{t('listFailed')}</b>
        {message}
        <button className="button small" type="button" onClick={() => void desk.conversations.load()}>
          <Icon name="retry" small />
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
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields; this group only names what scrolls
    <div
      className={styles.threads}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a long list is scrolled by keyboard too
      tabIndex={0}
      role="group"
      aria-label={t('conversationList')}
      onKeyDown={moveFocus}
      onScroll={({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) => {
        if (scrollHeight - scrollTop - clientHeight < 200) void desk.conversations.loadMore();
      }}
    >
      {groupByDay(conversations, new Date()).map(({ day, conversations: ofDay }) => (
        <Day key={day} title={t(day)}>
          {ofDay.map((conversation) => (
            <Thread key={conversation.id} conversation={conversation} day={day} onChosen={onChosen} />
          ))}
        </Day>
      ))}
      {hasMore && (
        <button
          className={`button small bare ${styles.more}`}
          type="button"
          aria-disabled={isLoadingMore}
          onClick={() => void desk.conversations.loadMore()}
        >
          {t(isLoadingMore ? 'loading' : 'showMore')}
        </button>
      )}
    </div>
  );
}

function Day({ title, children }: { title: string; children: ReactNode }) {
  const id = useId();
  return (
    <>
      <h3 id={id}>{title}</h3>
      <ul aria-labelledby={id}>{children}</ul>
    </>
  );
}

/** Up and down go from conversation to conversation. */
function moveFocus(event: KeyboardEvent<HTMLElement>) {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  // An open menu stands elsewhere in the page, but its keys come by here too.
  if (!step || event.defaultPrevented || (event.target as HTMLElement).tagName === 'INPUT') return;
  const links = [...event.currentTarget.querySelectorAll<HTMLElement>('a')];
  const at = links.findIndex((link) => link.parentElement?.contains(document.activeElement));
  links[at < 0 ? 0 : Math.max(0, Math.min(at + step, links.length - 1))]?.focus();
  event.preventDefault();
}
