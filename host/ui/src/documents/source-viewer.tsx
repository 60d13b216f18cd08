import {
  type InfiniteData,
  type QueryClient,
  QueryClientProvider,
  useInfiniteQuery,
  useQuery,
} from '@tanstack/react-query';
import { type ReactNode, type UIEvent, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { Button } from '../button.tsx';
import { Dialog } from '../dialog.tsx';
import { useEscape } from '../escape.ts';
import { findQuote } from '../find-quote.ts';
import { Icon } from '../icon.tsx';
import { IconButton } from '../icon-button.tsx';
import { Problem } from '../problem.tsx';
import { createQueryClient } from '../queries.ts';
import { QuotedText } from '../quoted-text.tsx';
import { NoticeDetails } from '../reading-notices/reading-notices.tsx';
import { saveFile } from '../save-file.ts';
import { Segments } from '../segments.tsx';
import { Skeleton } from '../skeleton.tsx';
import { useDelayed } from '../use-delayed.ts';
import { useObjectUrl } from '../use-object-url.ts';
import { PdfContent, type PdfContentProps } from './pdf-content.tsx';
import { quotedSpan } from './quote-pages.ts';
import type {
  Source,
  SourceDocument,
  SourceFailure,
  SourcePart,
  SourcePassage,
  SourceReader,
} from './source-reader.ts';
import { SourceText } from './source-text.tsx';
import { formatPlace, type SourceTranslate } from './source-texts.ts';
import styles from './source-viewer.module.css';

interface SourceViewerProps {
  source: Source;
  reader: SourceReader;
  t: SourceTranslate;
  /** Position among the citations of the answer, and a function that opens another; missing if there is only one. */
  steps?: { n: number; count: number; onStep(n: number): void } | undefined;
  /** `panel`: beside other content, which remains usable. `dialog`: above it. */
  variant: 'panel' | 'dialog';
  onProblem(message: string): void;
  onClose(): void;
}

/**
 * A document with the cited passage in its context: scrolled to it, the quote highlighted, with page, slide or row, the other citations of the
 * answer, and the original file as a download.
 */
export function SourceViewer(props: SourceViewerProps) {
  const [client] = useState(createQueryClient);
  return (
    <QueryClientProvider client={client as QueryClient}>
      <Viewer {...props} />
    </QueryClientProvider>
  );
}

function Viewer(props: SourceViewerProps) {
  const { source, reader, t, steps, variant, onClose, onProblem } = props;
  const { href } = source;
  const passage = useQuery<SourcePassage, SourceFailure>({
    queryKey: ['passage', href],
    queryFn: ({ signal }) => reader.passage(href!, signal),
    enabled: href !== undefined,
  });
  const documentId = passage.data?.documentId ?? source.documentId;
  const document = useQuery<SourceDocument, SourceFailure>({
    queryKey: ['document', documentId],
    queryFn: ({ signal }) => reader.document(documentId!, signal),
    enabled: documentId !== undefined,
  });
  const [place, setPlace] = useState('');
  const [view, setView] = useState<'pages' | 'text'>('pages');
  const isPdf = document.data?.type === 'pdf' && document.data.hasFile;
  const title = document.data?.title ?? source.title;
  const failure = passage.error ?? document.error;
  const retry = () => void (passage.error ? passage : document).refetch();
  const download = async () => {
    try {
      saveFile(await reader.file(documentId!), document.data?.name || title);
    } catch (reason) {
      onProblem(`${t('downloadFailed')} ${(reason as Error).message}`);
    }
  };
  const { quote } = source;
  const shown = documentId !== undefined && {
    ...{ documentId, reader, quote, t },
    passage: passage.data,
    onPlace: setPlace,
  };
  const text = document.data && shown && (
    <Content key={`${documentId} ${href} ${quote?.start}`} document={document.data} {...shown} />
  );
  const content = (
    <>
      <div className={styles.where}>
        <span className="grow">{place || passage.data?.place}</span>
        {steps && steps.count > 1 && <Steps {...steps} t={t} />}
        {isPdf && (
          <Segments
            label={t('view')}
            choices={[
              { value: 'pages', label: t('pages') },
              { value: 'text', label: t('asText') },
            ]}
            value={view}
            onChange={setView}
          />
        )}
        {document.data?.hasFile && (
          <IconButton icon="download" label={t('download')} hasTitle onClick={() => void download()} />
        )}
        {document.data?.notices && (
          <div className={styles.unread}>
            <NoticeDetails notices={document.data.notices} t={t} />
          </div>
        )}
      </div>
      {failure ? (
        <Failed failure={failure} source={source} passage={passage.data} t={t} onRetry={retry} />
      ) : !text ? (
        <Loading t={t} />
      ) : isPdf && view === 'pages' ? (
        <PdfContent {...shown} loading={<Loading t={t} />} text={text} />
      ) : (
        text
      )}
    </>
  );
  return variant === 'dialog' ? (
    <Dialog
      title={title}
      isReading
      sheetClassName={styles.sheet}
      bodyClassName={`no-print ${styles.viewer}`}
      onClose={onClose}
    >
      {content}
    </Dialog>
  ) : (
    <Panel title={title} t={t} focusKey={source.href ?? ''} onClose={onClose}>
      {content}
    </Panel>
  );
}

interface StepsProps {
  n: number;
  count: number;
  onStep(n: number): void;
  t: SourceTranslate;
}

function Steps({ n, count, onStep, t }: StepsProps) {
  const step = (to: number, label: 'previous' | 'next') => (
    <IconButton
      icon="chevron"
      iconClassName={label === 'previous' ? 'up' : undefined}
      label={t(label)}
      isSmall
      aria-disabled={to < 1 || to > count}
      onClick={() => to >= 1 && to <= count && onStep(to)}
    />
  );
  return (
    <span className="line gap-2px num">
      {step(n - 1, 'previous')}
      <span>{t('ofCitations', { n, count })}</span>
      {step(n + 1, 'next')}
    </span>
  );
}

interface PanelProps {
  title: string;
  t: SourceTranslate;
  /** The heading takes the focus whenever this changes. */
  focusKey: string;
  children: ReactNode;
  onClose(): void;
}

/** The viewer beside other content. Escape closes it, and the focus returns to where it was. */
function Panel({ title, t, focusKey, children, onClose }: PanelProps) {
  const aside = useRef<HTMLElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  useEscape(onClose);
  useLayoutEffect(() => {
    const opener = document.activeElement;
    const panel = aside.current;
    return () => {
      const isInside = panel?.contains(document.activeElement) || document.activeElement === document.body;
      if (isInside && opener instanceof HTMLElement) opener.focus({ preventScroll: true });
    };
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another source was opened
  useEffect(() => heading.current?.focus({ preventScroll: true }), [focusKey]);
  return (
    <aside ref={aside} className={`no-print ${styles.viewer} ${styles.panel}`} aria-label={title}>
      <header className={styles.head}>
        <h2 ref={heading} className="grow type-head clip" tabIndex={-1} dir="auto">
          {title}
        </h2>
        <IconButton icon="close" label={t('close')} onClick={onClose} />
      </header>
      {children}
    </aside>
  );
}

function Loading({ t }: { t: SourceTranslate }) {
  const isSlow = useDelayed(true);
  return (
    <div className={styles.body}>
      {isSlow && <Skeleton label={t('loading')} lines={['third', 'full', 'full', 'most', 'full', 'half']} />}
    </div>
  );
}

function LoadFailed({ failure, t, onRetry }: Pick<FailedProps, 'failure' | 't' | 'onRetry'>) {
  const { message } = failure;
  return (
    <div className={styles.body}>
      <Problem level={3} title={t('failed')} message={message} onRetry={onRetry} />
    </div>
  );
}

interface FailedProps {
  failure: SourceFailure;
  source: Source;
  /** The passage, if it can still be read although its document is gone. */
  passage: SourcePassage | undefined;
  t: SourceTranslate;
  onRetry(): void;
}

/** A deleted document is not reported as a failure, because the text that the answer quoted can still be shown. */
function Failed({ failure, source: { quote }, passage, t, onRetry }: FailedProps) {
  if (failure.status !== 404) return <LoadFailed failure={failure} t={t} onRetry={onRetry} />;
  const text = passage?.text ?? quote?.quote ?? '';
  const [start, end] = passage && quote ? findQuote(passage, quote) : [0, passage ? 0 : text.length];
  return (
    <section className={styles.body} aria-label={t('text')}>
      <p role="status">
        {t('gone')}
        {text && `${'\n'}${t('goneAbout')}`}
      </p>
      {text && (
        <blockquote className={`quoted ${styles.quote}`} dir="auto">
          <QuotedText text={text.slice(0, start)} />
          {end > start && (
            <mark>
              <QuotedText text={text.slice(start, end)} />
            </mark>
          )}
          <QuotedText text={text.slice(end)} />
        </blockquote>
      )}
    </section>
  );
}

interface ContentProps extends Omit<PdfContentProps, 'loading' | 'text'> {
  document: SourceDocument;
}

/** Distance from the end of the loaded text, in pixels, at which more is loaded. */
const NEAR = 600;

/** The text around the quote; more is loaded while scrolling. */
function Content({ documentId, document, passage, quote, reader, t, onPlace }: ContentProps) {
  const at = quote?.start ?? passage?.start ?? 0;
  const query = useInfiniteQuery<SourcePart, SourceFailure, InfiniteData<SourcePart>, unknown[], number>({
    queryKey: ['text', documentId, at],
    queryFn: ({ pageParam, signal }) => reader.part(documentId, pageParam, signal),
    initialPageParam: at,
    getNextPageParam: ({ end, length }) => (end < length ? end : undefined),
    getPreviousPageParam: ({ start }) => (start > 0 ? start - 1 : undefined),
  });
  const { data, error, hasNextPage, hasPreviousPage, isFetching } = query;
  const parts = data?.pages;
  const found = parts && quotedSpan(parts, passage, quote);
  const isLost =
    found !== undefined && quote !== undefined && quote.quote !== '' && found.end === found.start;
  const body = useRef<HTMLElement>(null);
  const firstStart = parts?.[0]?.start;

  const place = found && parts ? placeAt(parts, found.start, t) : '';
  useEffect(() => onPlace(place), [onPlace, place]);
  const isLoaded = parts !== undefined;
  useLayoutEffect(() => {
    if (!isLoaded) return;
    body.current?.querySelector('mark, [data-quoted]')?.scrollIntoView?.({ block: 'center' });
  }, [isLoaded]);
  // Adding text above must not move the text that is being read.
  const height = useRef({ firstStart, pixels: 0 });
  useLayoutEffect(() => {
    const element = body.current;
    if (!element) return;
    if (height.current.firstStart !== undefined && height.current.firstStart !== firstStart)
      element.scrollTop += element.scrollHeight - height.current.pixels;
    height.current = { firstStart, pixels: element.scrollHeight };
  });

  if (!parts || !found)
    return error ? (
      <LoadFailed failure={error} t={t} onRetry={() => void query.refetch()} />
    ) : (
      <Loading t={t} />
    );
  const loadNear = ({ currentTarget }: UIEvent<HTMLElement>) => {
    const { scrollTop, clientHeight, scrollHeight } = currentTarget;
    if (scrollTop + clientHeight > scrollHeight - NEAR && hasNextPage && !isFetching && !error)
      void query.fetchNextPage();
  };
  const more = (label: 'earlier' | 'later', load: () => void) => (
    <p className="column middle mt-s3 mb-s3">
      <Button
        look="small"
        label={isFetching ? t('loading') : error ? t('retry') : t(label)}
        aria-disabled={isFetching}
        onClick={() => isFetching || load()}
      />
    </p>
  );
  const isPicture = document.type === 'image' && document.hasFile;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: allows scrolling by keyboard
    <section ref={body} className={styles.body} aria-label={t('text')} tabIndex={0} onScroll={loadNear}>
      {isLost && (
        <p className="ink-2" role="status">
          <Icon name="info" isSmall /> {t('changed')}
        </p>
      )}
      {isPicture && <SourcePicture {...{ documentId, document, reader, t }} />}
      {hasPreviousPage && more('earlier', () => void query.fetchPreviousPage())}
      {parts.map((part) => (
        <SourceText key={part.start} part={part} quote={found} t={t} />
      ))}
      {hasNextPage && more('later', () => void query.fetchNextPage())}
    </section>
  );
}

/** The picture whose recognised text an answer cites, shown above that text. Omitted if it cannot be loaded. */
function SourcePicture({
  documentId,
  document: { name },
  reader,
  t,
}: Pick<ContentProps, 'documentId' | 'document' | 'reader' | 't'>) {
  const { data } = useQuery<Blob, SourceFailure>({
    queryKey: ['file', documentId],
    queryFn: ({ signal }) => reader.file(documentId, signal),
  });
  const url = useObjectUrl(data ?? null);
  return (
    <>
      {url && <img className={styles.picture} src={url} alt={t('picture', { name })} />}
      <h3>{t('recognised')}</h3>
    </>
  );
}

/** The page, slide or row of a position. */
function placeAt(parts: readonly SourcePart[], at: number, t: SourceTranslate): string {
  const places = parts.flatMap((part) => part.places);
  const found = places.findLast(({ start }) => start <= at);
  return found ? formatPlace(found, t) : '';
}
