import { Fragment, useLayoutEffect, useRef } from 'react';
import styles from './pdf-pages.module.css';
import type { QuotedPage } from './quote-pages.ts';
import { SourceText } from './source-text.tsx';
import type { SourceTranslate } from './source-texts.ts';

interface QuotedPageTextProps {
  pages: readonly QuotedPage[];
  /** Whether the pages are images whose text was recognised. */
  isRecognised: boolean;
  t: SourceTranslate;
}

/** The extracted text of pages in whose image the quote cannot be highlighted, with the quote highlighted. */
export function QuotedPageText({ pages, isRecognised, t }: QuotedPageTextProps) {
  const body = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another quote was opened
  useLayoutEffect(() => {
    body.current?.querySelector('mark, [data-quoted]')?.scrollIntoView?.({ block: 'nearest' });
  }, [pages]);
  const label = t(isRecognised ? 'recognised' : 'text');
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: allows scrolling by keyboard
    <section ref={body} className={styles.text} tabIndex={0} aria-label={label}>
      {pages.map(({ page, part, span }) => (
        <Fragment key={page}>
          <h3 className="mb-s2 type-small strong ink-2">
            {label} · {t('page', { n: page })}
          </h3>
          <SourceText part={part} quote={span} t={t} />
        </Fragment>
      ))}
    </section>
  );
}
