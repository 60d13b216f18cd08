import { Segments } from 'host/ui/segments.tsx';
import { useStream } from 'host/ui/use-stream.ts';
import { useEffect, useRef } from 'react';
import { useChat } from '../state/chat-context.ts';
import styles from './recipient-switch.module.css';
import { useHandovers } from './use-handovers.ts';

/** Switch above the text field that chooses between the desk and the person who was asked. Nothing without an open request. */
export function RecipientSwitch() {
  const { services, chat, t } = useChat();
  const { recipient } = chat;
  const open = useHandovers().data?.find(({ state }) => state !== 'closed');
  useEffect(() => recipient.follow(open), [recipient, open]);
  const person = useStream(recipient.person$);
  const desk = services.desk?.name || t('desk');
  const name = person?.name || t('person');
  const isToPerson = person?.isChosen === true;
  // The reply itself is announced elsewhere.
  const isReply = open?.state === 'answered';
  useAnnouncement(
    person !== null,
    isToPerson,
    isReply ? '' : t('writesTo', { name: isToPerson ? name : desk }),
  );
  if (!person) return null;
  return (
    <div className={styles.to} data-recipient>
      <span aria-hidden="true">{t('to')}</span>
      <Segments
        label={t('to')}
        value={isToPerson ? 'person' : 'desk'}
        choices={[
          { value: 'desk', label: desk },
          { value: 'person', label: name },
        ]}
        onChange={recipient.choose}
      />
      {isToPerson && person.failure && (
        <p className={styles.failure} role="alert">
          {person.failure}
        </p>
      )}
    </div>
  );
}

/** Announces to screen readers who receives the text when that changes, but not when a conversation is opened. */
function useAnnouncement(isOpen: boolean, isToPerson: boolean, text: string): void {
  const { announced$ } = useChat().chat.handovers;
  const before = useRef({ isOpen, isToPerson });
  useEffect(() => {
    const { current } = before;
    if (current.isToPerson !== isToPerson && (current.isOpen || !isToPerson) && text) announced$.next(text);
    before.current = { isOpen, isToPerson };
  }, [announced$, isOpen, isToPerson, text]);
}
