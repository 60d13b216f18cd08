import { Button } from 'host/ui/button.tsx';
import { formatTime } from 'host/ui/format-date.ts';
import { hasCookies } from 'host/ui/has-cookies.ts';
import { Icon } from 'host/ui/icon.tsx';
import { createLatePart, Late } from 'host/ui/late-part.tsx';
import { EmptyState, Problem } from 'host/ui/problem.tsx';
import { useDelayed } from 'host/ui/use-delayed.ts';
import { useStream } from 'host/ui/use-stream.ts';
import {
  memo,
  type RefObject,
  useCallback,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import type { Subject } from 'rxjs';
import { NewQuestionContact } from '../people/contact-chip.tsx';
import { useHandovers } from '../people/use-handovers.ts';
import { useChat } from '../state/chat-context.ts';
import type { ChatMessage } from '../state/chat-message.ts';
import type { ChatStore } from '../state/chat-store.ts';
import type { Consultation } from '../state/consultation.ts';
import { ChatLabels } from '../state/late-dialog.tsx';
import { handoverTexts } from '../state/part-texts.ts';
import { BotMessage } from './bot-message.tsx';
import { FirstSteps } from './first-steps.tsx';
import styles from './message-list.module.css';
import { RowsSkeleton } from './rows-skeleton.tsx';
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

export const handoverThreads = createLatePart(
  () => import(/* webpackChunkName: "handover" */ '../people/handover-threads.tsx'),
  handoverTexts,
);

/** The threads with people at the end of the message list; nothing in a conversation without any. */
function HandoverSlot() {
  const { t } = useChat();
  const { data, error, refetch } = useHandovers();
  const failed = (
    <p className="line wrap mt-s3 type-small ink-error" role="alert">
      {t('repliesFailed')}
      <Button look="small" label={t('tryAgain')} onClick={() => void refetch()} />
    </p>
  );
  // The screen itself reports that a conversation is missing.
  if (!data) return error && error.status !== 404 ? failed : null;
  if (data.length === 0) return null;
  return (
    <Late part={handoverThreads} failed={failed}>
      {({ HandoverThreads }) => <HandoverThreads handovers={data} />}
    </Late>
  );
}

/** Distance from the top at which the next older page is loaded, in pixels. */
const LOAD_DISTANCE = 300;

/** Loads older messages near the top and keeps the scroll position. Returns the scroll listener. */
function useOlderPages(
  store: ChatStore,
  consultation: Consultation,
  firstKey: string | undefined,
): () => void {
  const anchor = useRef<{ element: Element; top: number } | null>(null);

  // The store notifies before React renders: the last moment to measure the old positions.
  useEffect(() => {
    let first = store.keys()[0];
    return store.subscribe(() => {
      const before = first;
      first = store.keys()[0];
      const list = store.scroll.current;
      if (!list || !before || before === first || !store.message(before)) return;
      const element = firstVisible(list);
      if (element) anchor.current = { element, top: element.getBoundingClientRect().top };
      // The browser's own scroll anchoring would correct the position a second time.
      list.style.setProperty('overflow-anchor', 'none');
    });
  }, [store]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: positions change when the first message changes
  useLayoutEffect(() => {
    const list = store.scroll.current;
    const saved = anchor.current;
    anchor.current = null;
    if (!list || !saved?.element.isConnected) return;
    list.scrollTop += saved.element.getBoundingClientRect().top - saved.top;
    const restore = () => list.style.removeProperty('overflow-anchor');
    const frame = requestAnimationFrame(restore);
    return () => {
      cancelAnimationFrame(frame);
      restore();
    };
  }, [firstKey]);

  const watch = useCallback(() => {
    const list = store.scroll.current;
    const { hasOlder, isLoadingOlder } = consultation.state$.value;
    if (list && list.scrollTop <= LOAD_DISTANCE && hasOlder && !isLoadingOlder) void consultation.loadOlder();
  }, [store, consultation]);

  // A page of short messages does not fill the list, so that nothing can be scrolled.
  // biome-ignore lint/correctness/useExhaustiveDependencies: checked after each page
  useEffect(() => {
    const list = store.scroll.current;
    if (list && firstKey && list.scrollHeight <= list.clientHeight) watch();
  }, [firstKey, watch]);
  return watch;
}

/** Looks for the group first: measuring a message that `content-visibility` has skipped would lay out its whole group. */
function firstVisible(list: HTMLElement): Element | undefined {
  const { top } = list.getBoundingClientRect();
  const isReached = (element: Element) => element.getBoundingClientRect().bottom > top;
  const groups = [...(list.firstElementChild?.children ?? [])].filter((child) => child.tagName === 'DIV');
  return [...(groups.find(isReached)?.querySelectorAll('article') ?? [])].find(isReached);
}

/** Distance from the end that still counts as being at the end, in pixels. */
const END_TOLERANCE = 24;
/** Distance between the upper edge and a message that was scrolled to, in pixels. */
const TOP_MARGIN = 12;

/** Number of frames for which a scroll target is held in place while skipped groups get their real height. */
const SETTLING_FRAMES = 20;

/**
 * Keeps a scrolling element at its end while it grows, unless the reader has scrolled up. `scrollToEnd$` always scrolls to the end, `scrollToMarked$`
 * to the first `[data-marked]` element. The first child of the element contains its content.
 */
function useStickToEnd(
  scroll: RefObject<HTMLElement | null>,
  scrollToEnd$: Subject<void>,
  scrollToMarked$: Subject<void>,
): { isAtEnd: boolean; goToEnd(): void } {
  const [isAtEnd, setIsAtEnd] = useState(true);
  const goToEnd = useCallback(() => {
    const element = scroll.current;
    if (element) element.scrollTop = element.scrollHeight;
  }, [scroll]);

  useEffect(() => {
    const element = scroll.current;
    const content = element?.firstElementChild;
    if (!element || !content) return;
    let isSticking = true;
    let lastTop = element.scrollTop;
    let settling = 0;
    const follow = () => {
      if (isSticking) element.scrollTop = element.scrollHeight;
    };
    const read = () => {
      const rest = element.scrollHeight - element.scrollTop - element.clientHeight;
      if (element.scrollTop < lastTop - 1 && rest > 1) isSticking = false;
      else if (rest < END_TOLERANCE) isSticking = true;
      lastTop = element.scrollTop;
      setIsAtEnd(isSticking || rest < END_TOLERANCE);
    };
    const growth = new ResizeObserver(follow);
    growth.observe(content);
    growth.observe(element);
    const gone = new AbortController();
    const { signal } = gone;
    element.addEventListener('scroll', read, { passive: true, signal });
    const endRequests = scrollToEnd$.subscribe(() => {
      cancelAnimationFrame(settling);
      isSticking = true;
      setIsAtEnd(true);
      follow();
    });
    const goToMarked = (frames: number) => {
      const marked = element.querySelector('[data-marked]');
      const distance = marked ? marked.getBoundingClientRect().top - element.getBoundingClientRect().top : 0;
      if (Math.abs(distance - TOP_MARGIN) > 1) element.scrollTop += distance - TOP_MARGIN;
      if (frames > 0) settling = requestAnimationFrame(() => goToMarked(frames - 1));
    };
    const markedRequests = scrollToMarked$.subscribe(() => {
      isSticking = false;
      cancelAnimationFrame(settling);
      settling = requestAnimationFrame(() => goToMarked(SETTLING_FRAMES));
    });
    const release = () => cancelAnimationFrame(settling);
    element.addEventListener('wheel', release, { passive: true, signal });
    element.addEventListener('pointerdown', release, { signal });
    follow();
    return () => {
      release();
      gone.abort();
      growth.disconnect();
      markedRequests.unsubscribe();
      endRequests.unsubscribe();
    };
  }, [scroll, scrollToEnd$, scrollToMarked$]);

  return { isAtEnd, goToEnd };
}
