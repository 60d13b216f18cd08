import type { Citation } from 'api/contract/answers';
import type { Translate } from 'host/contract';
import { nearestHeading } from 'host/ui/folded-rest.tsx';
import { QuotedText } from 'host/ui/quoted-text.tsx';
import type { RefObject } from 'react';
import type { RecordTexts } from '../lib/texts.ts';
import styles from './detail.module.css';

interface SourceListProps {
  listRef: RefObject<HTMLElement | null>;
  citations: Citation[];
  t: Translate<RecordTexts>;
  /** Opens the passage of source `n`, numbered from 1 like the marks in the answer. */
  onOpen(n: number): void;
}

/** The sources of the answer: title and quote of each. */
export function SourceList({ listRef, citations, t, onOpen }: SourceListProps) {
  return (
    <section className={styles.sources} ref={listRef} aria-label={t('sources')}>
      <h3>{t('sources')}</h3>
      <ol>
        {citations.map((citation, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a source is identified by its number
          <li key={index} data-source={index + 1} tabIndex={-1}>
            <span className={styles.number}>{index + 1}</span>
            <b dir="auto">{citation.title}</b>
            {citation.place && <small dir="auto">{nearestHeading(citation.place)}</small>}
            <button
              className={styles.passage}
              type="button"
              aria-label={t('passage.of', { n: index + 1 })}
              onClick={() => onOpen(index + 1)}
            >
              {t('passage')}
            </button>
            <q className="quoted" dir="auto">
              <QuotedText text={citation.quote} />
            </q>
          </li>
        ))}
      </ol>
    </section>
  );
}
