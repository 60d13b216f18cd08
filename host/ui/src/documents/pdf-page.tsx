import { type CSSProperties, useEffect, useRef, useState } from 'react';
import { drawPage } from './draw-page.ts';
import { giveUpAfter } from './give-up-after.ts';
import type { Rectangle } from './highlight-rectangles.ts';
import type { OpenPdf, PDFPageProxy } from './open-pdf.ts';
import type { PageSize } from './page-layout.ts';
import styles from './pdf-pages.module.css';
import type { SourceTranslate } from './source-texts.ts';

interface PdfPageProps {
  pdf: Pick<OpenPdf, 'document' | 'isLoading'>;
  /** Counted from 1. */
  number: number;
  /** In CSS pixels. */
  width: number;
  top: number;
  height: number;
  highlights: readonly Rectangle[];
  hasText: boolean | undefined;
  t: SourceTranslate;
  onSize(number: number, size: PageSize): void;
  /** Called if drawing takes too long, because pdf.js may follow a cycle in the file forever. */
  onTooSlow(): void;
}

/** A page as an image, with the quote highlighted. Its memory is free again when it is unmounted. */
export function PdfPage(props: PdfPageProps) {
  const { pdf, number, width, top, height, highlights, hasText, t, onSize, onTooSlow } = props;
  const holder = useRef<HTMLDivElement>(null);
  const [state, setState] = useState<'loading' | 'drawn' | 'failed'>('loading');
  const [text, setText] = useState('');
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
      // Until this canvas is complete, the previous one is shown, stretched.
      holder.current?.replaceChildren(canvas);
      setState('drawn');
      if (hasText) setText(await readText(page));
    };
    const stop = giveUpAfter(pdf.isLoading, () => handleTooSlow.current());
    draw()
      .catch(() => gone.signal.aborted || setState('failed'))
      .finally(stop);
    return () => {
      gone.abort();
      stop();
    };
  }, [pdf, number, width, hasText, onSize]);
  return (
    <div className={styles.page} style={{ top, width, height }} data-page={number}>
      <div
        ref={holder}
        className={styles.paper}
        role="img"
        aria-label={t('page', { n: number })}
        aria-busy={state === 'loading'}
      />
      {text && <p className="sr">{text}</p>}
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

async function readText(page: PDFPageProxy): Promise<string> {
  const { items } = await page.getTextContent();
  return items.map((item) => ('str' in item ? item.str + (item.hasEOL ? '\n' : '') : '')).join('');
}

function shareStyle({ left, top, width, height }: Rectangle): CSSProperties {
  const percent = (share: number) => `${share * 100}%`;
  return { left: percent(left), top: percent(top), width: percent(width), height: percent(height) };
}
