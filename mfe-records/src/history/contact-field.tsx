import type { Contact } from 'api/contract/records';
import { Fault } from 'host/ui/fault.tsx';
import { Icon } from 'host/ui/icon.tsx';
import { useTexts } from 'host/ui/screen.tsx';
import { TextField } from 'host/ui/text-field.tsx';
import { historyTexts } from '../lib/texts.ts';
import { spacedId } from './filters/contact-label.ts';
import { useContacts } from './filters/use-contacts.ts';

interface ContactFieldProps {
  value: string;
  /** The contacts that match a typed name, if there are several. */
  choices: readonly Contact[] | undefined;
  /** Whether the contact is known and has records; then no suggestions are shown. */
  isSettled: boolean;
  onChange(contact: string): void;
}

const OFFERED = 6;

/** Chooses one contact, typed or selected. */
export function ContactField({ value, choices, isSettled, onChange }: ContactFieldProps) {
  const t = useTexts(historyTexts);
  const found = useContacts(value, OFFERED, !isSettled && !choices);
  const offered = choices ?? (isSettled ? [] : found.contacts);
  return (
    <div className="stack">
      <TextField
        label={t('erase.who')}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={120}
        value={value}
        onText={onChange}
      />
      {choices && <Fault>{t('erase.choices')}</Fault>}
      {offered.length > 0 && (
        <ul className="line wrap chips" aria-label={t('erase.recent')}>
          {offered.map(({ id, name }) => (
            <li key={id}>
              <button className="chip" type="button" onClick={() => onChange(id)}>
                <Icon name="user" />
                {name && name !== id ? `${name} ` : ''}
                <span className="num">{spacedId(id)}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
