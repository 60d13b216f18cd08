import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import type { BinEntry, BinPage } from 'api/contract/deletions';
import type { Translate } from 'host/contract';
import { Button } from 'host/ui/button.tsx';
import { Dialog } from 'host/ui/dialog.tsx';
import { grouped } from 'host/ui/grouped.ts';
import { focusNeighbour } from 'host/ui/move-focus.ts';
import { editPages } from 'host/ui/queries.ts';
import { useFormats, useTexts } from 'host/ui/screen.tsx';
import { Skeleton } from 'host/ui/skeleton.tsx';
import { useAction } from 'host/ui/use-action.ts';
import { useEffect, useRef, useState } from 'react';
import { LoadProblem } from '../lib/load-problem.tsx';
import { useDesk, useServices } from '../lib/services.ts';
import { type FilterTexts, filterTexts, type HistoryTexts, historyTexts } from '../lib/texts.ts';
import { ConfirmField, isConfirmed } from './confirm-field.tsx';
import styles from './dialogs.module.css';
import { fullContactLabel } from './filters/contact-label.ts';
import { createDayFormat, dayIn } from './filters/days.ts';

interface BinDialogProps {
  onClose(): void;
  /** Called when records were restored or deleted for good. */
  onChanged(): void;
}

const PAGE = 20;

/** Deletions, merges and renames of contacts that can still be undone, newest first. */
export function BinDialog({ onClose, onChanged }: BinDialogProps) {
  const { t, http, toasts } = useDesk(historyTexts);
  const client = useQueryClient();
  const queryKey = ['bin'];
  const query = useInfiniteQuery({
    queryKey,
    queryFn: async ({ pageParam, signal }) => {
      const params = { limit: PAGE, ...(pageParam && { cursor: pageParam }) };
      return (await http.get<BinPage>('/api/bin', { params, signal })).data;
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    staleTime: 0,
  });
  const { data, isFetching } = query;
  const failure = isFetching || query.isFetchNextPageError ? null : query.error;

  const more = async () => {
    if (isFetching) return;
    const { isFetchNextPageError, error } = await query.fetchNextPage();
    if (isFetchNextPageError) toasts.show({ kind: 'error', text: error.message });
  };
  const settle = async (entry: BinEntry, url: string, done: (count: number) => string) => {
    const { data } = await http.post<{ restored?: number; purged?: number; records?: number }>(url, {
      undoToken: entry.undoToken,
    });
    const count = data.restored ?? data.purged ?? data.records ?? entry.matched;
    editPages<BinPage>(client, queryKey, (page) => ({
      ...page,
      deletions: page.deletions.filter(({ undoToken }) => undoToken !== entry.undoToken),
    }));
    toasts.show({ kind: 'success', text: done(count) });
    onChanged();
  };

  const entries = data?.pages.flatMap(({ deletions }) => deletions) ?? [];
  // 0 while unknown.
  const undoDays = data?.pages[0]?.undoDays ?? 0;
  return (
    <Dialog title={t('bin')} onClose={onClose}>
      <div className={styles.binBody}>
        {undoDays > 0 && <p className="quiet">{t('bin.about', { days: t('days', { count: undoDays }) })}</p>}
        {failure && (
          <LoadProblem failure={failure} title={t('bin.failed')} onRetry={() => void query.refetch()} />
        )}
        {isFetching && entries.length === 0 && <Skeleton label={t('bin.loading')} lines={['most']} />}
        {!isFetching && !failure && entries.length === 0 && (
          <div className="blank">
            <b>{t('bin.empty')}</b>
            <span>{t('bin.empty.about', { days: t('days', { count: undoDays }) })}</span>
          </div>
        )}
        {entries.length > 0 && (
          <ul className={`ruled ${styles.bin}`} aria-label={t('bin.list')}>
            {entries.map((entry) => (
              <BinLine
                key={entry.undoToken}
                entry={entry}
                // The entry was restored elsewhere or has expired: shows the remaining entries.
                onFailed={() => void query.refetch()}
                onUndo={() =>
                  settle(entry, entry.into ? '/api/undo_contact' : '/api/undo_delete', (count) =>
                    t('undo.done', { count }),
                  )
                }
                onPurge={() => settle(entry, '/api/purge', (count) => t('bin.purge.done', { count }))}
              />
            ))}
          </ul>
        )}
        {query.hasNextPage && <Button label={t('bin.more')} isOff={isFetching} onClick={more} />}
      </div>
    </Dialog>
  );
}

interface BinLineProps {
  entry: BinEntry;
  onUndo(): Promise<void>;
  onPurge(): Promise<void>;
  /** Called after a failure was shown. */
  onFailed(): void;
}

/** One deletion, merge or rename: what was deleted, when, and how long it can be undone. Deleting for good requires typing the count. */
function BinLine({ entry, onUndo, onPurge, onFailed }: BinLineProps) {
  const t = useTexts(historyTexts);
  const filters = useTexts(filterTexts);
  const { dates, locale } = useFormats();
  const { toasts } = useServices();
  const [isPurging, setIsPurging] = useState(false);
  const { isBusy, run } = useAction({ toasts, onFailure: onFailed });
  const [typed, setTyped] = useState('');
  const [isRefused, setIsRefused] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const line = useRef<HTMLLIElement>(null);
  const what = nameOf(entry, locale, filters, t);
  const confirmation = { by: 'count', count: entry.matched } as const;
  const time = (iso: string) => dates.moment(new Date(iso));
  useEffect(() => {
    if (isPurging) field.current?.focus();
  }, [isPurging]);

  const act = (action: () => Promise<void>) => {
    if (!isBusy) focusNeighbour(line.current);
    void run(action);
  };
  const purge = () => {
    if (isConfirmed(confirmation, typed)) act(onPurge);
    else {
      setIsRefused(true);
      field.current?.focus();
    }
  };
  const keep = () => {
    setIsPurging(false);
    setTyped('');
    setIsRefused(false);
    line.current?.querySelector<HTMLElement>('button')?.focus();
  };
  return (
    <li ref={line} aria-busy={isBusy || undefined}>
      <div className={`line wrap ${styles.binLine}`}>
        <p>
          <b>{what}</b> <span className="num">{t('bin.count', { count: entry.matched })}</span>
          <small>
            <time dateTime={entry.createdAt}>{t(whenOf(entry.kind), { time: time(entry.createdAt) })}</time>
            <time dateTime={entry.undoUntil}>
              {t(entry.into ? 'bin.undoUntil' : 'bin.until', { time: time(entry.undoUntil) })}
            </time>
          </small>
        </p>
        <Button
          look="small"
          icon="undo"
          label={t('undo')}
          aria-label={t('bin.undo.of', { what })}
          isOff={isBusy}
          onClick={() => act(onUndo)}
        />
        {!isPurging && !entry.into && (
          <Button
            look="small danger-quiet"
            label={t('bin.purge')}
            aria-label={t('bin.purge.of', { what })}
            onClick={() => setIsPurging(true)}
          />
        )}
      </div>
      {isPurging && (
        // biome-ignore lint/a11y/noStaticElementInteractions: handles Escape from any element inside
        <div
          className="well stack mt-s3 type-small"
          onKeyDown={(event) => {
            if (event.key !== 'Escape' || event.nativeEvent.isComposing) return;
            // Otherwise the browser would also close the dialog.
            event.preventDefault();
            keep();
          }}
        >
          <p>{t('bin.purge.about')}</p>
          <ConfirmField
            inputRef={field}
            confirmation={confirmation}
            isRefused={isRefused}
            value={typed}
            onChange={setTyped}
            onEnter={purge}
          />
          <div className="line to-end">
            <Button look="small" label={t('cancel')} onClick={keep} />
            <Button
              look="small danger"
              label={t('bin.purge.do', { count: grouped(entry.matched) })}
              aria-disabled={isBusy || !isConfirmed(confirmation, typed)}
              onClick={purge}
            />
          </div>
        </div>
      )}
    </li>
  );
}

function nameOf(
  { kind, title, contact, into, from, to, tz }: BinEntry,
  locale: string,
  filters: Translate<FilterTexts>,
  t: Translate<HistoryTexts>,
): string {
  const person = contact ? fullContactLabel(contact) : '';
  if (kind === 'merge' && into) return t('bin.merge', { contact: person, into: fullContactLabel(into) });
  if (kind === 'rename' && into) return t('bin.rename', { contact: person, into: fullContactLabel(into) });
  if (kind === 'contact') return t('bin.contact', { contact: person || t('myself') });
  if (kind === 'conversation')
    return title ? t('bin.conversation', { title }) : t('bin.conversation.untitled');
  if (kind === 'selection') return t('selected.bar');
  const days = createDayFormat(locale, dayIn(tz || undefined), filters).range(from, to || from);
  return person ? `${days} · ${person}` : days;
}

function whenOf(kind: BinEntry['kind']) {
  return kind === 'merge' || kind === 'rename' ? (`bin.when.${kind}` as const) : 'bin.when';
}
