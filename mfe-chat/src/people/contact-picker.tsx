import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { ContactSearch } from 'api/contract/contacts';
import type { Contact } from 'api/contract/records';
import type { ContactPage } from 'api/contract/search';
import { Button } from 'host/ui/button.tsx';
import { Icon } from 'host/ui/icon.tsx';
import { IconButton } from 'host/ui/icon-button.tsx';
import { Popover } from 'host/ui/popover.tsx';
import { pause } from 'host/ui/queries.ts';
import { useCombobox } from 'host/ui/use-combobox.ts';
import { type FormEvent, useId, useState } from 'react';
import { useChat } from '../state/chat-context.ts';
import type { ChosenContact } from '../state/contact-choice.ts';
import { ContactId } from './contact-label.tsx';
import styles from './contact-picker.module.css';

/** Maximum length of contact and name in UTF-16 units, as in the API. */
const MAX_CONTACT = 120;
/** Pause in typing before the search, in milliseconds. */
const SEARCH_DELAY_MS = 200;

export interface ContactPickerProps {
  anchor: HTMLElement;
  chosen: ChosenContact | null;
  /** The contact was chosen for the next question only. */
  isOnce: boolean;
  onChoose(contact: ChosenContact | null, isOnce: boolean): void;
  onClose(): void;
}

/**
 * Chooses the contact of the next question: oneself, an earlier contact (most recently used first), or a new one by typing. Arrow keys move
 * in the list; Enter chooses the active option, or the typed text.
 */
export function ContactPicker({ anchor, chosen, isOnce, onChoose, onClose }: ContactPickerProps) {
  const { t, services } = useChat();
  const id = useId();
  const [text, setText] = useState('');
  const [name, setName] = useState('');
  const [isForOnce, setIsForOnce] = useState(isOnce);
  const choose = (contact: ChosenContact | null) => onChoose(contact, isForOnce);
  const { data: contacts = [], error } = useContacts(text.trim());
  const typed = text.trim();
  const options: readonly (Contact | null)[] = typed ? contacts : [null, ...contacts];
  const length = Math.max(typed.length, name.trim().length);
  const isTooLong = length > MAX_CONTACT;
  const isNew = typed !== '' && !contacts.some((contact) => contact.id === typed);

  const combobox = useCombobox({
    count: options.length,
    startsAt: -1,
    onChoose: (index) => choose(options[index] ?? null),
  });
  const submit = () => {
    const option = options[combobox.active];
    if (option !== undefined) choose(option);
    else if (typed && !isTooLong)
      choose(contactWithId(contacts, typed) ?? { id: typed, name: name.trim(), isNew: true });
  };
  return (
    <Popover
      anchor={anchor}
      role="dialog"
      label={t('contactDialog')}
      className={`popover ${styles.card}`}
      skidding={-16}
      isSticky
      onClose={onClose}
    >
      <form
        className="stack"
        onSubmit={(event: FormEvent) => {
          event.preventDefault();
          submit();
        }}
      >
        <header className="line spread">
          <b>{t('contactDialog')}</b>
          <IconButton icon="close" label={t('close')} isSmall onClick={onClose} />
        </header>
        <input
          className="input"
          {...combobox.field}
          aria-label={t('contactField')}
          placeholder={t('contactField')}
          aria-invalid={isTooLong}
          aria-describedby={`${id}-note`}
          data-focus-first
          value={text}
          onChange={(event) => {
            setText(event.currentTarget.value);
            combobox.reset();
          }}
        />
        {options.length > 0 && (
          <div {...combobox.list(t('contacts'))} className={styles.list}>
            {options.map((option, at) => (
              <div
                key={option?.id ?? ''}
                {...combobox.option(at, option?.id === chosen?.id)}
                data-active={at === combobox.active || undefined}
              >
                <Option contact={option} />
                {option?.id === chosen?.id && <Icon name="check" />}
              </div>
            ))}
          </div>
        )}
        <label className={`choice type-small ${styles.once}`}>
          <input
            className="check"
            type="checkbox"
            checked={isForOnce}
            onChange={(event) => setIsForOnce(event.currentTarget.checked)}
          />
          {t('contactOnce')}
        </label>
        {isNew && (
          <>
            <input
              className="input"
              aria-label={t('contactName')}
              placeholder={t('contactName')}
              autoComplete="off"
              value={name}
              onChange={(event) => setName(event.currentTarget.value)}
            />
            <Button look="primary" label={t('useContact')} type="submit" isOff={isTooLong} />
          </>
        )}
        <p
          id={`${id}-note`}
          className={`${styles.note} ${isTooLong ? 'ink-error' : ''}`}
          role={isTooLong || error ? 'alert' : undefined}
        >
          {isTooLong
            ? t('contactTooLong', { count: length.toLocaleString(services.i18n.locale()) })
            : error && t('contactsFailed')}
        </p>
      </form>
    </Popover>
  );
}

function Option({ contact }: { contact: Contact | null }) {
  const { t } = useChat();
  if (!contact) return <span className="clip">{t('myself')}</span>;
  return (
    <>
      {contact.name && <bdi className="clip">{contact.name}</bdi>}
      <ContactId id={contact.id} className={`clip ${contact.name ? styles.id : ''}`} />
    </>
  );
}

function contactWithId(contacts: readonly Contact[], typed: string): Contact | undefined {
  return contacts.find(({ id }) => id === typed);
}

/** The owner's contacts that match the typed text; the previous ones stay until they are loaded. */
function useContacts(q: string) {
  const { services, chat } = useChat();
  return useQuery(
    {
      queryKey: ['contacts', q],
      async queryFn({ signal }) {
        if (q) await pause(SEARCH_DELAY_MS, signal);
        const body: ContactSearch = { limit: 20, ...(q && { q: q.slice(0, MAX_CONTACT) }) };
        const { data } = await services.http.post<ContactPage>('/api/contacts/search', body, { signal });
        return data.contacts;
      },
      placeholderData: keepPreviousData,
    },
    chat.queries,
  );
}
