import type { InboxEntry } from 'api/contract/handover';
import type { Translate } from 'host/contract';
import { memo } from 'react';
import { Link } from 'react-router-dom';
import type { Calendar } from '../calendar.ts';
import { StateTag, sinceText } from './handover-status.tsx';
import styles from './inbox.module.css';
import type { InboxTexts } from './inbox-texts.ts';

interface InboxRowProps {
  entry: InboxEntry;
  isCurrent: boolean;
  /** A request is already open: the next one replaces its history entry. */
  replaces: boolean;
  search: string;
  /** The current time in ms. */
  now: number;
  calendar: Calendar;
  t: Translate<InboxTexts>;
}

/** A row of the inbox: question, latest message, state and waiting time. */
export const InboxRow = memo(function InboxRow(props: InboxRowProps) {
  const { entry, isCurrent, replaces, search, now, calendar, t } = props;
  const { id, question, lastMessage, isMine } = entry;
  const hasMessages = !question.startsWith(lastMessage);
  return (
    <li className={styles.row} aria-current={isCurrent || undefined} data-mine={isMine || undefined}>
      <Link to={{ search }} replace={replaces} data-handover={id}>
        <b dir="auto">{question}</b>
      </Link>
      {hasMessages && <p dir="auto">{lastMessage}</p>}
      <footer>
        <StateTag handover={entry} isMine={isMine} t={t} />
        <span className="num">{sinceText(entry, now, calendar, t)}</span>
      </footer>
    </li>
  );
});
