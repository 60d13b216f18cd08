import type { Contact, FoundRecord, RecordStats } from 'api/contract';
import { contactLabel, spacedId } from '../filters/contact-label.ts';
import type { Filter } from '../filters/filter.ts';
import { maskContact, maskWithin } from './mask-contact.ts';
import styles from './preview.module.css';
import type { ReportWords } from './report-words.ts';
import type { Series } from './series.ts';
import { percent, spokenTime } from './shares.ts';

export interface PreviewPageProps extends ReportWords {
  stats: RecordStats;
  series: Series;
  filter: Filter;
  /** The newest ones. */
  records: FoundRecord[];
  title: string;
  /** Right in the head: the report's days, or its other conditions. */
  about: string;
  mask: boolean;
  /** The contacts that a title could name. */
  contacts: Contact[];
  locale: string;
}

/** The first page as the PDF will have it, on white paper in either theme. One picture for those who cannot see it. */
export function PreviewPage(props: PreviewPageProps) {
  const { stats, series, records, title, about, mask, contacts, locale, t, numbers } = props;
  const shownTitle = mask ? maskWithin(title, contacts) : title;
  return (
    <div className={styles.page} role="img" aria-label={t('preview.page', { title: shownTitle })}>
      <div className={styles.inside} aria-hidden="true">
        <p className={styles.head}>
          <b>{t('preview.brand')}</b>
          <span>{mask ? maskWithin(about, contacts) : about}</span>
        </p>
        <p className={styles.title}>{shownTitle}</p>
        <PageFigures stats={stats} t={t} numbers={numbers} />
        <PageChart series={series} />
        <div className={styles.records}>
          {records.map((record, index) => (
            <PageRecord key={record.id} number={index + 1} {...{ record, mask, locale, t }} />
          ))}
          {stats.total > records.length && records.length > 0 && (
            <p className={styles.quiet}>
              {t('preview.more', { count: numbers.format(stats.total - records.length) })}
            </p>
          )}
        </div>
        <p className={styles.foot}>
          <span>{t('preview.made')}</span>
          <span>1</span>
        </p>
      </div>
    </div>
  );
}

function PageFigures({ stats, t, numbers }: Pick<PreviewPageProps, 'stats' | 't' | 'numbers'>) {
  const { total, answered, satisfaction, medianMs } = stats;
  const rated = satisfaction.up + satisfaction.down;
  const time = medianMs === null ? undefined : spokenTime(medianMs);
  const figures = [
    [t('total'), numbers.format(total)],
    [t('answered'), `${numbers.format(percent(answered, total))}%`],
    [t('satisfied'), rated ? `${numbers.format(percent(satisfaction.up, rated))}%` : '–'],
    [t('median'), time ? `${numbers.format(time.value)} ${t(`unit.${time.unit}`)}` : '–'],
  ];
  return (
    <div className={styles.figures}>
      {figures.map(([name, value]) => (
        <span key={name}>
          <b>{value}</b>
          {name}
        </span>
      ))}
    </div>
  );
}

const WIDTH = 252;
const HEIGHT = 44;

function PageChart({ series: { buckets } }: { series: Series }) {
  const most = Math.max(1, ...buckets.map(({ count }) => count));
  const step = WIDTH / buckets.length;
  const bar = Math.min(step * 0.66, 14);
  return (
    <svg className={styles.chart} aria-hidden="true" viewBox={`0 0 ${WIDTH} ${HEIGHT + 1}`}>
      {buckets.map(({ from, count }, index) => (
        <rect
          key={from}
          x={step * (index + 0.5) - bar / 2}
          y={HEIGHT - (HEIGHT - 2) * (count / most)}
          width={bar}
          height={(HEIGHT - 2) * (count / most)}
        />
      ))}
      <path d={`M0 ${HEIGHT + 0.5}h${WIDTH}`} />
    </svg>
  );
}

interface PageRecordProps extends Pick<PreviewPageProps, 'mask' | 'locale' | 't'> {
  record: FoundRecord;
  number: number;
}

function PageRecord({ record, number, mask, locale, t }: PageRecordProps) {
  const { question, answer, contact, source, citations, createdAt } = record;
  const asked = new Intl.DateTimeFormat(locale, {
    dateStyle: 'medium',
    timeStyle: 'short',
    hourCycle: 'h23',
  });
  const [first] = citations;
  return (
    <div>
      <b>
        {number}. {shorten(question)}
      </b>
      <span className={styles.quiet}>
        {[asked.format(new Date(createdAt)), whom(contact, mask, t), t(`source.${source}`)].join(t('joint'))}
      </span>
      <span className={styles.answer}>{shorten(plain(answer))}</span>
      {first && <span className={styles.quiet}>[1] {shorten(first.title)}</span>}
    </div>
  );
}

function whom(contact: Contact | null, mask: boolean, t: ReportWords['t']): string {
  if (!contact) return t('myself');
  const shown = mask ? maskContact(contact) : contact;
  return shown.name ? `${shown.name} ${spacedId(shown.id)}` : contactLabel(shown);
}

/** Markdown without its marks: at this size nobody reads them. */
function plain(markdown: string): string {
  return markdown
    .replace(/^[#>\s|-]+|[*_`|]+/gm, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}

function shorten(text: string): string {
  const most = 160;
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > most ? `${[...line.slice(0, most)].slice(0, -1).join('')}…` : line;
}
