import { useLayoutEffect, useRef } from 'react';
import { SourceText } from '../source-viewer/source-text.tsx';
import type { SourceTranslate } from '../source-viewer/source-texts.ts';
import styles from './pdf-pages.module.css';
import type { QuotedPage } from './quote-pages.ts';

interface QuotedPageTextProps {
  quoted: QuotedPage;
  /** Whether the page is an image whose text was recognised. */
  isRecognised: boolean;
  t: SourceTranslate;
}

/** The extracted text of a page on which the quote cannot be highlighted, with the quote highlighted in it. */
export function QuotedPageText({ quoted: { page, part, span }, isRecognised, t }: QuotedPageTextProps) {
  const body = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another quote was opened
  useLayoutEffect(() => {
    body.current?.querySelector('mark, [data-quoted]')?.scrollIntoView?.({ block: 'nearest' });
  }, [part, span]);
  const label = `${t(isRecognised ? 'recognised' : 'text')} · ${t('page', { n: page })}`;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: allows scrolling by keyboard
    <section ref={body} className={styles.text} tabIndex={0} aria-label={label}>
      <h3>{label}</h3>
      <SourceText part={part} quote={span} t={t} />
    </section>
  );
}
