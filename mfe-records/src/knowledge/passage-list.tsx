import type { KnowledgeDocumentInfo, KnowledgePassagePage } from 'api/contract/knowledge';
import type { Http, Translate } from 'host/contract';
import { Button } from 'host/ui/button.tsx';
import { Skeleton } from 'host/ui/skeleton.tsx';
import { LoadProblem } from '../lib/load-problem.tsx';
import { usePagedList } from '../lib/use-paged-list.ts';
import styles from './documents.module.css';
import type { KnowledgeTexts } from './knowledge-texts.ts';

interface PassageListProps {
  document: KnowledgeDocumentInfo;
  http: Http;
  t: Translate<KnowledgeTexts>;
}

/** The passages of a document in order, each with its position, as answers cite them. */
export function PassageList({ document: { id, status, title, updatedAt }, http, t }: PassageListProps) {
  const { items, isLoading, hasMore, hasBegun, failure, more } = usePagedList({
    key: ['passages', id, status, updatedAt],
    staleTime: Number.POSITIVE_INFINITY,
    async read(cursor, limit, signal) {
      const params = { limit, ...(cursor && { cursor }) };
      const url = `/api/knowledge/documents/${encodeURIComponent(id)}/passages`;
      const { data } = await http.get<KnowledgePassagePage>(url, { params, signal });
      return { items: data.passages, total: data.passages.length, nextCursor: data.nextCursor };
    },
  });
  if (status !== 'ready' && items.length === 0)
    return status === 'indexing' ? <p className={styles.blank}>{t('document.indexing')}</p> : null;
  if (items.length === 0) {
    if (failure) return <LoadProblem failure={failure} title={t('document.failed')} t={t} onRetry={more} />;
    if (hasBegun) return <p className={styles.blank}>{t('document.noPassages')}</p>;
    return (
      <Skeleton
        className={styles.passageSkeleton}
        label={t('loading')}
        lines={['third', 'full', 'full', 'most']}
      />
    );
  }
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: allows scrolling by keyboard
    <section className={styles.passages} aria-label={`${title}：${t('document.passages')}`} tabIndex={0}>
      <ol>
        {items.map((passage, index) => (
          <li key={passage.id}>
            <p className={styles.place}>
              <span className="num">{t('document.passage', { n: index + 1 })}</span>
              {passage.place && ` · ${passage.place}`}
            </p>
            {passage.columns && (
              <p className={styles.place} dir="auto">
                {passage.columns}
              </p>
            )}
            <p className={styles.text} dir="auto">
              {passage.text}
            </p>
          </li>
        ))}
      </ol>
      {hasMore && (
        <p className={styles.more}>
          <Button
            look="small"
            label={isLoading ? t('history.loadingMore') : failure ? t('retry') : t('document.more')}
            aria-disabled={isLoading}
            onClick={more}
          />
        </p>
      )}
    </section>
  );
}
