import { useQuery } from '@tanstack/react-query';
import type { Contact } from 'api/contract/records';
import type { Http } from 'host/contract';
import { Link } from 'react-router-dom';
import { contactAddress } from '../../lib/contact-address.ts';
import { contactLabel, spacedId } from './contact-label.ts';
import { ContactOptions } from './contact-options.tsx';
import { findContacts } from './contacts.ts';
import styles from './filter-bar.module.css';
import { FilterChip } from './filter-chip.tsx';
import type { FilterTranslate } from './filter-texts.ts';

interface ContactFilterChipProps {
  http: Http;
  t: FilterTranslate;
  /** A contact's id; '' for oneself, null for anyone. */
  contact: string | null;
  onChange(contact: string | null): void;
}

/** Filter chip for the contact. */
export function ContactFilterChip({ http, t, contact, onChange }: ContactFilterChipProps) {
  // The address contains only the id; the name is looked up.
  const { data: known } = useQuery({
    queryKey: ['contact', contact],
    queryFn: async ({ signal }) => {
      const found = await findContacts(http, contact ?? '', 20, signal);
      return found.find(({ id }) => id === contact) ?? null;
    },
    enabled: Boolean(contact),
  });

  return (
    <FilterChip
      icon="user"
      label={labelOf(contact, known, t)}
      isSet={contact !== null}
      title={t('contact.choose')}
      off={t('contact.off')}
      closeLabel={t('close')}
      opens="dialog"
      onOff={() => onChange(null)}
    >
      {(close) => (
        <>
          <ContactOptions
            http={http}
            t={t}
            contact={contact}
            onChoose={(chosen) => {
              close();
              onChange(chosen);
            }}
          />
          <Link className={styles.page} to={contactAddress(contact)}>
            {contact ? t('contact.page') : t('contact.manage')}
          </Link>
        </>
      )}
    </FilterChip>
  );
}

function labelOf(contact: string | null, known: Contact | null | undefined, t: FilterTranslate): string {
  if (contact === null) return t('contact.any');
  if (contact === '') return t('myself');
  if (!known?.name || known.name === contact) return spacedId(contact);
  return `${contactLabel(known)} ${spacedId(contact)}`;
}
