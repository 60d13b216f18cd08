import { useQueryClient } from '@tanstack/react-query';
import type { InboxEntry, InboxPage } from 'api/contract/handover';
import type { HostServices, Translate } from 'host/contract';
import { noticeInBackground } from 'host/ui/background-notice.ts';
import { Icon } from 'host/ui/icon.tsx';
import { NotificationButton } from 'host/ui/notification-button.tsx';
import { plural } from 'host/ui/plural.ts';
import { Segments } from 'host/ui/segments.tsx';
import { useCallback, useEffect, useRef, useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import type { Calendar } from '../calendar.ts';
import { usePagedList } from '../knowledge/use-paged-list.ts';
import { HandoverPane } from './handover-pane.tsx';
import styles from './inbox.module.css';
import { InboxList } from './inbox-list.tsx';
import type { InboxTexts } from './inbox-texts.ts';
import { useInboxEvents } from './use-inbox-events.ts';

interface InboxContentProps {
  services: HostServices;
  calendar: Calendar;
  t: Translate<InboxTexts>;
}

/** The inbox of an editor: the list, and the chosen request beside it. */
export function InboxContent({ services, calendar, t }: InboxContentProps) {
  const { http } = services;
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
  const { isLost, open } = useInboxEvents(http, refresh);
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
      <div className={styles.ledger}>
        <div className={styles.bar}>
          <Segments<'open' | 'closed'>
            label={t('states')}
            value={state}
            choices={[
              { value: 'open', label: t('shown.open') },
              { value: 'closed', label: t('shown.closed') },
            ]}
            onChange={(next) => setParams(withState(params, next), { replace: true })}
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
          {...{ list, state, chosenId, calendar, t }}
          searchOf={(id) => `?${withChosen(params, id)}`}
        />
      </div>
      <HandoverPane
        key={chosenId}
        id={chosenId}
        backSearch={`?${withChosen(params, null)}`}
        {...{ services, calendar, t }}
      />
    </div>
  );
}

/** A text for screen readers when the number of open requests has grown. '' otherwise. */
function useNews(open: number | null, t: Translate<InboxTexts>): string {
  const [seen, setSeen] = useState({ open, hasGrown: false });
  if (open !== seen.open) setSeen({ open, hasGrown: seen.open !== null && (open ?? 0) > seen.open });
  return seen.hasGrown && open !== null ? plural(t, 'news', open) : '';
}

function withState(params: URLSearchParams, state: 'open' | 'closed'): URLSearchParams {
  const next = new URLSearchParams(params);
  if (state === 'closed') next.set('s', state);
  else next.delete('s');
  return next;
}

function withChosen(params: URLSearchParams, id: string | null): URLSearchParams {
  const next = new URLSearchParams(params);
  if (id) next.set('h', id);
  else next.delete('h');
  return next;
}
