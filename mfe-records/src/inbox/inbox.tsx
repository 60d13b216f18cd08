import { useQueryClient } from '@tanstack/react-query';
import type { InboxEntry, InboxEvent, InboxPage, InboxSummary } from 'api/contract/handover';
import type { Translate } from 'host/contract';
import { noticeInBackground } from 'host/ui/background-notice.ts';
import { followEvents } from 'host/ui/follow-events.ts';
import { Icon } from 'host/ui/icon.tsx';
import { NotificationButton } from 'host/ui/notification-button.tsx';
import { EmptyState } from 'host/ui/problem.tsx';
import { ScreenHead, useFormats, useTexts } from 'host/ui/screen.tsx';
import { Segments } from 'host/ui/segments.tsx';
import { memo, type RefObject, useCallback, useEffect, useRef, useState } from 'react';
import { Link, useSearchParams } from 'react-router-dom';
import { withParams } from '../lib/address-params.ts';
import listStyles from '../lib/list.module.css';
import { FirstRead } from '../lib/load-problem.tsx';
import { useRowFocus } from '../lib/open-item.tsx';
import { screenOf } from '../lib/screen-root.tsx';
import { useDesk, useRead, useServices } from '../lib/services.ts';
import { type InboxTexts, inboxTexts } from '../lib/texts.ts';
import { ListRest, type ShownList, usePagedList } from '../lib/use-paged-list.tsx';
import { StateTag, sinceText } from './handover-status.tsx';
import { HandoverPane } from './handover-view.tsx';
import styles from './inbox.module.css';

export const texts = [inboxTexts];

/**
 * /inbox: requests for a person, which editors answer. `?s=closed` shows the closed ones, `?h=` selects one. Other visitors get an
 * explanation.
 */
export default screenOf(Inbox, listStyles.page);

function Inbox() {
  const t = useTexts(inboxTexts);
  const query = useRead<InboxSummary>('/api/inbox/summary', {
    queryKey: ['inbox', 'summary'],
    staleTime: 0,
  });
  const { data } = query;
  return (
    <>
      <ScreenHead
        title={t('title')}
        aside={
          data && data.open !== null && <span className="count">{t('open.count', { count: data.open })}</span>
        }
      />
      {data && data.open !== null && <InboxContent />}
      {data && data.open === null && (
        <EmptyState title={t('reader')} about={t('reader.about')}>
          <Link className="button" to="/index">
            {t('history.ask')}
          </Link>
        </EmptyState>
      )}
      <FirstRead
        query={query}
        title={t('failed')}
        className="pad-s5"
        label={t('loading')}
        lines={['third', 'most', 'half', 'third', 'most', 'half']}
      />
    </>
  );
}

/** The inbox of an editor: the list, and the chosen request beside it. */
function InboxContent() {
  const { t, http } = useDesk(inboxTexts);
  const [params, setParams] = useSearchParams();
  const state = params.get('s') === 'closed' ? 'closed' : 'open';
  const chosenId = params.get('h') || null;
  const list = usePagedList<InboxEntry>({
    key: ['inbox', 'list', state],
    async read(cursor, limit, signal) {
      const query = { state, limit, ...(cursor && { cursor }) };
      const { data } = await http.get<InboxPage>('/api/inbox', { params: query, signal });
      return { items: data.handovers, total: data.open, nextCursor: data.nextCursor };
    },
  });
  const client = useQueryClient();
  const refresh = useCallback(() => void client.invalidateQueries({ queryKey: ['inbox'] }), [client]);
  const { isLost, open } = useInboxEvents(refresh);
  const news = useNews(open, t);
  useEffect(() => {
    if (news) noticeInBackground({ title: t('title'), body: news, tag: 'inbox' });
  }, [news, t]);

  const rows = useRef<HTMLDivElement>(null);
  useRowFocus(rows, 'data-handover', chosenId);

  return (
    <div className={styles.inbox} data-chosen={chosenId !== null || undefined}>
      <p className="sr" role="status">
        {news}
      </p>
      <div className={`${listStyles.ledger} ${styles.ledger}`}>
        <div className={`rule-below ${styles.bar}`}>
          <Segments<'open' | 'closed'>
            label={t('states')}
            isWide
            value={state}
            choices={[
              { value: 'open', label: t('shown.open') },
              { value: 'closed', label: t('state.closed') },
            ]}
            onChange={(next) =>
              setParams(withParams(params, { s: next === 'closed' ? next : null }), { replace: true })
            }
          />
        </div>
        <NotificationButton label={t('notify')} />
        {isLost && (
          <p className={styles.lost} role="status">
            <Icon name="offline" isSmall />
            {t('lost')}
          </p>
        )}
        <InboxList
          listRef={rows}
          {...{ list, state, chosenId }}
          searchOf={(id) => `?${withParams(params, { h: id })}`}
        />
      </div>
      <HandoverPane key={chosenId} id={chosenId} backSearch={`?${withParams(params, { h: null })}`} />
    </div>
  );
}

/** A text for screen readers when the number of open requests has grown. '' otherwise. */
function useNews(open: number | null, t: Translate<InboxTexts>): string {
  const [seen, setSeen] = useState({ open, hasGrown: false });
  if (open !== seen.open) setSeen({ open, hasGrown: seen.open !== null && (open ?? 0) > seen.open });
  return seen.hasGrown && open !== null ? t('news', { count: open }) : '';
}

/**
 * Follows GET /api/inbox/events while mounted and calls `onChange` for each event. `open` is the number of open requests, null at first;
 * `isLost` is true while the stream is being opened again.
 */
function useInboxEvents(onChange: () => void): { open: number | null; isLost: boolean } {
  const { http } = useServices();
  const [open, setOpen] = useState<number | null>(null);
  const [isLost, setIsLost] = useState(false);
  useEffect(() => {
    const leaving = new AbortController();
    void followEvents(
      {
        async open(signal) {
          const config = { adapter: 'fetch', responseType: 'stream', signal } as const;
          return (await http.get<ReadableStream<Uint8Array>>('/api/inbox/events', config)).data;
        },
        onEvent({ event, data }) {
          if (leaving.signal.aborted || event !== ('inbox' satisfies InboxEvent['event'])) return;
          setOpen((JSON.parse(data) as InboxEvent['data']).open);
          onChange();
        },
        onConnection(isOpen) {
          if (!leaving.signal.aborted) setIsLost(!isOpen);
        },
      },
      leaving.signal,
    );
    return () => leaving.abort();
  }, [http, onChange]);
  return { open, isLost };
}

interface InboxListProps {
  listRef: RefObject<HTMLDivElement | null>;
  list: ShownList<InboxEntry>;
  state: 'open' | 'closed';
  chosenId: string | null;
  /** The address of the screen with this request chosen. */
  searchOf(id: string): string;
}

/** The open or closed requests, page by page. */
function InboxList({ listRef, list, state, chosenId, searchOf }: InboxListProps) {
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
