import type { HttpFailure, ScreenProps, Translate } from 'host/contract';
import { Button } from 'host/ui/button.tsx';
import { asFailure } from 'host/ui/failure.ts';
import { EmptyState, Problem } from 'host/ui/problem.tsx';
import { ScreenHead } from 'host/ui/screen.tsx';
import { Skeleton } from 'host/ui/skeleton.tsx';
import { useAction } from 'host/ui/use-action.ts';
import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react';
import { Link } from 'react-router-dom';
import styles from './list-screen.module.css';

/** The texts that every list has. */
interface ListTexts extends ForbiddenTexts {
  title: string;
  loading: string;
  failed: string;
  none: string;
  'none.about': string;
  more: string;
}

interface ListScreenProps<T> {
  t: Translate<ListTexts>;
  pages: Pages<T>;
  /** Fields and buttons above the list. */
  filter: ReactNode;
  /** A link to another screen, beside the title. */
  link: { to: string; label: string };
  /** Dialogs and notices, which are also shown without a list. */
  notices?: ReactNode;
  list(items: T[]): ReactNode;
}

/** A screen with a list for administrators; shows why there is no list while loading, after a failure and without the right. */
export function ListScreen<T>({ t, pages, filter, link, notices, list }: ListScreenProps<T>) {
  const { items, failure } = pages;
  const isForbidden = failure?.status === 403;
  return (
    <main className="page" id="main" tabIndex={-1}>
      <ScreenHead title={t('title')}>
        {!isForbidden && (
          <Link className="button" to={link.to}>
            {link.label}
          </Link>
        )}
      </ScreenHead>
      {isForbidden ? (
        <div className="body">
          <Forbidden t={t} />
        </div>
      ) : (
        <div className={`body ${styles.list}`}>
          <div className={styles.filter}>{filter}</div>
          {notices}
          {failure && (
            <Problem
              title={t('failed')}
              message={failure.message}
              requestId={failure.requestId}
              onRetry={pages.retry}
            />
          )}
          {!items && !failure && (
            <Skeleton
              className={styles.skeleton}
              label={t('loading')}
              lines={['third', 'most', 'third', 'most']}
            />
          )}
          {items?.length === 0 && !failure && <EmptyState title={t('none')} about={t('none.about')} />}
          {items && items.length > 0 && !failure && (
            <>
              {list(items)}
              {pages.hasMore && (
                <Button isOff={pages.isBusy} label={t('more')} onClick={() => void pages.more()} />
              )}
            </>
          )}
        </div>
      )}
    </main>
  );
}

interface ForbiddenTexts {
  forbidden: string;
  'forbidden.about': string;
  'forbidden.back': string;
}

/** Shown instead of a screen to accounts without the right to use it. */
export function Forbidden({ t }: { t: Translate<ForbiddenTexts> }) {
  return (
    <EmptyState title={t('forbidden')} about={t('forbidden.about')}>
      <Link className="button" to="/index">
        {t('forbidden.back')}
      </Link>
    </EmptyState>
  );
}

/** The list is read when nothing was typed for this time, in ms. */
const restMs = 250;

interface Page<T> {
  items: T[];
  nextCursor: string | null;
}

type Pages<T> = ReturnType<typeof usePages<T>>;

/** Reads a list page by page. Starts again when `filter` changes: at once, or after a pause while the visitor types. */
export function usePages<T>(
  toasts: ScreenProps['services']['toasts'],
  filter: Record<string, unknown>,
  readPage: (request: Record<string, unknown>, signal: AbortSignal) => Promise<Page<T>>,
) {
  const key = JSON.stringify(filter);
  const [items, setItems] = useState<T[] | null>(null);
  const [nextCursor, setNextCursor] = useState<string | null>(null);
  const [failure, setFailure] = useState<HttpFailure | null>(null);
  const [attempt, setAttempt] = useState(0);
  const reading = useAction({ toasts });
  const typed = useRef(false);
  const read = useEffectEvent((signal: AbortSignal) => readPage(filter, signal));

  // biome-ignore lint/correctness/useExhaustiveDependencies: another filter and each attempt read the list again
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    // A further page of the former list must not be added to this one.
    reading.cancel();
    const start = async () => {
      try {
        const page = await read(signal);
        if (signal.aborted) return;
        setItems(page.items);
        setNextCursor(page.nextCursor);
        setFailure(null);
      } catch (error) {
        if (!signal.aborted) setFailure(asFailure(error));
      }
    };
    const timer = setTimeout(start, typed.current ? restMs : 0);
    typed.current = false;
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [key, attempt]);

  return {
    /** null until the first page was read. */
    items,
    setItems,
    failure,
    retry: () => setAttempt((before) => before + 1),
    /** Call it before a change of the filter by typing. */
    typing() {
      typed.current = true;
    },
    hasMore: nextCursor !== null,
    isBusy: reading.isBusy,
    more: () =>
      reading.run(async (signal) => {
        const page = await readPage({ ...filter, cursor: nextCursor }, signal);
        if (signal.aborted) return;
        setItems((before) => [...(before ?? []), ...page.items]);
        setNextCursor(page.nextCursor);
      }),
  };
}
