import type { Contact } from 'api/contract/records';
import styles from './contact-label.module.css';

/** What a contact is called: by its name, else by its id. */
export function nameOf({ id, name }: Contact): string {
  return name || id;
}

/** The same on the screen. */
export function ContactName({ contact }: { contact: Contact }) {
  return contact.name ? <bdi>{contact.name}</bdi> : <ContactId id={contact.id} />;
}

/** An id as it is read aloud: a mobile number in groups of 3, 4 and 4. The gaps are for the eye alone. */
export function ContactId({ id, className }: { id: string; className?: string | undefined }) {
  const groups = /^(1\d{2})(\d{4})(\d{4})$/.exec(id)?.slice(1) ?? [id];
  return (
    <bdi className={`num ${className ?? ''}`}>
      {groups.map((group, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a number's groups have no other name
        <span key={at} className={at > 0 ? styles.group : undefined}>
          {group}
        </span>
      ))}
    </bdi>
  );
}
