import { type CSSProperties, useEffect, useRef, useState } from 'react';
import type { SourceTranslate } from '../source-viewer/source-texts.ts';
import { drawPage } from './draw-page.ts';
import { giveUpAfter } from './give-up-after.ts';
import type { Rectangle } from './highlight-rectangles.ts';
import type { OpenPdf } from './open-pdf.ts';
import type { PageSize } from './page-layout.ts';
import styles from './pdf-pages.module.css';

interface PdfPageProps {
  pdf: Pick<OpenPdf, 'document' | 'isLoading'>;
  /** Counted from 1. */
  number: number;
  /** In CSS pixels. */
  width: number;
  top: number;
  height: number;
  highlights: readonly Rectangle[];
  t: SourceTranslate;
  onSize(number: number, size: PageSize): void;
  /** Called if drawing takes too long: pdf.js may follow a cycle in the file without an end. */
  onTooSlow(): void;
}

/** A page as an image, with the quote highlighted. Its memory is free again when it is unmounted. */
export function PdfPage(props: PdfPageProps) {
  const { pdf, number, width, top, height, highlights, t, onSize, onTooSlow } = props;
  const holder = useRef<HTMLDivElement>(null);
  const [state, setState] = useState<'loading' | 'drawn' | 'failed'>('loading');
  const handleTooSlow = useRef(onTooSlow);
  handleTooSlow.current = onTooSlow;
  useEffect(() => {
    const gone = new AbortController();
    const draw = async () => {
      const page = await pdf.document.getPage(number);
      const viewport = page.getViewport({ scale: 1 });
      onSize(number, { width: viewport.width, height: viewport.height });
      const canvas = await drawPage(page, width, gone.signal);
      if (gone.signal.aborted) return;
      // The previous one is stretched until this one is complete.
      holder.current?.replaceChildren(canvas);
      setState('drawn');
    };
    const stop = giveUpAfter(pdf.isLoading, () => handleTooSlow.current());
    draw()
      .catch(() => gone.signal.aborted || setState('failed'))
      .finally(stop);
    return () => {
      gone.abort();
      stop();
    };
  }, [pdf, number, width, onSize]);
  return (
    <div className={styles.page} style={{ top, width, height }} data-page={number}>
      <div
        ref={holder}
        className={styles.paper}
        role="img"
        aria-label={t('page', { n: number })}
        aria-busy={state === 'loading'}
      />
      {state === 'failed' && <p className={styles.failed}>{t('pageFailed')}</p>}
      {highlights.map((highlight) => (
        <i
          key={`${highlight.left} ${highlight.top}`}
          className={styles.highlight}
          style={shareStyle(highlight)}
          data-highlight
        />
      ))}
    </div>
  );
}

function shareStyle({ left, top, width, height }: Rectangle): CSSProperties {
  const percent = (share: number) => `${share * 100}%`;
  return { left: percent(left), top: percent(top), width: percent(width), height: percent(height) };
}
