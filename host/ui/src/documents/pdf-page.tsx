import { AnnotationMode } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { type CSSProperties, useEffect, useRef, useState } from 'react';
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
  /** Pass the same functions each time; otherwise the page is drawn again. */
  onSize(number: number, size: PageSize): void;
  /** Called if drawing takes too long, because pdf.js may follow a cycle in the file forever. */
  onTooSlow(): void;
}

/** Maximum size of a canvas, in pixels. Some browsers refuse larger ones. */
const MAX_PIXELS = 16 * 1024 * 1024;

/** A page as an image, with the quote highlighted. Its memory is free again when it is unmounted. */
export function PdfPage(props: PdfPageProps) {
  const { pdf, number, width, top, height, highlights, hasText, t, onSize, onTooSlow } = props;
  const holder = useRef<HTMLDivElement>(null);
  const [state, setState] = useState<'loading' | 'drawn' | 'failed'>('loading');
  const [text, setText] = useState('');
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
    const stop = giveUpAfter(pdf.isLoading, onTooSlow);
    draw()
      .catch(() => gone.signal.aborted || setState('failed'))
      .finally(stop);
    return () => {
      gone.abort();
      stop();
    };
  }, [pdf, number, width, hasText, onSize, onTooSlow]);
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

/**
 * Draws a page `width` CSS pixels wide, as sharp as the screen. Drawing happens in slices of a few milliseconds. The canvas is empty again
 * after `signal` is aborted, so that its memory is free.
 */
async function drawPage(page: PDFPageProxy, width: number, signal: AbortSignal): Promise<HTMLCanvasElement> {
  const size = page.getViewport({ scale: 1 });
  const wanted = (width * (devicePixelRatio || 1)) / size.width;
  const largest = Math.sqrt(MAX_PIXELS / (size.width * size.height));
  const viewport = page.getViewport({ scale: Math.min(wanted, largest) });
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.floor(viewport.width));
  canvas.height = Math.max(1, Math.floor(viewport.height));
  const task = page.render({ canvas, viewport, annotationMode: AnnotationMode.ENABLE });
  const release = () => {
    task.cancel();
    canvas.width = 0;
    canvas.height = 0;
  };
  signal.addEventListener('abort', release, { once: true });
  try {
    await task.promise;
  } catch (error) {
    release();
    throw error;
  }
  return canvas;
}

async function readText(page: PDFPageProxy): Promise<string> {
  const { items } = await page.getTextContent();
  return items.map((item) => ('str' in item ? item.str + (item.hasEOL ? '\n' : '') : '')).join('');
}

function shareStyle({ left, top, width, height }: Rectangle): CSSProperties {
  const percent = (share: number) => `${share * 100}%`;
  return { left: percent(left), top: percent(top), width: percent(width), height: percent(height) };
}

const INTERVAL = 500;
/** Time in ms that drawing or reading a page may take. */
const LIMIT = 8000;

/** Calls `onEnd` after `LIMIT` in a visible page during which nothing of the file was loading. Returns a function that cancels this. */
export function giveUpAfter(isLoading: () => boolean, onEnd: () => void): () => void {
  let time = 0;
  const timer = setInterval(() => {
    if (document.hidden || isLoading()) return;
    time += INTERVAL;
    if (time < LIMIT) return;
    clearInterval(timer);
    onEnd();
  }, INTERVAL);
  return () => clearInterval(timer);
}
