import type { FoundRecord } from 'api/contract/search';
import { Icon } from 'host/ui/icon.tsx';
import { useFormats, useTexts } from 'host/ui/screen.tsx';
import { memo } from 'react';
import { Link } from 'react-router-dom';
import { AnswererMark } from '../lib/answerer-mark.tsx';
import { historyTexts } from '../lib/texts.ts';
import { contactLabel } from './filters/contact-label.ts';
import styles from './history.module.css';
import { excerptOf, foundWords, markRanges, markWords, rangesOf } from './mark-ranges.tsx';

interface RecordRowProps {
  record: FoundRecord;
  /** Its position among all matching records, from 0, and their number; -1 if unknown. */
  index: number;
  total: number;
  /** Distance from the top of its day, in px. */
  top: number;
  isCurrent: boolean;
  isTicked: boolean;
  /** Whether Tab moves the focus to this row. */
  isActive: boolean;
  /** Whether a record is already open; the next one then replaces its history entry. */
  replaces: boolean;
  address: string;
  measure(element: HTMLElement | null): void;
}

/** A row of the list: question, beginning of the answer, time, source and further marks. */
export const RecordRow = memo(function RecordRow(props: RecordRowProps) {
  const t = useTexts(historyTexts);
  const { dates } = useFormats();
  const { record, index, total, top, isCurrent, isTicked, isActive, replaces, address } = props;
  const { id, status, citations, files, imgUrls, feedback } = record;
  const others = files.filter(({ url }) => !imgUrls.includes(url)).length;
  const tabIndex = isActive ? 0 : -1;
  return (
    <li
      className={styles.record}
      aria-current={isCurrent || undefined}
      aria-posinset={index + 1}
      aria-setsize={total}
      data-index={index}
      ref={props.measure}
      style={{ top }}
    >
      <label className={`no-print ${styles.tick}`}>
        <input
          className="check"
          type="checkbox"
          aria-label={t('pick', { question: record.question.slice(0, 80) })}
          checked={isTicked}
          tabIndex={tabIndex}
          data-tick={id}
          readOnly
        />
      </label>
      <div>
        <Link to={address} replace={replaces} tabIndex={tabIndex} data-record={id}>
          <b dir="auto">{markRanges(record.question, rangesOf(record, 'question'))}</b>
        </Link>
        <p className="type-small ink-2" dir="auto">
          {markWords(excerptOf(record), foundWords(record))}
        </p>
        <footer className="line type-meta quiet">
          <time dateTime={record.createdAt}>{dates.clock(new Date(record.createdAt))}</time>
          {status === 'done' ? (
            <AnswererMark record={record} />
          ) : (
            <span className={`tag ${status === 'failed' ? 'error' : ''}`}>{t(`status.${status}`)}</span>
          )}
          {record.versionOf && <span>{t('version', { number: record.versionOf.number })}</span>}
          {record.answeredSince && <span className="tag accent">{t('answeredSince')}</span>}
          {citations.length > 0 && <span>{t('citations', { count: citations.length })}</span>}
          {imgUrls.length > 0 && <span>{t('pictures', { count: imgUrls.length })}</span>}
          {others > 0 && <span>{t('files', { count: others })}</span>}
          {feedback && (
            <span className="source">
              <Icon name="thumb" className={feedback.rating === -1 ? 'up' : ''} />
              <span className="sr">{t(feedback.rating === 1 ? 'helpful' : 'unhelpful')}</span>
            </span>
          )}
          {record.contact && <span className="clip">{contactLabel(record.contact)}</span>}
        </footer>
      </div>
    </li>
  );
});
