import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import type { BinEntry, BinPage } from 'api/contract/deletions';
import { Button } from 'host/ui/button.tsx';
import { editPages } from 'host/ui/queries.ts';
import { useTexts } from 'host/ui/screen.tsx';
import { Skeleton } from 'host/ui/skeleton.tsx';
import { Dialog } from '../lib/dialogs.tsx';
import { LoadProblem } from '../lib/load-problem.tsx';
import { useServices } from '../lib/services.ts';
import { historyTexts } from '../lib/texts.ts';
import { BinLine } from './bin-line.tsx';
import styles from './dialogs.module.css';

interface BinDialogProps {
  onClose(): void;
  /** Called when records were restored or deleted for good. */
  onChanged(): void;
}

const PAGE = 20;

/** Deletions, merges and renames of contacts that can still be undone, newest first. */
export function BinDialog({ onClose, onChanged }: BinDialogProps) {
  const t = useTexts(historyTexts);
  const { http, toasts } = useServices();
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
        {query.hasNextPage && (
          <Button label={t('bin.more')} aria-disabled={isFetching || undefined} onClick={more} />
        )}
      </div>
    </Dialog>
  );
}
