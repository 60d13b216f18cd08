import type { Contact } from 'api/contract/records';
import { Icon } from 'host/ui/icon.tsx';
import { focusPart } from 'host/ui/move-focus.ts';
import { ContactId, nameOf } from '../people/contact-label.tsx';
import { useChat } from '../state/chat-context.ts';
import styles from './message.module.css';

interface AmbiguousContactProps {
  messageKey: string;
  choices: readonly Contact[];
}

/** The contact's name was ambiguous and the question not sent: choosing a contact sends it. */
export function AmbiguousContact({ messageKey, choices }: AmbiguousContactProps) {
  const { t, chat } = useChat();
  return (
    <div className={styles.which} role="alert">
      <p className={styles.note}>
        <Icon name="user" />
        <span>{t('ambiguous', { name: choices[0] ? nameOf(choices[0]) : '' })}</span>
      </p>
      <ul aria-label={t('contacts')}>
        {choices.map((contact) => (
          <li key={contact.id}>
            <button
              className="button small"
              type="button"
              onClick={({ currentTarget }) => {
                focusPart(currentTarget, 'article');
                chat.consultation.retry(messageKey, contact);
              }}
            >
              {contact.name && <bdi className="clip">{contact.name}</bdi>}
              <ContactId id={contact.id} className="clip" />
            </button>
          </li>
        ))}
        <li>
          <button
            className="button small bare"
            type="button"
            onClick={() => chat.consultation.takeBack(messageKey)}
          >
            {t('takeBack')}
          </button>
        </li>
      </ul>
    </div>
  );
}
