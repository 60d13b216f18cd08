import type { Translate } from 'host/contract';
import { Button } from 'host/ui/button.tsx';
import { Fault } from 'host/ui/fault.tsx';
import { Skeleton } from 'host/ui/skeleton.tsx';
import { LoadProblem } from '../lib/load-problem.tsx';
import type { ShownList } from '../lib/use-paged-list.ts';
import styles from './knowledge.module.css';
import type { KnowledgeTexts } from './knowledge-texts.ts';

interface ListEndProps {
  t: Translate<KnowledgeTexts>;
  list: ShownList<unknown>;
  isWhole: boolean;
  query: string;
  /** Title of a failure. */
  title: string;
  /** Label of the button that loads more. */
  more: string;
  empty: { title: string; about: string };
}

/** The end of a list: more items, an empty state, or a failure. */
export function ListEnd({ t, list, isWhole, query, title, more, empty }: ListEndProps) {
  const { items, isLoading, failure, hasMore, hasBegun } = list;
  if (items.length === 0) {
    if (failure) return <LoadProblem failure={failure} title={title} t={t} onRetry={list.more} />;
    if (!hasBegun)
      return (
        <Skeleton className={styles.rowSkeleton} label={t('loading')} lines={['half', 'most', 'half']} />
      );
    const isSearch = isWhole && query.trim() !== '';
    return (
      <div className={`failed ${styles.nothing}`} role="status">
        <h3>{isSearch ? t('documents.none', { query: query.trim() }) : empty.title}</h3>
        <p>{isSearch ? t('documents.none.about') : empty.about}</p>
      </div>
    );
  }
  if (!isWhole) return null;
  return (
    <>
      {failure && <Fault>{failure.message}</Fault>}
      {hasMore && (
        <p className={styles.more}>
          <Button
            label={failure ? t('retry') : isLoading ? t('history.loadingMore') : more}
            aria-disabled={isLoading}
            onClick={list.more}
          />
        </p>
      )}
    </>
  );
}
