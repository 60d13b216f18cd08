import { Button } from 'host/ui/button.tsx';
import { formatTime } from 'host/ui/format-date.ts';
import { hasCookies } from 'host/ui/has-cookies.ts';
import { Icon } from 'host/ui/icon.tsx';
import { EmptyState, Problem } from 'host/ui/problem.tsx';
import { useDelayed } from 'host/ui/use-delayed.ts';
import { useStream } from 'host/ui/use-stream.ts';
import { memo, useCallback, useSyncExternalStore } from 'react';
import { NewQuestionContact } from '../people/contact-chip.tsx';
import { HandoverSlot } from '../people/handover-slot.tsx';
import { useChat } from '../state/chat-context.ts';
import type { ChatMessage } from '../state/chat-message.ts';
import { ChatLabels } from '../state/late-dialog.tsx';
import { BotMessage } from './bot-message.tsx';
import { FirstSteps } from './first-steps.tsx';
import styles from './message-list.module.css';
import { RowsSkeleton } from './rows-skeleton.tsx';
import { useOlderPages } from './use-older-pages.ts';
import { useStickToEnd } from './use-stick-to-end.ts';
import { UserMessage } from './user-message.tsx';
import { Welcome } from './welcome.tsx';

/** The message list. It scrolls to new text as long as the reader is at the end. */
export function MessageList({ onNew }: { onNew(): void }) {
  const { t, chat, services } = useChat();
  const { store, consultation } = chat;
  const { phase, conversationId, runningKey, hasOlder, isLoadingOlder, savedAt } = useStream(
    consultation.state$,
  );
  const keys = useSyncExternalStore(store.subscribe, store.keys);
  const groups = useSyncExternalStore(store.subscribe, store.groups);
  const { isAtEnd, goToEnd } = useStickToEnd(
    store.scroll,
    consultation.scrollToEnd$,
    consultation.scrollToMarked$,
  );
  const watchTop = useOlderPages(store, consultation, keys[0]);
  const isSlow = useDelayed(phase === 'loading');

  return (
    <div
      ref={(element) => {
        store.scroll.current = element;
      }}
      className={styles.messages}
      role="log"
      aria-label={t('log')}
      // The status region announces the finished answer, instead of every token.
      aria-live="off"
      aria-busy={runningKey !== null || phase === 'loading'}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: allows scrolling by keyboard
      tabIndex={0}
      onScroll={watchTop}
    >
      <div className={`${styles.content} ${keys.length ? '' : styles.centred}`}>
        {phase === 'loading' && isSlow && <RowsSkeleton />}
        {phase === 'failed' && (
          <ChatLabels>
            <Failed />
          </ChatLabels>
        )}
        {phase === 'missing' && <Missing onNew={onNew} />}
        {isLoadingOlder && (
          <p className={styles.older} role="status">
            {t('older')}
          </p>
        )}
        {savedAt !== null && (
          <p className={styles.saved} role="status">
            {t('savedAt', { time: formatTime(new Date(savedAt).toISOString(), services.i18n.locale()) })}
          </p>
        )}
        {hasOlder && <p className={styles.printPart}>{t('printPart')}</p>}
        {phase === 'ready' && keys.length === 0 && conversationId === null && (
          <>
            <NewQuestionContact />
            <FirstSteps>
              <Welcome />
            </FirstSteps>
          </>
        )}
        {groups.map((group) => (
          <Group key={group[0]} messageKeys={group} />
        ))}
        {phase === 'ready' && conversationId !== null && <HandoverSlot />}
      </div>
      {!isAtEnd && keys.length > 0 && (
        <button className={styles.toLatest} type="button" onClick={goToEnd}>
          <Icon name="chevron" isSmall />
          {t('toLatest')}
        </button>
      )}
    </div>
  );
}

/** `content-visibility` applies to groups of messages: with 2,000 single messages it would cost time in every frame. */
const Group = memo(function Group({ messageKeys }: { messageKeys: readonly string[] }) {
  return (
    <div className={styles.group}>
      {messageKeys.map((key) => (
        <Message key={key} messageKey={key} />
      ))}
    </div>
  );
});

function Failed() {
  const { t, chat } = useChat();
  const { failure } = useStream(chat.consultation.state$);
  return (
    <Problem
      title={t('listFailed')}
      message={failure?.message ?? ''}
      onRetry={() => chat.consultation.reopen()}
    />
  );
}

function Missing({ onNew }: { onNew(): void }) {
  const { t } = useChat();
  return (
    <EmptyState role="alert" title={t('missing')} about={t(hasCookies() ? 'missingHint' : 'guestNoCookies')}>
      <Button look="primary" icon="plus" label={t('newQuestion')} onClick={onNew} />
    </EmptyState>
  );
}

/** One message by its key. Renders only when this message changes. */
const Message = memo(function Message({ messageKey }: { messageKey: string }) {
  const message = useMessage(messageKey);
  if (!message) return null;
  return message.inversion ? <UserMessage message={message} /> : <BotMessage message={message} />;
});

function useMessage(key: string): ChatMessage | undefined {
  const { store } = useChat().chat;
  const subscribe = useCallback(
    (listener: () => void) => store.subscribeMessage(key, listener),
    [store, key],
  );
  return useSyncExternalStore(subscribe, () => store.message(key));
}
