import { Button } from 'host/ui/button.tsx';
import { Icon } from 'host/ui/icon.tsx';
import { useStream } from 'host/ui/use-stream.ts';
import { useEffect, useReducer, useRef, useState } from 'react';
import { merge } from 'rxjs';
import { useChat } from '../state/chat-context.ts';
import type { ChosenContact } from '../state/contact-choice.ts';
import { useConversations } from '../state/conversations.ts';
import { lateDialog } from '../state/late-dialog.tsx';
import styles from './contact-chip.module.css';
import { ContactId } from './contact-label.tsx';

export const ContactPicker = lateDialog(
  async () => (await import(/* webpackChunkName: "picker" */ './contact-picker.tsx')).ContactPicker,
  { isCard: true },
);

/** Button in the header that shows and changes the contact of the next question. */
export function ContactChip() {
  const { t, chat } = useChat();
  const contact = useNextContact();
  const { conversationId } = useStream(chat.consultation.state$);
  const button = useRef<HTMLButtonElement>(null);
  const [isOpen, setIsOpen] = useState(false);
  const close = () => setIsOpen(false);
  const backTo = chat.choice.backTo(conversationId);
  const isOnce = backTo !== undefined;
  const choose = (chosen: ChosenContact | null, isForOnce: boolean) => {
    close();
    const former = isOnce ? backTo : (contact ?? null);
    chat.choice.choose(conversationId, chosen, isForOnce ? former : undefined);
  };

  if (contact === undefined)
    return <span className={`skeleton-line ${styles.skeleton}`} aria-hidden="true" />;
  return (
    <>
      <button
        ref={button}
        className={styles.chip}
        type="button"
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        aria-label={
          (contact ? t('changeContact', { who: nameAndId(contact) }) : t('changeFromMyself')) +
          (isOnce ? t('contactOnceLabel') : '')
        }
        data-chosen={contact !== null || undefined}
        onClick={() => setIsOpen(!isOpen)}
      >
        <Icon name="user" />
        {contact ? (
          <span className="clip">
            {contact.name && (
              <>
                <bdi>{contact.name}</bdi>{' '}
              </>
            )}
            <ContactId id={contact.id} className={contact.name ? styles.id : undefined} />
          </span>
        ) : (
          <span className="clip">{t('forMyself')}</span>
        )}
        {isOnce && <span className={styles.once}>{t('contactOnceTag')}</span>}
        <Icon name="chevron" />
      </button>
      {isOpen && button.current && (
        <ContactPicker
          anchor={button.current}
          chosen={contact}
          isOnce={isOnce}
          onChoose={choose}
          onClose={close}
        />
      )}
    </>
  );
}

/** In an empty new conversation: says for whom the question will be recorded, as the contact may have been chosen some time ago. */
export function NewQuestionContact() {
  const { t, chat } = useChat();
  const contact = useNextContact();
  if (!contact) return null;
  return (
    <p className={styles.note}>
      <span>{t('recordedFor', { who: nameAndId(contact) })}</span>
      <Button look="small" label={t('askForMyself')} onClick={() => chat.choice.choose(null, null)} />
    </p>
  );
}

function nameAndId({ name, id }: ChosenContact): string {
  return [name, id].filter(Boolean).join(' ');
}

/** The chosen contact, or else the contact of the conversation; undefined while that is loading. */
function useNextContact(): ChosenContact | null | undefined {
  const { services, chat } = useChat();
  const { conversationId, contact, phase } = useStream(chat.consultation.state$);
  const { conversations } = useConversations(chat.conversations);
  const [, refresh] = useReducer((times: number) => times + 1, 0);
  useEffect(() => {
    const subscription = merge(chat.choice.changed$, services.storage.owner$).subscribe(refresh);
    return () => subscription.unsubscribe();
  }, [chat, services]);

  const chosen = chat.choice.read(conversationId);
  if (chosen !== undefined) return chosen;
  if (conversationId === null || phase === 'ready') return contact;
  return phase === 'loading' ? conversations.find(({ id }) => id === conversationId)?.contact : null;
}
