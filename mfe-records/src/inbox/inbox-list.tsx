import type { InboxEntry } from 'api/contract/handover';
import { EmptyState } from 'host/ui/problem.tsx';
import { useFormats, useTexts } from 'host/ui/screen.tsx';
import { memo, type RefObject, useEffect, useState } from 'react';
import { Link } from 'react-router-dom';
import { ListRest } from '../lib/list-rest.tsx';
import { inboxTexts } from '../lib/texts.ts';
import type { ShownList } from '../lib/use-paged-list.ts';
import { StateTag, sinceText } from './handover-status.tsx';
import styles from './inbox.module.css';

interface InboxListProps {
  listRef: RefObject<HTMLDivElement | null>;
  list: ShownList<InboxEntry>;
  state: 'open' | 'closed';
  chosenId: string | null;
  /** The address of the screen with this request chosen. */
  searchOf(id: string): string;
}

/** The open or closed requests, page by page. */
export function InboxList({ listRef, list, state, chosenId, searchOf }: InboxListProps) {
  const t = useTexts(inboxTexts);
  const now = useMinute();
  // The other state's requests are not shown while these are loading.
  const items = list.isBehind ? [] : list.items;
  return (
    <section className="scroll grow" aria-label={t('list')} ref={listRef}>
      {items.length > 0 && (
        <ul>
          {items.map((entry) => (
            <InboxRow
              key={entry.id}
              entry={entry}
              isCurrent={entry.id === chosenId}
              replaces={chosenId !== null}
              search={searchOf(entry.id)}
              {...{ now }}
            />
          ))}
        </ul>
      )}
      <ListRest
        list={{ ...list, items, hasBegun: list.hasBegun && !list.isBehind }}
        title={t('failed')}
        more={t('loadMore')}
        look="small"
        className="pad-s5"
        label={t('loading')}
        lines={['most', 'half', 'third', 'most', 'half', 'third']}
      >
        <EmptyState isDone title={t(`empty.${state}`)} about={t(`empty.${state}.about`)} />
      </ListRest>
    </section>
  );
}

interface InboxRowProps {
  entry: InboxEntry;
  isCurrent: boolean;
  /** Whether a request is already open; the next one then replaces its history entry. */
  replaces: boolean;
  search: string;
  /** The current time in ms. */
  now: number;
}

/** A row of the inbox: question, latest message, state and waiting time. */
const InboxRow = memo(function InboxRow({ entry, isCurrent, replaces, search, now }: InboxRowProps) {
  const t = useTexts(inboxTexts);
  const { dates } = useFormats();
  const { id, question, lastMessage, isMine } = entry;
  const hasMessages = !question.startsWith(lastMessage);
  return (
    <li className={styles.row} aria-current={isCurrent || undefined} data-mine={isMine || undefined}>
      <Link to={{ search }} replace={replaces} data-handover={id}>
        <b dir="auto">{question}</b>
      </Link>
      {hasMessages && (
        <p className="type-small ink-2" dir="auto">
          {lastMessage}
        </p>
      )}
      <footer className="line mt-s1 type-meta quiet">
        <StateTag handover={entry} isMine={isMine} />
        <span className="push num nowrap">{sinceText(entry, now, dates, t)}</span>
      </footer>
    </li>
  );
});

const MINUTE_MS = 60_000;

/** The current time in ms, updated once a minute. */
export function useMinute(): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), MINUTE_MS);
    return () => clearInterval(timer);
  }, []);
  return now;
}
