import type { Translate } from 'host/contract';
import { Button } from 'host/ui/button.tsx';
import { EmptyState, Problem } from 'host/ui/problem.tsx';
import { ScreenHead } from 'host/ui/screen.tsx';
import { Skeleton } from 'host/ui/skeleton.tsx';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { Forbidden, type ForbiddenTexts } from './forbidden.tsx';
import styles from './list-screen.module.css';
import type { Pages } from './use-pages.ts';

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
