import { useQueryClient } from '@tanstack/react-query';
import type { InboxEntry, InboxEvent, InboxPage } from 'api/contract/handover';
import type { Translate } from 'host/contract';
import { noticeInBackground } from 'host/ui/background-notice.ts';
import { followEvents } from 'host/ui/follow-events.ts';
import { Icon } from 'host/ui/icon.tsx';
import { NotificationButton } from 'host/ui/notification-button.tsx';
import { useTexts } from 'host/ui/screen.tsx';
import { Segments } from 'host/ui/segments.tsx';
import { useCallback, useEffect, useRef, useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import { withParams } from '../lib/address-params.ts';
import listStyles from '../lib/list.module.css';
import { useServices } from '../lib/services.ts';
import { type InboxTexts, inboxTexts } from '../lib/texts.ts';
import { usePagedList } from '../lib/use-paged-list.ts';
import { HandoverPane } from './handover-pane.tsx';
import styles from './inbox.module.css';
import { InboxList } from './inbox-list.tsx';

/** The inbox of an editor: the list, and the chosen request beside it. */
export function InboxContent() {
  const t = useTexts(inboxTexts);
  const { http } = useServices();
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
  // On a phone the request covers the list: the focus moves there and back.
  const before = useRef<string | null>(null);
  useEffect(() => {
    const row = before.current && !chosenId && `[data-handover="${CSS.escape(before.current)}"]`;
    if (row) rows.current?.querySelector<HTMLElement>(row)?.focus();
    before.current = chosenId;
  }, [chosenId]);

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
