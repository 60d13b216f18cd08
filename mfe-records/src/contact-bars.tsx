import { useId } from 'react';
import styles from './report.module.css';
import type { ReportWords } from './report-words.ts';
import type { ContactCount } from './tally.ts';

const SHOWN = 5;

/** For whom was asked: the first five, and how many more there are. */
export function ContactBars({ contacts, t, numbers }: ReportWords & { contacts: ContactCount[] }) {
  const titleId = useId();
  const shown = contacts.slice(0, SHOWN);
  const rest = contacts.slice(SHOWN);
  const most = shown[0]?.count ?? 1;
  return (
    <section className="section" aria-labelledby={titleId}>
      <div className="section-head">
        <h2 id={titleId}>{t('byContact')}</h2>
        {rest.length > 0 && <span className="quiet">{t('byContact.first', { count: SHOWN })}</span>}
      </div>
      <ul className={styles.hbars}>
        {shown.map(({ id, name, count }) => (
          <li key={id}>
            <span className={`clip ${styles.who}`}>{name || t('myself')}</span>
            <i style={{ width: `${(count / most) * 100}%` }} />
            <span>{numbers.format(count)}</span>
          </li>
        ))}
      </ul>
      {rest.length > 0 && (
        <p className={styles.rest}>
          {t('byContact.rest', {
            contacts: numbers.format(rest.length),
            count: numbers.format(rest.reduce((sum, { count }) => sum + count, 0)),
          })}
        </p>
      )}
    </section>
  );
}
