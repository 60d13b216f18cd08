import type { Contact } from 'api/contract/records';
import styles from './contact-label.module.css';

/** Display name of a contact: its name, or else its id. */
export function nameOf({ id, name }: Contact): string {
  return name || id;
}

/** The display name as an element. */
export function ContactName({ contact }: { contact: Contact }) {
  return contact.name ? <bdi>{contact.name}</bdi> : <ContactId id={contact.id} />;
}

/** An id in readable form: a mobile number in groups of 3, 4 and 4. The gaps are CSS, so that copied text has none. */
export function ContactId({ id, className }: { id: string; className?: string | undefined }) {
  const groups = /^(1\d{2})(\d{4})(\d{4})$/.exec(id)?.slice(1) ?? [id];
  return (
    <bdi className={`num ${className ?? ''}`}>
      {groups.map((group, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the groups of a number never move
        <span key={at} className={at > 0 ? styles.group : undefined}>
          {group}
        </span>
      ))}
    </bdi>
  );
}
