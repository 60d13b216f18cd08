import type { DeskRecord } from 'api/contract';
import type { Translate } from 'host/contract';
import { memo } from 'react';
import { Link } from 'react-router-dom';
import type { Calendar } from './calendar.ts';
import { firstWords } from './first-words.ts';
import styles from './history.module.css';
import { Icon } from './icon.tsx';
import { SourceMark } from './source-mark.tsx';
import type { RecordWords } from './words.ts';

interface RecordRowProps {
  record: DeskRecord;
  isCurrent: boolean;
  /** A record is open already: the next one takes its place in the browser's history. */
  replaces: boolean;
  calendar: Calendar;
  t: Translate<RecordWords>;
}

/** One record of the list: question, the first words of the answer, time, source and what is worth knowing besides. */
export const RecordRow = memo(function RecordRow({
  record,
  isCurrent,
  replaces,
  calendar,
  t,
}: RecordRowProps) {
  const { id, status, source, citations, files, feedback } = record;
  return (
    <li className={styles.record} aria-current={isCurrent || undefined}>
      <Link to={{ search: `?r=${id}` }} replace={replaces} data-record={id}>
        <b>{record.question}</b>
      </Link>
      <p>{firstWords(record.answer)}</p>
      <footer>
        <time dateTime={record.createdAt}>{calendar.clock(new Date(record.createdAt))}</time>
        {status === 'done' ? (
          <SourceMark source={source} label={t(`source.${source}`)} />
        ) : (
          <span className={`tag ${status === 'failed' ? 'error' : ''}`}>{t(`status.${status}`)}</span>
        )}
        {citations.length > 0 && <span>{t('citations', { count: citations.length })}</span>}
        {files.length > 0 && <span>{t('files', { count: files.length })}</span>}
        {feedback && (
          <span className="source">
            <Icon name="thumb" className={feedback.rating === -1 ? 'up' : ''} />
            <span className="sr">{t(feedback.rating === 1 ? 'helpful' : 'unhelpful')}</span>
          </span>
        )}
      </footer>
    </li>
  );
});
