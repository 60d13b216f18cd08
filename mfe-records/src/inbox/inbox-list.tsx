import type { InboxEntry } from 'api/contract/handover';
import type { Translate } from 'host/contract';
import { Icon } from 'host/ui/icon.tsx';
import { Skeleton } from 'host/ui/skeleton.tsx';
import type { RefObject } from 'react';
import type { Calendar } from '../calendar.ts';
import type { ShownList } from '../knowledge/use-paged-list.ts';
import { LoadProblem } from '../load-problem.tsx';
import styles from './inbox.module.css';
import { InboxRow } from './inbox-row.tsx';
import type { InboxTexts } from './inbox-texts.ts';
import { useMinute } from './use-minute.ts';

interface InboxListProps {
  listRef: RefObject<HTMLDivElement | null>;
  list: ShownList<InboxEntry>;
  state: 'open' | 'closed';
  chosenId: string | null;
  calendar: Calendar;
  t: Translate<InboxTexts>;
  /** The address of the screen with this request chosen. */
  searchOf(id: string): string;
}

/** The open or closed requests, page by page. */
export function InboxList({ listRef, list, state, chosenId, calendar, t, searchOf }: InboxListProps) {
  const { isLoading, hasMore, failure, more } = list;
  const now = useMinute();
  // The other state's requests are not shown while these are loading.
  const items = list.isBehind ? [] : list.items;
  const hasBegun = list.hasBegun && !list.isBehind;
  return (
    <section className={styles.list} aria-label={t('list')} ref={listRef}>
      {items.length > 0 && (
        <ul>
          {items.map((entry) => (
            <InboxRow
              key={entry.id}
              entry={entry}
              isCurrent={entry.id === chosenId}
              replaces={chosenId !== null}
              search={searchOf(entry.id)}
              {...{ now, calendar, t }}
            />
          ))}
        </ul>
      )}
      {items.length > 0 && (hasMore || failure) && (
        <div className={styles.more}>
          {failure && <p role="alert">{failure.message}</p>}
          {hasMore && (
            <button className="button small" type="button" aria-disabled={isLoading} onClick={more}>
              {t(isLoading ? 'history.loadingMore' : failure ? 'retry' : 'more')}
            </button>
          )}
        </div>
      )}
      {items.length === 0 && failure && (
        <LoadProblem failure={failure} title={t('failed')} t={t} onRetry={more} />
      )}
      {items.length === 0 && !failure && hasBegun && (
        <div className={styles.empty}>
          <span className={styles.done}>
            <Icon name="check" />
          </span>
          <h2>{t(`empty.${state}`)}</h2>
          <p>{t(`empty.${state}.about`)}</p>
        </div>
      )}
      {items.length === 0 && !failure && !hasBegun && (
        <Skeleton
          className={styles.skeleton}
          label={t('loading')}
          lines={['most', 'half', 'third', 'most', 'half', 'third']}
        />
      )}
    </section>
  );
}
