import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { Contact } from 'api/contract/records';
import type { Http } from 'host/contract';
import { Fault } from 'host/ui/fault.tsx';
import { pause } from 'host/ui/queries.ts';
import { useCombobox } from 'host/ui/use-combobox.ts';
import { useState } from 'react';
import { asContactQuery, contactLabel, hasText, spacedId } from '../history/filters/contact-label.ts';
import { findContacts } from '../history/filters/contacts.ts';
import styles from './contact-page.module.css';
import type { ContactTranslate } from './contact-texts.ts';

interface ContactComboboxProps {
  http: Http;
  inputId: string;
  /** Id of a contact that cannot be chosen. */
  except: string;
  chosen: Contact | null;
  t: ContactTranslate;
  /** null: the text was changed after a choice. */
  onChoose(contact: Contact | null): void;
}

const OFFERED = 20;
const TYPING_MS = 150;

/** A field that finds contacts by number, e-mail or name; arrow keys select, Enter chooses. */
export function ContactCombobox({ http, inputId, except, chosen, t, onChoose }: ContactComboboxProps) {
  const [typed, setTyped] = useState('');
  const query = asContactQuery(typed);
  const { data, error, isFetching, isPlaceholderData } = useQuery({
    queryKey: ['merge contacts', query],
    queryFn: async ({ signal }) => {
      if (query) await pause(TYPING_MS, signal);
      return findContacts(http, query, OFFERED, signal);
    },
    enabled: chosen === null,
    placeholderData: keepPreviousData,
  });
  // While new contacts are loading, the previous ones are filtered: Enter must not choose one that was not typed.
  const offered = (data ?? []).filter((contact) => !isPlaceholderData || hasText(contact, query));
  const options = chosen ? [] : offered.filter(({ id }) => id !== except);
  const combobox = useCombobox({
    count: options.length,
    startsAt: 0,
    onChoose(index) {
      const option = options[index];
      if (!option) return;
      setTyped(optionText(option));
      onChoose(option);
    },
  });
  return (
    <div className={styles.combobox}>
      <div className="field">
        <label htmlFor={inputId}>{t('merge.find')}</label>
        <input
          className="input"
          {...combobox.field}
          id={inputId}
          spellCheck={false}
          maxLength={250}
          value={typed}
          onChange={({ target }) => {
            setTyped(target.value);
            combobox.reset();
            if (chosen) onChoose(null);
          }}
        />
      </div>
      <div {...combobox.list(t('merge.list'))} className={styles.options} hidden={options.length === 0}>
        {options.map((option, index) => (
          <div
            key={option.id}
            {...combobox.option(index)}
            className={styles.option}
            onPointerMove={() => combobox.setActive(index)}
          >
            <span className="clip">{contactLabel(option)}</span>
            {option.name && option.name !== option.id && (
              <span className={`clip num ${styles.id}`}>{spacedId(option.id)}</span>
            )}
          </div>
        ))}
      </div>
      {error && <Fault>{error.message}</Fault>}
      {!chosen && !isFetching && !error && options.length === 0 && (
        <p className="field-note" role="status">
          {t('merge.none')}
        </p>
      )}
    </div>
  );
}

function optionText(contact: Contact): string {
  const { id, name } = contact;
  return name && name !== id ? `${name} ${spacedId(id)}` : spacedId(id);
}
