import type { RecordStats } from 'api/contract/search';
import { Chart } from 'host/ui/charts/chart.tsx';
import { Icon } from 'host/ui/icon.tsx';
import { Link } from 'react-router-dom';
import { contactAddress, contactLabel } from '../history/filters/contact-label.ts';
import { addressOf, type Filter } from '../history/filters/filter.ts';
import { chartTexts } from '../lib/chart-texts.ts';
import styles from './report.module.css';
import { percent } from './shares.ts';
import { useWords } from './use-words.ts';

const SHOWN = 8;
/** Height of one row in pixels; see `.lines` in report.module.css. */
const ROW = 30;

/** The eight most frequent contacts, linked to their records, and how many more there are. */
export function ContactSection({ stats, filter }: { stats: RecordStats; filter: Filter }) {
  const { t, numbers } = useWords();
  const shown = stats.byContact.slice(0, SHOWN);
  const others = stats.byContact.length - shown.length;
  const rest = stats.total - shown.reduce((sum, { count }) => sum + count, 0);
  const lines = shown.map(({ contact, count }) => ({
    key: contact?.id ?? '',
    name: contact ? contactLabel(contact) : t('myself'),
    count,
    told: numbers.format(count),
    to: addressOf('/history', { ...filter, contact: contact?.id ?? '' }),
  }));
  const most = Math.max(...lines.map(({ count }) => count));
  const restLine = t('byContact.rest', { contacts: numbers.format(others), count: numbers.format(rest) });
  const link = ({ name, told, to }: (typeof lines)[number]) => (
    <Link className="clip" to={to} aria-label={t('byContact.open', { count: told, name })} title={name}>
      {name}
    </Link>
  );

  const withPage = (line: (typeof lines)[number]) => (
    <span className="line">
      {link(line)}
      {line.key && (
        <Link
          className="pad-s1"
          to={contactAddress(line.key)}
          aria-label={t('byContact.page', { name: line.name })}
        >
          <Icon name="user" className="icon-s" />
        </Link>
      )}
    </span>
  );

  return (
    <Chart
      title={t('byContact')}
      about={others > 0 ? t('byContact.first', { count: SHOWN }) : ''}
      texts={chartTexts(t, t('byContact'))}
      isFluid
      summary={lines.map(({ name, told }) => t('part', { name, count: told })).join(t('joint'))}
      height={ROW * lines.length}
      head={[t('contact'), t('count'), t('share')]}
      rows={[
        ...lines.map((line) => ({
          key: line.key,
          cells: [withPage(line), line.told, `${numbers.format(percent(line.count, stats.total))}%`],
        })),
        ...(others > 0
          ? [
              {
                key: ' rest',
                cells: [restLine, numbers.format(rest), `${numbers.format(percent(rest, stats.total))}%`],
              },
            ]
          : []),
      ]}
      className={styles.lines}
      before={
        <ul className={`ink-links ${styles.names}`}>
          {lines.map((line) => (
            <li key={line.key}>{link(line)}</li>
          ))}
        </ul>
      }
      after={
        <>
          <ul className={styles.counts} aria-hidden="true">
            {lines.map(({ key, told }) => (
              <li key={key}>{told}</li>
            ))}
          </ul>
          {others > 0 && <p className={`mt-s2 type-meta quiet ${styles.rest}`}>{restLine}</p>}
        </>
      }
      footer={
        lines.some(({ key }) => key) && (
          <p className="targets mt-s3 type-small">
            <Link to={contactAddress()}>{t('contact.manage')}</Link>
          </p>
        )
      }
      draw={() => (
        <div className={styles.bars}>
          {lines.map(({ key, count }) => (
            <i key={key} style={{ width: `${(100 * count) / most}%` }} />
          ))}
        </div>
      )}
    />
  );
}
