import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useMemo, useState } from 'react';
import type { Quote } from '../find-quote.ts';
import { Icon } from '../icon.tsx';
import { Late } from '../late-part.tsx';
import { pdfPages } from './pdf-preview.tsx';
import { quotedPages, quotedSpan } from './quote-pages.ts';
import type { SourceFailure, SourcePart, SourcePassage, SourceReader } from './source-reader.ts';
import { formatPlace, type SourceTranslate } from './source-texts.ts';
import styles from './source-viewer.module.css';

export interface PdfContentProps {
  documentId: string;
  passage: SourcePassage | undefined;
  quote: Quote | undefined;
  reader: SourceReader;
  t: SourceTranslate;
  /** Called with the page of the quote, as text. */
  onPlace(place: string): void;
  /** Shown while the file is loading. */
  loading: ReactNode;
  /** The document's text, shown if its pages cannot be. */
  text: ReactNode;
}

export function PdfContent(props: PdfContentProps) {
  const { documentId, passage, quote, reader, t, onPlace, loading, text } = props;
  const [failedId, setFailedId] = useState('');
  const at = quote?.start ?? passage?.start;
  const { data: part, isError } = useQuery<SourcePart, SourceFailure>({
    queryKey: ['quoted-part', documentId, at],
    queryFn: ({ signal }) => reader.part(documentId, at!, signal),
    enabled: at !== undefined,
  });
  const isWaiting = at !== undefined && !part && !isError;
  const quoted = useMemo(
    () => (part ? quotedPages(part, quotedSpan([part], passage, quote)) : []),
    [part, passage, quote],
  );
  const page = passage?.at?.page ?? 1;
  const target = useMemo(() => (isWaiting ? undefined : { quoted, page }), [isWaiting, quoted, page]);
  const shown = quoted[0]?.page ?? passage?.at?.page;
  useEffect(() => onPlace(shown === undefined ? '' : formatPlace({ page: shown }, t)), [onPlace, shown, t]);
  const instead = (
    <div className={styles.instead}>
      <p className={styles.notice} role="status">
        <Icon name="info" isSmall /> {t('pagesFailed')}
      </p>
      {text}
    </div>
  );
  if (failedId === documentId) return instead;
  return (
    <Late part={pdfPages} loading={loading} failed={instead}>
      {({ PdfPages }) => (
        <PdfPages
          documentId={documentId}
          reader={reader}
          target={target}
          isLost={target !== undefined && quote !== undefined && quote.quote !== '' && quoted.length === 0}
          t={t}
          onFailed={() => setFailedId(documentId)}
        />
      )}
    </Late>
  );
}
