import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { Contact } from 'api/contract/records';
import { Fault } from 'host/ui/fault.tsx';
import { Icon } from 'host/ui/icon.tsx';
import { pause } from 'host/ui/queries.ts';
import { useTexts } from 'host/ui/screen.tsx';
import { TextField } from 'host/ui/text-field.tsx';
import { useServices } from '../lib/services.ts';
import { historyTexts } from '../lib/texts.ts';
import { asContactQuery, findContacts, spacedId } from './filters/contact-label.ts';

interface ContactFieldProps {
  value: string;
  /** The contacts that match a typed name, if there are several. */
  choices: readonly Contact[] | undefined;
  /** The contact is known and has records: no suggestions are shown. */
  isSettled: boolean;
  onChange(contact: string): void;
}

const OFFERED = 6;
const TYPING_MS = 150;

/** Chooses one contact, typed or selected. */
export function ContactField({ value, choices, isSettled, onChange }: ContactFieldProps) {
  const t = useTexts(historyTexts);
  const { http } = useServices();
  const query = asContactQuery(value);
  const found = useQuery({
    queryKey: ['contacts', query, OFFERED],
    queryFn: async ({ signal }) => {
      if (value) await pause(TYPING_MS, signal);
      return findContacts(http, query, OFFERED, signal);
    },
    enabled: !isSettled && !choices,
    placeholderData: keepPreviousData,
  });
  const offered = choices ?? (isSettled ? [] : (found.data ?? []));
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
