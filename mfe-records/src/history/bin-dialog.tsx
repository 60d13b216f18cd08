import type { BinEntry, BinPage } from 'api/contract/deletions';
import type { HostServices, HttpFailure, Translate } from 'host/contract';
import { useEffect, useState } from 'react';
import type { Calendar } from '../calendar.ts';
import { Dialog } from '../dialog.tsx';
import { plural } from '../plural.ts';
import { Problem } from '../problem.tsx';
import { BinLine } from './bin-line.tsx';
import styles from './dialogs.module.css';
import type { HistoryWords } from './history-words.ts';

export interface BinDialogProps {
  services: Pick<HostServices, 'http' | 'i18n' | 'toasts'>;
  calendar: Calendar;
  t: Translate<HistoryWords>;
  onClose(): void;
  /** Records came back, or are gone for good. */
  onChanged(): void;
}

interface Loaded {
  entries: BinEntry[];
  /** 0 while it is not known. */
  undoDays: number;
  nextCursor: string | null;
  isLoading: boolean;
  failure: HttpFailure | null;
}

const PAGE = 20;

/** What was erased and can still be brought back, newest first. */
export function BinDialog({ services, calendar, t, onClose, onChanged }: BinDialogProps) {
  const { http, i18n, toasts } = services;
  const [loaded, setLoaded] = useState<Loaded>({
    entries: [],
    undoDays: 0,
    nextCursor: null,
    isLoading: true,
    failure: null,
  });
  const [attempt, setAttempt] = useState(0);

  // biome-ignore lint/correctness/useExhaustiveDependencies: an attempt reads it anew
  useEffect(() => {
    const leaving = new AbortController();
    const { signal } = leaving;
    setLoaded((before) => ({ ...before, isLoading: true, failure: null }));
    http.get<BinPage>('/api/bin', { params: { limit: PAGE }, signal }).then(
      ({ data }) =>
        signal.aborted ||
        setLoaded({
          entries: data.deletions,
          undoDays: data.undoDays,
          nextCursor: data.nextCursor,
          isLoading: false,
          failure: null,
        }),
      (failure: HttpFailure) =>
        signal.aborted || setLoaded((before) => ({ ...before, isLoading: false, failure })),
    );
    const again = () => setAttempt((before) => before + 1);
    window.addEventListener('online', again);
    return () => {
      leaving.abort();
      window.removeEventListener('online', again);
    };
  }, [http, attempt]);

  const more = async () => {
    setLoaded((before) => ({ ...before, isLoading: true }));
    try {
      const params = { limit: PAGE, cursor: loaded.nextCursor };
      const { data } = await http.get<BinPage>('/api/bin', { params });
      setLoaded((before) => ({
        ...before,
        entries: [...before.entries, ...data.deletions],
        nextCursor: data.nextCursor,
        isLoading: false,
        failure: null,
      }));
    } catch (error) {
      setLoaded((before) => ({ ...before, isLoading: false }));
      toasts.show({ kind: 'error', text: (error as HttpFailure).message });
    }
  };
  const settle = async (entry: BinEntry, url: string, done: (count: number) => string) => {
    try {
      const { data } = await http.post<{ restored?: number; purged?: number }>(url, {
        undoToken: entry.undoToken,
      });
      const count = data.restored ?? data.purged ?? entry.matched;
      setLoaded((before) => ({
        ...before,
        entries: before.entries.filter(({ undoToken }) => undoToken !== entry.undoToken),
      }));
      toasts.show({ kind: 'success', text: done(count) });
      onChanged();
    } catch (error) {
      toasts.show({ kind: 'error', text: (error as HttpFailure).message });
      // Undone elsewhere, or its time was over: what is left is shown.
      setAttempt((before) => before + 1);
    }
  };

  const { entries, undoDays, nextCursor, isLoading, failure } = loaded;
  return (
    <Dialog title={t('bin')} closeLabel={t('close')} onClose={onClose}>
      <div className={styles.binBody}>
        {undoDays > 0 && <p className="quiet">{t('bin.about', { days: plural(t, 'days', undoDays) })}</p>}
        {failure && (
          <Problem
            failure={failure}
            title={t('bin.failed')}
            t={t}
            onRetry={() => setAttempt((before) => before + 1)}
          />
        )}
        {isLoading && entries.length === 0 && (
          <div className={styles.late} role="status" aria-label={t('bin.loading')}>
            <span className="bone most" />
          </div>
        )}
        {!isLoading && !failure && entries.length === 0 && (
          <div className="blank">
            <b>{t('bin.empty')}</b>
            <span>{t('bin.empty.about', { days: plural(t, 'days', undoDays) })}</span>
          </div>
        )}
        {entries.length > 0 && (
          <ul className={styles.bin} aria-label={t('bin.list')}>
            {entries.map((entry) => (
              <BinLine
                key={entry.undoToken}
                entry={entry}
                locale={i18n.locale()}
                calendar={calendar}
                t={t}
                onUndo={() => settle(entry, '/api/undo_delete', (count) => plural(t, 'undo.done', count))}
                onPurge={() => settle(entry, '/api/purge', (count) => plural(t, 'bin.purge.done', count))}
              />
            ))}
          </ul>
        )}
        {nextCursor && (
          <button className="button" type="button" aria-disabled={isLoading || undefined} onClick={more}>
            {t('bin.more')}
          </button>
        )}
      </div>
    </Dialog>
  );
}
