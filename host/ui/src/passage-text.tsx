import { useEffect, useRef } from 'react';
import { findQuote, type Passage, type Quote } from './find-quote.ts';
import styles from './passage-text.module.css';
import { QuotedText } from './quoted-text.tsx';

interface PassageTextProps {
  passage: Passage & { place?: string | null | undefined; columns?: string | undefined };
  quote: Quote;
}

/** The passage of a document, below its place and the columns of its table; the quote is highlighted and scrolled into view. */
export function PassageText({ passage, quote }: PassageTextProps) {
  const mark = useRef<HTMLElement>(null);
  useEffect(() => {
    mark.current?.scrollIntoView?.({ block: 'center' });
  }, []);
  const [start, end] = findQuote(passage, quote);
  return (
    <>
      {passage.place && <p className={styles.place}>{passage.place}</p>}
      {passage.columns && (
        <p className={styles.place} dir="auto">
          {passage.columns}
        </p>
      )}
      <p className={styles.text} dir="auto">
        <QuotedText text={passage.text.slice(0, start)} />
        {end > start && (
          <mark ref={mark}>
            <QuotedText text={passage.text.slice(start, end)} />
          </mark>
        )}
        <QuotedText text={passage.text.slice(end)} />
      </p>
    </>
  );
}
