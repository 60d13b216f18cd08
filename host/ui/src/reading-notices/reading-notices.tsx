import { Icon } from '../icon.tsx';
import { type NoticeTranslate, noticeMark, noticeSentence, type ReadingNotice } from './notice-texts.ts';
import styles from './reading-notices.module.css';

interface ReadingNoticesProps {
  notices: readonly ReadingNotice[];
  t: NoticeTranslate;
  /** Name of the file, where several are shown. */
  title?: string;
}

/** What could not be read of a file: one sentence for each notice. */
export function NoticeList({ notices, t }: Omit<ReadingNoticesProps, 'title'>) {
  return (
    <ul className={styles.list}>
      {notices.map((notice) => {
        const sentence = noticeSentence(notice, t);
        return <li key={sentence}>{sentence}</li>;
      })}
    </ul>
  );
}

/** The same, closed under its short mark. */
export function NoticeDetails({ notices, t, title }: ReadingNoticesProps) {
  return (
    <details className={styles.details}>
      <summary>
        <Icon name="alert" isSmall />
        {title && <span className="clip">{title}</span>}
        <span>{noticeMark(notices, t)}</span>
      </summary>
      <NoticeList notices={notices} t={t} />
    </details>
  );
}
