import {
  Fragment,
  type KeyboardEvent,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { Icon } from '../icon.tsx';
import { Skeleton } from '../skeleton.tsx';
import { useDelayed } from '../use-delayed.ts';
import { useWidth } from '../use-width.ts';
import { findOnPage } from './find-on-page.ts';
import { highlightRectangles, type PlacedRun, type Rectangle } from './highlight-rectangles.ts';
import { type OpenPdf, openPdf, type PDFDocumentProxy } from './open-pdf.ts';
import {
  GAP,
  layOutPages,
  type PagePosition,
  type PageSize,
  pagesNear,
  pixelsOf,
  positionAt,
} from './page-layout.ts';
import { keyStep, PageTools, ZOOMS } from './page-tools.tsx';
import { giveUpAfter, PdfPage } from './pdf-page.tsx';
import styles from './pdf-pages.module.css';
import type { QuotedPage } from './quote-pages.ts';
import type { SourceReader } from './source-reader.ts';
import { SourceText } from './source-text.tsx';
import type { SourceTranslate } from './source-texts.ts';

export interface PdfTarget {
  /** What the quote covers, by page; empty if there is no quote. */
  quoted: readonly QuotedPage[];
  /** Page that is shown first if there is no quote, counted from 1. */
  page: number;
}

interface PdfPagesProps {
  documentId: string;
  reader: Pick<SourceReader, 'bytes'>;
  /** Where the pages are opened; undefined while unknown. A new object scrolls there again. */
  target: PdfTarget | undefined;
  /** Whether the document no longer contains the quote. */
  isLost: boolean;
  /** Whether screen readers get the text of the pages. */
  hasText?: boolean;
  t: SourceTranslate;
  onFailed(): void;
}

const USUAL_SIZE: PageSize = { width: 595, height: 842 };
/** A quote is scrolled to this share of the visible height. */
const QUOTE_AT = 0.3;

/** The pages of a PDF below each other, at the quote, which is highlighted. Only pages that are visible or next to these are drawn. */
export function PdfPages({ documentId, reader, target, isLost, hasText, t, onFailed }: PdfPagesProps) {
  const handleFailure = useRef(onFailed);
  handleFailure.current = onFailed;
  const fail = useCallback(() => handleFailure.current(), []);
  const pdf = usePdf(documentId, reader, fail);
  const document = pdf?.document;
  const located = useLocated(pdf, target, fail);
  const isSlow = useDelayed(true);
  const [scroller, available] = useWidth<HTMLElement>(600);
  const [zoom, setZoom] = useState(1);
  const [sizes, setSizes] = useState<ReadonlyMap<number, PageSize>>(new Map());
  const [visible, setVisible] = useState({ top: 0, bottom: 0 });
  const position = useRef<PagePosition>({ page: 1, share: 0 });

  const count = document?.numPages ?? 0;
  const width = Math.max(120, Math.round((available - 2 * GAP) * zoom));
  const layout = useMemo(
    () => layOutPages(count, sizes, located?.size ?? USUAL_SIZE, width),
    [count, sizes, located?.size, width],
  );
  const onSize = useCallback((page: number, size: PageSize) => {
    setSizes((known) => {
      const before = known.get(page);
      if (before?.width === size.width && before.height === size.height) return known;
      return new Map(known).set(page, size);
    });
  }, []);

  const readScroll = useCallback(() => {
    const element = scroller.current;
    if (!element) return;
    position.current = positionAt(layout, element.scrollTop);
    setVisible({ top: element.scrollTop, bottom: element.scrollTop + element.clientHeight });
  }, [scroller, layout]);
  // Keeps the text that is being read in place when the zoom or the known sizes change.
  useLayoutEffect(() => {
    if (!scroller.current || count === 0) return;
    scroller.current.scrollTop = pixelsOf(layout, position.current);
    readScroll();
  }, [scroller, layout, count, readScroll]);
  const shown = useRef<{ target: PdfTarget; documentId: string }>(undefined);
  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element || !located) return;
    // A new version of the same document keeps the scroll position.
    if (shown.current?.target === located.target && shown.current.documentId === documentId) return;
    shown.current = { target: located.target, documentId };
    const first = located.highlights.get(located.page)?.[0];
    const top = pixelsOf(layout, { page: located.page, share: first?.top ?? 0 });
    element.scrollTop = first ? top - element.clientHeight * QUOTE_AT : top - GAP;
    if (first) element.scrollLeft = first.left * layout.width - GAP;
    readScroll();
  }, [scroller, located, documentId, layout, readScroll]);

  const current = count === 0 ? 0 : positionAt(layout, (visible.top * 2 + visible.bottom) / 3).page;
  const goTo = (page: number) => {
    if (page < 1 || page > count || !scroller.current) return;
    scroller.current.scrollTop = pixelsOf(layout, { page, share: 0 }) - GAP;
    readScroll();
  };
  const handleKey = (event: KeyboardEvent) => {
    const { step, turn } = keyStep(event);
    if (step) setZoom(ZOOMS[ZOOMS.indexOf(zoom) + step] ?? zoom);
    else if (turn && zoom <= 1) goTo(current + turn);
    else return;
    event.preventDefault();
  };
  const isReady = document !== undefined && located !== undefined;
  return (
    <div className="column">
      <PageTools
        page={current}
        count={isReady ? count : 0}
        zoom={zoom}
        t={t}
        onPage={goTo}
        onZoom={setZoom}
      />
      <section
        ref={scroller}
        className={styles.scroller}
        aria-label={t('pages')}
        aria-busy={!isReady}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: allows scrolling by keyboard
        tabIndex={0}
        onScroll={readScroll}
        onKeyDown={handleKey}
      >
        {isReady && pdf ? (
          <div className={styles.pages} style={{ height: layout.height, width: layout.width }}>
            {pagesNear(layout, visible.top, visible.bottom).map((number) => (
              <PdfPage
                key={number}
                pdf={pdf}
                number={number}
                width={width}
                top={layout.tops[number - 1]!}
                height={layout.heights[number - 1]!}
                highlights={located.highlights.get(number) ?? []}
                hasText={hasText}
                t={t}
                onSize={onSize}
                onTooSlow={fail}
              />
            ))}
          </div>
        ) : (
          isSlow && <Skeleton label={t('loading')} lines={['third', 'full', 'full', 'most']} />
        )}
      </section>
      {isLost && (
        <p className={styles.lost} role="status">
          <Icon name="info" isSmall /> {t('changed')}
        </p>
      )}
      {located && located.missing.length > 0 && (
        <QuotedPageText pages={located.missing} isRecognised={!located.hasText} t={t} />
      )}
    </div>
  );
}

interface QuotedPageTextProps {
  pages: readonly QuotedPage[];
  /** Whether the pages are images whose text was recognised. */
  isRecognised: boolean;
  t: SourceTranslate;
}

/** The extracted text of pages in whose image the quote cannot be highlighted, with the quote highlighted. */
function QuotedPageText({ pages, isRecognised, t }: QuotedPageTextProps) {
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

/** The quote's place in the file; the previous one while another one is looked for. `fail` is always the same function. */
function useLocated(
  pdf: ReturnType<typeof usePdf>,
  target: PdfTarget | undefined,
  fail: () => void,
): (LocatedQuote & { target: PdfTarget }) | undefined {
  const [located, setLocated] = useState<LocatedQuote & { target: PdfTarget }>();
  useEffect(() => {
    if (!pdf || !target) return;
    let isCurrent = true;
    const stop = giveUpAfter(pdf.isLoading, fail);
    locateQuote(pdf.document, target.quoted, target.page)
      .then(
        (found) => isCurrent && setLocated({ ...found, target }),
        () => isCurrent && fail(),
      )
      .finally(stop);
    return () => {
      isCurrent = false;
      stop();
    };
  }, [pdf, target, fail]);
  return located;
}

/** The opened file, undefined while it is loading. The previous file of the same document stays open meanwhile. */
function usePdf(
  documentId: string,
  reader: Pick<SourceReader, 'bytes'>,
  fail: () => void,
): Pick<OpenPdf, 'document' | 'isLoading'> | undefined {
  const [opened, setOpened] = useState<OpenPdf & { id: string; end(): void }>();
  useEffect(() => {
    const gone = new AbortController();
    let isOpen = false;
    const open = async () => {
      const pdf = await openPdf(documentId, reader, gone.signal);
      if (gone.signal.aborted) return;
      isOpen = true;
      setOpened({ ...pdf, id: documentId, end: () => gone.abort() });
      await pdf.broken;
    };
    open().catch(() => gone.signal.aborted || fail());
    return () => {
      if (!isOpen) gone.abort();
    };
  }, [documentId, reader, fail]);
  useEffect(() => () => opened?.end(), [opened]);
  return opened?.id === documentId ? opened : undefined;
}

interface LocatedQuote {
  /** Page that is shown first. */
  page: number;
  size: PageSize;
  /** The highlighted rectangles, by page number. */
  highlights: ReadonlyMap<number, readonly Rectangle[]>;
  /** Quoted pages without highlights, and whether they have text: a scanned page has none. */
  missing: readonly QuotedPage[];
  hasText: boolean;
}

/** Where the quote is in the file. Without quoted pages, only `page` is opened. Rejects if that page cannot be read. */
async function locateQuote(
  document: PDFDocumentProxy,
  quoted: readonly QuotedPage[],
  page: number,
): Promise<LocatedQuote> {
  const first = Math.min(Math.max(1, quoted[0]?.page ?? page), document.numPages);
  const { width, height } = (await document.getPage(first)).getViewport({ scale: 1 });
  const highlights = new Map<number, Rectangle[]>();
  let hasText = false;
  for (const one of quoted.filter(({ page }) => page <= document.numPages)) {
    const shown = await document.getPage(one.page);
    // The page is shown without highlights if its text cannot be read.
    const content = await shown.getTextContent().catch(() => null);
    const runs = (content?.items ?? []).filter((item): item is typeof item & PlacedRun => 'str' in item);
    hasText ||= runs.some(({ str }) => str.trim() !== '');
    const ranges = findOnPage(runs, one.text, one.before);
    if (ranges.length > 0)
      highlights.set(
        one.page,
        highlightRectangles(runs, ranges, content!.styles, shown.getViewport({ scale: 1 }), widthOf()),
      );
  }
  const missing = quoted.filter(({ page }) => !highlights.has(page));
  return { page: first, size: { width, height }, highlights, missing, hasText };
}

let context: CanvasRenderingContext2D | null | undefined;

/** Measures in a common typeface: only the proportions of the letters matter. */
function widthOf(): (text: string) => number {
  context ??= document.createElement('canvas').getContext('2d');
  return (text) => context?.measureText(text).width ?? text.length;
}
