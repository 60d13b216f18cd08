import type { SharedFile, SharedRecord } from 'api/contract/sharing';
import { CitationMark, DoubtMark } from 'host/ui/citation-mark.tsx';
import { Icon } from 'host/ui/icon.tsx';
import { useFormats, useTexts } from 'host/ui/screen.tsx';
import { useCallback, useId } from 'react';
import { readingTexts } from '../../state/part-texts.ts';
import { MarkdownText } from '../markdown-text.tsx';
import styles from './read-records.module.css';

/** A record as visitors of a shared link see it; its owner also sees `answeredSince`. */
export interface ReadRecord extends SharedRecord {
  contact?: string;
  /** An editor's later answer. */
  answeredSince?: string;
}

interface ReadRecordsProps {
  records: readonly ReadRecord[];
  /** Downloads a file of a record. Without it only the names of the files are shown. */
  onDownload?(file: SharedFile): void;
}

/** Level of an answer's first headings: below those of question and answer. */
const FIRST_LEVEL = 3;

/** A conversation that can only be read, on paper or through a link. Sources are quoted below each answer. */
export function ReadRecords({ records, onDownload }: ReadRecordsProps) {
  return (
    <ol className={`stack gap-s6 ${styles.records}`}>
      {records.map((record, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: records have no other identity and never move
        <li key={index}>
          <Question record={record} {...(onDownload && { onDownload })} />
          <Answer record={record} />
        </li>
      ))}
    </ol>
  );
}

/** A time, with its date. */
export function Time({ at }: { at: string }) {
  const format = new Intl.DateTimeFormat(useFormats().locale, { dateStyle: 'medium', timeStyle: 'short' });
  return <time dateTime={at}>{format.format(new Date(at))}</time>;
}

interface QuestionProps extends Pick<ReadRecordsProps, 'onDownload'> {
  record: ReadRecord;
}

function Question({ record, onDownload }: QuestionProps) {
  const t = useTexts(readingTexts);
  const { question, files, hiddenFiles, contact, version, createdAt } = record;
  return (
    <div className={`mb-s4 ${styles.question}`}>
      <div className={styles.meta}>
        <h2 className="type-meta strong ink-2">{t('question')}</h2>
        {contact && <span>{contact}</span>}
        {version && <span>{t('version', { number: version })}</span>}
        <Time at={createdAt} />
      </div>
      <p dir="auto">{question || t('onlyFiles')}</p>
      {files.length > 0 && (
        <ul className="line wrap mt-s2" aria-label={t('files')}>
          {files.map((file) => (
            <li key={file.id}>
              {onDownload ? (
                <button
                  className="button small"
                  type="button"
                  aria-label={t('download', { name: file.name })}
                  onClick={() => onDownload(file)}
                >
                  <Icon name="download" isSmall />
                  <span className="clip">{file.name}</span>
                </button>
              ) : (
                <span className={styles.file}>
                  <Icon name="file" isSmall />
                  {file.name}
                </span>
              )}
            </li>
          ))}
        </ul>
      )}
      {hiddenFiles > 0 && (
        <p className="mt-s1 type-small quiet">{t('hiddenFiles', { count: hiddenFiles })}</p>
      )}
    </div>
  );
}

function Answer({ record }: { record: ReadRecord }) {
  const t = useTexts(readingTexts);
  const { answer, status, citations, answeredSince } = record;
  const titleId = useId();
  return (
    <>
      <div className={styles.meta}>
        <h2 className="type-meta strong ink-2">{t('answer')}</h2>
        {status !== 'done' && <span>{t(status)}</span>}
      </div>
      {answer === null && <p className="mt-s1 type-small quiet">{t('replaced')}</p>}
      {answer === '' && <p className="mt-s1 type-small quiet">{t('noAnswer')}</p>}
      {answer && <Text text={answer} count={Math.max(0, ...citations.map(({ n }) => n))} />}
      {citations.length > 0 && (
        <>
          <h3 id={titleId} className={styles.sources}>
            {t('citations')}
          </h3>
          <ol className={`stack type-small ink-2 ${styles.citations}`} aria-labelledby={titleId}>
            {citations.map(({ n, source }) => (
              <li key={n}>
                <CitationMark n={n} />
                <span className="breakable" dir="auto">
                  {source?.title ?? t('privateCitation')}
                </span>
                {source?.quote && <blockquote dir="auto">{source.quote}</blockquote>}
              </li>
            ))}
          </ol>
        </>
      )}
      {answeredSince && (
        <>
          <h3 className={styles.sources}>{t('answeredSince')}</h3>
          <Text text={answeredSince} count={0} />
        </>
      )}
    </>
  );
}

interface TextProps {
  text: string;
  /** The highest number of a citation. */
  count: number;
}

function Text({ text, count }: TextProps) {
  const t = useTexts(readingTexts);
  const citation = useCallback(
    (n: number, key: string) => {
      if (n === 0) return <DoubtMark key={key} label={t('noSupport')} />;
      return n <= count ? <CitationMark key={key} n={n} /> : null;
    },
    [count, t],
  );
  return <MarkdownText text={text} firstLevel={FIRST_LEVEL} citation={citation} t={t} />;
}
