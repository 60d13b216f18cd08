import { Segments } from 'host/ui/segments.tsx';
import { useStream } from 'host/ui/use-stream.ts';
import { useEffect, useRef } from 'react';
import { useChat } from '../state/chat-context.ts';
import styles from './recipient-switch.module.css';
import { useHandovers } from './use-handovers.ts';

/** Above the text field while a person is asked: to whom it writes. Renders nothing otherwise. */
export function RecipientSwitch() {
  const { services, chat, t } = useChat();
  const { recipient } = chat;
  const open = useHandovers().data?.find(({ state }) => state !== 'closed');
  useEffect(() => recipient.follow(open), [recipient, open]);
  const person = useStream(recipient.person$);
  const desk = services.desk?.name || t('desk');
  const name = person?.name || t('person');
  const isToPerson = person?.isChosen === true;
  // A reply is announced itself.
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

/** Says who gets the text whenever that changes, for screen readers; not when a conversation is opened. */
function useAnnouncement(isOpen: boolean, isToPerson: boolean, text: string): void {
  const { announced$ } = useChat().chat.handovers;
  const before = useRef({ isOpen, isToPerson });
  useEffect(() => {
    const { current } = before;
    if (current.isToPerson !== isToPerson && (current.isOpen || !isToPerson) && text) announced$.next(text);
    before.current = { isOpen, isToPerson };
  }, [announced$, isOpen, isToPerson, text]);
}
