import type { Contact } from 'api/contract/records';
import type { Translate } from 'host/contract';
import { Button } from 'host/ui/button.tsx';
import { Icon } from 'host/ui/icon.tsx';
import { useTexts } from 'host/ui/screen.tsx';
import { useCombobox } from 'host/ui/use-combobox.ts';
import { useState } from 'react';
import { type FilterTexts, filterTexts } from '../../lib/texts.ts';
import { contactLabel, spacedId } from './contact-label.ts';
import styles from './filter-bar.module.css';
import { useContacts } from './use-contacts.ts';

const LIMIT = 50;

interface ContactOptionsProps {
  contact: string | null;
  onChoose(contact: string | null): void;
}

interface Option {
  id: string | null;
  name: string;
  note: string;
}

/** A combobox of the visitor's contacts, most recently used first: arrow keys select, Enter chooses. */
export function ContactOptions({ contact, onChoose }: ContactOptionsProps) {
  const t = useTexts(filterTexts);
  const [typed, setTyped] = useState('');
  const { query, contacts, error, isFetching, refetch } = useContacts(typed, LIMIT);
  const options = optionsOf(contacts, query, t);
  const combobox = useCombobox({
    count: options.length,
    startsAt: 0,
    onChoose: (index) => onChoose(options[index]?.id ?? null),
  });

  return (
    <div className={styles.picker}>
      <label className="search">
        <span className="sr">{t('contact.find')}</span>
        <Icon name="search" />
        <input
          className="input"
          {...combobox.field}
          spellCheck={false}
          maxLength={120}
          placeholder={t('contact.find')}
          value={typed}
          data-focus-first
          onChange={({ target }) => {
            setTyped(target.value);
            combobox.reset();
          }}
        />
      </label>
      <div {...combobox.list(t('contact.list'))} className={styles.options}>
        {options.map((option, index) => (
          <div
            key={option.id ?? 'anyone'}
            {...combobox.option(index)}
            aria-current={option.id === contact || undefined}
            onPointerMove={() => combobox.setActive(index)}
          >
            <span className="clip">{option.name}</span>
            {option.note && <span className="clip num type-small ink-2">{option.note}</span>}
            {option.id === contact && <Icon name="check" />}
          </div>
        ))}
      </div>
      <p className={styles.status} role="status">
        {error ? t('contact.failed') : statusText(options.length, query, isFetching, t)}
        {error && <Button look="small" label={t('retry')} onClick={() => void refetch()} />}
      </p>
    </div>
  );
}

/** Everyone and oneself, if they match, then the contacts found. */
function optionsOf(contacts: Contact[], query: string, t: Translate<FilterTexts>): Option[] {
  const fixed: Option[] = [
    { id: null, name: t('contact.anyone'), note: '' },
    { id: '', name: t('myself'), note: '' },
  ];
  const isTyped = ({ name }: Option) => !query || name.toLowerCase().includes(query.toLowerCase());
  const found = contacts.map((contact) => ({
    id: contact.id,
    name: contactLabel(contact),
    note: contact.name && contact.name !== contact.id ? spacedId(contact.id) : '',
  }));
  return [...fixed.filter(isTyped), ...found];
}

function statusText(count: number, query: string, isLoading: boolean, t: Translate<FilterTexts>): string {
  if (isLoading) return '';
  if (query && count === 0) return t('contact.none');
  return !query && count === 2 ? t('contact.empty') : '';
}
