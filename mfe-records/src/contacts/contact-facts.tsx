import type { ContactDetails } from 'api/contract/contacts';
import type { DateFormats } from 'host/ui/format-date.ts';
import { grouped } from 'host/ui/grouped.ts';
import { Link } from 'react-router-dom';
import { spacedId } from '../history/filters/contact-label.ts';
import { addressOf, EVERYTHING } from '../history/filters/filter.ts';
import styles from './contact-page.module.css';
import type { ContactTranslate } from './contact-texts.ts';

interface ContactFactsProps {
  contact: ContactDetails;
  calendar: DateFormats;
  t: ContactTranslate;
}

/** The id of a contact, as a link if it can be called or written to, and its figures. */
export function ContactFacts({ contact, calendar, t }: ContactFactsProps) {
  const { id, recordCount, conversationCount, firstAskedAt, lastAskedAt } = contact;
  const reach = reachAddress(id);
  const day = (at: string) => <time dateTime={at}>{calendar.day(new Date(at))}</time>;
  return (
    <section className={`section ${styles.facts}`} aria-label={t('contact.facts')}>
      <p className={`num ${styles.contactId}`} dir="auto">
        {reach ? (
          <a href={reach.href} aria-label={t(`contact.${reach.kind}`, { id: spacedId(id) })}>
            {spacedId(id)}
          </a>
        ) : (
          id
        )}
      </p>
      <dl>
        <div>
          <dt>{t('contact.records')}</dt>
          <dd className={styles.figure}>
            <Link to={addressOf('/history', { ...EVERYTHING, contact: id })}>{grouped(recordCount)}</Link>
          </dd>
        </div>
        <div>
          <dt>{t('contact.conversations')}</dt>
          <dd className={styles.figure}>{grouped(conversationCount)}</dd>
        </div>
        <div>
          <dt>{t('contact.first')}</dt>
          <dd>{day(firstAskedAt)}</dd>
        </div>
        <div>
          <dt>{t('contact.last')}</dt>
          <dd>{day(lastAskedAt)}</dd>
        </div>
      </dl>
    </section>
  );
}

/** The address to call or write to, if the id is a phone number or an e-mail address. */
function reachAddress(id: string): { kind: 'call' | 'write'; href: string } | undefined {
  if (/^\+?\d{5,20}$/.test(id)) return { kind: 'call', href: `tel:${id}` };
  if (/^[\w.!#$%&'*+/=^`{|}~-]+@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+$/u.test(id))
    return { kind: 'write', href: `mailto:${encodeURIComponent(id).replace('%40', '@')}` };
  return undefined;
}
