import type { Contact, DeskRecord } from 'api/contract/records';
import { answererOf } from '../answerer-of.ts';
import { contactLabel, spacedId } from '../filters/contact-label.ts';
import { dayIn } from '../filters/days.ts';
import { timeZone } from '../filters/filter.ts';
import { plainExcerpt } from '../plain-excerpt.ts';
import { maskContact } from './mask-contact.ts';
import styles from './preview.module.css';
import type { ReportTexts } from './report-texts.ts';

const LINE = 160;

interface PreviewRecordsProps extends ReportTexts {
  /** The newest records. */
  records: DeskRecord[];
  /** Number of all records. */
  total: number;
  title: string;
  mask: boolean;
  questionsOnly: boolean;
  locale: string;
}

/** The page after the title page: the first records grouped by day. */
export function PreviewRecords({
  records,
  total,
  title,
  mask,
  questionsOnly,
  locale,
  t,
  days,
  numbers,
}: PreviewRecordsProps) {
  const dayOf = (record: DeskRecord) => dayIn(timeZone(), new Date(record.createdAt));
  return (
    <div className={styles.page} role="img" aria-label={t('preview.second')}>
      <div className={styles.inside} aria-hidden="true">
        <p className={styles.head}>
          <span className="clip">{title}</span>
          <span>{t('preview.brand')}</span>
        </p>
        <div className={styles.records}>
          {records.map((record, index) => {
            const isNewDay = index === 0 || dayOf(record) !== dayOf(records[index - 1]!);
            return (
              <div key={record.id}>
                {isNewDay && <p className={styles.day}>{days.day(dayOf(record))}</p>}
                <PageRecord number={index + 1} {...{ record, mask, questionsOnly, locale, t }} />
              </div>
            );
          })}
          {total > records.length && records.length > 0 && (
            <p className={styles.quiet}>
              {t('preview.more', { count: numbers.format(total - records.length) })}
            </p>
          )}
        </div>
      </div>
    </div>
  );
}

interface PageRecordProps extends Pick<PreviewRecordsProps, 'mask' | 'questionsOnly' | 'locale' | 't'> {
  record: DeskRecord;
  number: number;
}

function PageRecord({ record, number, mask, questionsOnly, locale, t }: PageRecordProps) {
  const { question, answer, contact, citations, createdAt } = record;
  const clock = new Intl.DateTimeFormat(locale, { timeStyle: 'short', hourCycle: 'h23' });
  const [first] = citations;
  return (
    <>
      <b>
        {number}. {shorten(question)}
      </b>
      <span className={styles.quiet}>
        {[clock.format(new Date(createdAt)), whom(contact, mask, t), t(`source.${answererOf(record)}`)].join(
          t('joint'),
        )}
      </span>
      {!questionsOnly && <span className={styles.answer}>{plainExcerpt(answer)}</span>}
      {!questionsOnly && first && <span className={styles.quiet}>[1] {shorten(first.title)}</span>}
    </>
  );
}

function whom(contact: Contact | null, mask: boolean, t: ReportTexts['t']): string {
  if (!contact) return t('myself');
  const shown = mask ? maskContact(contact) : contact;
  return shown.name ? `${shown.name} ${spacedId(shown.id)}` : contactLabel(shown);
}

function shorten(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > LINE ? `${[...line.slice(0, LINE)].slice(0, -1).join('')}…` : line;
}
