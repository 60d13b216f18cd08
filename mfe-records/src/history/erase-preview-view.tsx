import type { Deletion } from 'api/contract/deletions';
import type { Contact } from 'api/contract/records';
import type { FoundRecord } from 'api/contract/search';
import type { Translate } from 'host/contract';
import type { DateFormats } from 'host/ui/format-date.ts';
import { grouped } from 'host/ui/grouped.ts';
import { Icon } from 'host/ui/icon.tsx';
import shared from '../lib/dialog-parts.module.css';
import styles from './dialogs.module.css';
import { spacedId } from './filters/contact-label.ts';
import type { HistoryTexts } from './history-texts.ts';

interface ErasePreviewViewProps {
  deletion: Deletion;
  sample: FoundRecord[];
  contact: Contact | null;
  calendar: DateFormats;
  t: Translate<HistoryTexts>;
}

/** What will be deleted: counts, period, and the newest records. */
export function ErasePreviewView({ deletion, sample, contact, calendar, t }: ErasePreviewViewProps) {
  const { matched, preview } = deletion;
  const day = (iso: string) => calendar.day(new Date(iso));
  const first = preview?.firstAt ? day(preview.firstAt) : '';
  const last = preview?.lastAt ? day(preview.lastAt) : '';
  const rest = matched - sample.length;
  return (
    <>
      {contact && (
        <p className={styles.owner}>
          <Icon name="user" className="icon-s" />
          {contact.name && contact.name !== contact.id ? `${contact.name} ` : ''}
          <span className="num">{spacedId(contact.id)}</span>
        </p>
      )}
      <dl className={shared.what}>
        <div>
          <dt>{t('erase.records')}</dt>
          <dd>{grouped(matched)}</dd>
        </div>
        {preview && (
          <>
            <div>
              <dt>{t('erase.conversations')}</dt>
              <dd>{grouped(preview.conversations)}</dd>
            </div>
            <div>
              <dt>{t('erase.files')}</dt>
              <dd>{grouped(preview.files)}</dd>
            </div>
            {first && (
              <div>
                <dt>{t('erase.days')}</dt>
                <dd className={shared.span}>{first === last ? first : `${first}–${last}`}</dd>
              </div>
            )}
          </>
        )}
      </dl>
      {sample.length > 0 && (
        <ul className={styles.list} aria-label={t('erase.list')}>
          {sample.map(({ id, createdAt, question }) => (
            <li key={id}>
              <time dateTime={createdAt}>{day(createdAt)}</time>
              <span className="clip" dir="auto">
                {question}
              </span>
            </li>
          ))}
          {rest > 0 && first && (
            <li className="quiet">{t('erase.rest', { count: grouped(rest), day: first })}</li>
          )}
        </ul>
      )}
    </>
  );
}
