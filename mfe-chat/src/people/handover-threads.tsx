import type { Handover } from 'api/contract/handover';
import { Button } from 'host/ui/button.tsx';
import { formatClock, formatDay } from 'host/ui/format-date.ts';
import { Icon } from 'host/ui/icon.tsx';
import { NotificationButton } from 'host/ui/notification-button.tsx';
import { useAction } from 'host/ui/use-action.ts';
import { type FocusEvent, useLayoutEffect, useRef, useState } from 'react';
import { useChat, usePartTexts } from '../state/chat-context.ts';
import { type HandoverTranslate, handoverTexts } from '../state/part-texts.ts';
import { readReplyDraft, saveReplyDraft } from '../state/recipient.ts';
import { AskPersonDialog } from './ask-person-dialog.tsx';
import styles from './handover-threads.module.css';

/** All threads of the shown conversation, oldest first. */
export function HandoverThreads({ handovers }: { handovers: readonly Handover[] }) {
  return (
    // A section without a label is not a landmark.
    <section className={styles.threads}>
      {handovers.map((handover, index) => (
        <HandoverThread key={handover.id} handover={handover} isLatest={index === handovers.length - 1} />
      ))}
    </section>
  );
}

/** A request for a person with all its messages. Closed ones are folded once the conversation has continued. */
function HandoverThread({ handover, isLatest }: { handover: Handover; isLatest: boolean }) {
  const { chat } = useChat();
  const t = usePartTexts(handoverTexts);
  const isClosed = handover.state === 'closed';
  const card = useFocusAfterClosing(isClosed);
  const [isUnfolded] = useState(() => {
    const since = chat.store.chatList.at(-1)?.createdAt ?? '';
    return !isClosed || (isLatest && handover.updatedAt > since);
  });
  const head = (
    <>
      <Icon name="user" isSmall />
      <b>{t('thread')}</b>
      <span className={styles.state} data-state={handover.state}>
        {stateText(handover, t)}
      </span>
    </>
  );
  const body = (
    <>
      <ThreadMessages handover={handover} />
      {isClosed && isLatest && <AskAgain handover={handover} />}
      {!isClosed && <NotificationButton label={t('notify')} />}
    </>
  );
  return (
    <article {...card} className={styles.thread} aria-label={t('thread')} tabIndex={-1}>
      {isClosed ? (
        <details open={isUnfolded}>
          <summary className={styles.head}>
            {head}
            <Icon name="chevron" isSmall />
          </summary>
          {body}
        </details>
      ) : (
        <>
          <header className={styles.head}>
            {head}
            <EndButton handover={handover} />
          </header>
          {body}
        </>
      )}
    </article>
  );
}

/** The question and all messages, oldest first: plain text with its line breaks. */
function ThreadMessages({ handover }: { handover: Handover }) {
  const t = usePartTexts(handoverTexts);
  const { id, question, contactDetails, createdAt, messages } = handover;
  const asked = { id, from: 'visitor' as const, name: '', text: question, createdAt };
  return (
    <ol className={`stack gap-s3 ${styles.messages}`}>
      {[asked, ...messages].map(({ id: key, from, name, text, createdAt: at }) => (
        <li key={key} data-from={from}>
          <div className={styles.meta}>
            {from === 'agent' ? (
              <>
                <b dir="auto">{name}</b>
                <span className={styles.tag}>{t('person')}</span>
              </>
            ) : (
              <span>{t('me')}</span>
            )}
            <Time at={at} />
          </div>
          <p className={`type-read verbatim ${styles.text}`} dir="auto">
            {text}
          </p>
          {key === id && contactDetails && (
            <p className={styles.contact}>{t('contactShown', { details: contactDetails })}</p>
          )}
        </li>
      ))}
    </ol>
  );
}

/** The time of a message, and its day unless that is today. */
function Time({ at }: { at: string }) {
  const { services } = useChat();
  const locale = services.i18n.locale();
  const now = new Date();
  const isToday = new Date(at).toDateString() === now.toDateString();
  return (
    <time dateTime={at}>
      {!isToday && `${formatDay(at, locale, now)} `}
      {formatClock(at, locale)}
    </time>
  );
}

function EndButton({ handover }: { handover: Handover }) {
  const { services, chat } = useChat();
  const t = usePartTexts(handoverTexts);
  const { isBusy, run } = useAction({ toasts: services.toasts });
  const end = () =>
    run(async () => {
      await chat.handovers.close(handover.id);
      chat.handovers.announced$.next(t('ended'));
    });
  return (
    <Button look="small bare" label={t('endShort')} aria-label={t('end')} isOff={isBusy} onClick={end} />
  );
}

/** Moves the focus to the card if its button had it and disappears because the thread is closed. */
function useFocusAfterClosing(isClosed: boolean) {
  const card = useRef<HTMLElement>(null);
  const hadFocus = useRef(false);
  const wasClosed = useRef(isClosed);
  useLayoutEffect(() => {
    const isNew = isClosed && !wasClosed.current;
    wasClosed.current = isClosed;
    if (isNew && hadFocus.current && document.activeElement === document.body)
      card.current?.focus({ preventScroll: true });
  }, [isClosed]);
  return {
    ref: card,
    onFocus() {
      hadFocus.current = true;
    },
    onBlur({ currentTarget, relatedTarget }: FocusEvent) {
      // If no other element gets the focus, the focused one may have been removed.
      if (relatedTarget && !currentTarget.contains(relatedTarget)) hadFocus.current = false;
    },
  };
}

function stateText({ state, agent, messages }: Handover, t: HandoverTranslate): string {
  const name = agent ?? messages.findLast(({ from }) => from === 'agent')?.name ?? '';
  if (state === 'answered' && !name) return t('answeredByPerson');
  if (state === 'assigned') return t('assigned', { name });
  return t(state, { name });
}

/** The end of a closed thread: says that one can ask again, and shows a message that was not sent before it was closed. */
function AskAgain({ handover: { id } }: { handover: Handover }) {
  const { services } = useChat();
  const t = usePartTexts(handoverTexts);
  const [isOpen, setIsOpen] = useState(false);
  const unsent = readReplyDraft(services.storage, id).text.trim();
  if (!unsent) return <p className="mt-s3 type-small quiet">{t('closedHint')}</p>;
  return (
    <div className={`mt-s3 type-small quiet ${styles.again}`}>
      <p>{t('unsent')}</p>
      <blockquote dir="auto">{unsent}</blockquote>
      <Button look="small" label={t('askAgain')} onClick={() => setIsOpen(true)} />
      {isOpen && (
        <AskPersonDialog
          subject={{ question: unsent }}
          onAsked={() => saveReplyDraft(services.storage, id, '')}
          onClose={() => setIsOpen(false)}
        />
      )}
    </div>
  );
}
