import type { KnowledgeDocumentInfo, KnowledgePassagePage, Passage } from 'api/contract';
import type { Http, Translate } from 'host/contract';
import { useEffect, useState } from 'react';
import { Problem } from '../problem.tsx';
import { useStream } from '../use-stream.ts';
import styles from './documents.module.css';
import type { KnowledgeWords } from './knowledge-words.ts';
import { createPagedList } from './paged-list.ts';

interface PassageListProps {
  document: KnowledgeDocumentInfo;
  http: Http;
  t: Translate<KnowledgeWords>;
}

/** The passages of a document in its order, each under its place, as answers would cite them. */
export function PassageList({ document: { id, status, title }, http, t }: PassageListProps) {
  const [list] = useState(() =>
    createPagedList<Passage & { id: string }>(async (cursor, limit, signal) => {
      const params = { limit, ...(cursor && { cursor }) };
      const url = `/api/knowledge/documents/${encodeURIComponent(id)}/passages`;
      const { data } = await http.get<KnowledgePassagePage>(url, { params, signal });
      return { items: data.passages, total: data.passages.length, nextCursor: data.nextCursor };
    }),
  );
  useEffect(() => {
    void list.more();
  }, [list]);
  const { items, isLoading, hasMore, hasBegun, failure } = useStream(list.state$);
  const more = () => void list.more();
  if (status !== 'ready' && items.length === 0)
    return status === 'indexing' ? <p className={styles.blank}>{t('document.indexing')}</p> : null;
  if (items.length === 0) {
    if (failure) return <Problem failure={failure} title={t('document.failed')} t={t} onRetry={more} />;
    if (hasBegun) return <p className={styles.blank}>{t('document.noPassages')}</p>;
    return (
      <div className={styles.passageBones} role="status" aria-label={t('loading')}>
        <span className="bone third" />
        <span className="bone full" />
        <span className="bone full" />
        <span className="bone most" />
      </div>
    );
  }
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a long text is scrolled by keyboard too
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
          <button className="button small" type="button" aria-disabled={isLoading} onClick={more}>
            {isLoading ? t('history.loadingMore') : failure ? t('retry') : t('document.more')}
          </button>
        </p>
      )}
    </section>
  );
}
