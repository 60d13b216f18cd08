import { placeParts } from '../cited-place.ts';
import { Icon } from '../icon.tsx';
import type { NoticeTranslate, ReadingNotice } from './notice-texts.ts';
import styles from './reading-notices.module.css';

interface ReadingNoticesProps {
  notices: readonly ReadingNotice[];
  t: NoticeTranslate;
  /** Name of the file, if notices of several files are shown. */
  title?: string;
}

/** What could not be read from a file: one sentence for each notice. */
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

/** The notices of a file in a details element, which is closed at first. */
export function NoticeDetails({ notices, t, title }: ReadingNoticesProps) {
  return (
    <details className={styles.details}>
      <summary className="line gap-s1">
        <Icon name="alert" isSmall />
        {title && <span className="clip">{title}</span>}
        <span>{noticeMark(notices, t)}</span>
      </summary>
      <NoticeList notices={notices} t={t} />
    </details>
  );
}

/** Short text for a document of which a part, or most, could not be read. */
export function noticeMark(notices: readonly ReadingNotice[], t: NoticeTranslate): string {
  return t(notices.some(({ code }) => code === 'mostly_unread') ? 'notice.mostly' : 'notice.partly');
}

/** `Pages 3–7: text could not be decoded (characters: 120)`. Unknown codes of a newer API get the short text. */
function noticeSentence({ code, at, until, count }: ReadingNotice, t: NoticeTranslate): string {
  const known = t(`notice.${code}`, { count });
  const what = known === `notice.${code}` ? t('notice.partly') : known;
  const parts = placeParts(at ?? {}, (part, values) =>
    until === undefined || part === 'sheet'
      ? t(`notice.${part}`, values)
      : t(`notice.${part}s`, { ...values, until }),
  );
  const place = parts.join(t('notice.and'));
  return place === '' ? what : t('notice.sentence', { place, what });
}
