import type { Citation } from 'api/contract/answers';
import type { Translate } from 'host/contract';
import { citedPlace } from 'host/ui/cited-place.ts';
import { QuotedText } from 'host/ui/quoted-text.tsx';
import type { RefObject } from 'react';
import styles from './detail.module.css';
import type { HistoryTexts } from './history-texts.ts';

interface SourceListProps {
  listRef: RefObject<HTMLElement | null>;
  citations: (Citation & { n: number })[];
  t: Translate<HistoryTexts>;
  /** Opens the passage of source `n`, numbered from 1 like the marks in the answer. */
  onOpen(n: number): void;
}

/** The sources of the answer, those of one document together: place and quote of each. */
export function SourceList({ listRef, citations, t, onOpen }: SourceListProps) {
  const documents = [...Map.groupBy(citations, ({ title }) => title)];
  return (
    <section className={styles.sources} ref={listRef} aria-label={t('sources')}>
      <h3>{t('sources')}</h3>
      <ol>
        {documents.flatMap(([title, some]) =>
          some.map((citation, index) => (
            <li key={citation.n} data-source={citation.n} tabIndex={-1}>
              <span className={styles.number}>{citation.n}</span>
              <span>
                {index === 0 && <b dir="auto">{title}</b>}
                <small dir="auto">{citedPlace(citation, (key, values) => t(`notice.${key}`, values))}</small>
              </span>
              <button
                className={styles.passage}
                type="button"
                aria-label={t('passage.of', { n: citation.n })}
                onClick={() => onOpen(citation.n)}
              >
                {t('passage')}
              </button>
              <q className="quoted" dir="auto">
                <QuotedText text={citation.quote} />
              </q>
            </li>
          )),
        )}
      </ol>
    </section>
  );
}
