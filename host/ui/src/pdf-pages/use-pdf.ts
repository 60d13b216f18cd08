import { useEffect, useRef, useState } from 'react';
import type { SourceReader } from '../source-viewer/source-reader.ts';
import { type OpenPdf, openPdf } from './open-pdf.ts';

/** The document's file, opened by pdf.js; undefined meanwhile. `onFailed` is called if it cannot be read. */
export function usePdf(
  documentId: string,
  reader: SourceReader,
  onFailed: () => void,
): Pick<OpenPdf, 'document' | 'isLoading'> | undefined {
  const [opened, setOpened] = useState<OpenPdf & { id: string }>();
  const handleFailure = useRef(onFailed);
  handleFailure.current = onFailed;
  useEffect(() => {
    const gone = new AbortController();
    let pdf: OpenPdf | undefined;
    const open = async () => {
      pdf = await openPdf(documentId, reader, gone.signal);
      if (gone.signal.aborted) return;
      setOpened({ ...pdf, id: documentId });
      await pdf.broken;
    };
    open().catch(() => gone.signal.aborted || handleFailure.current());
    return () => {
      gone.abort();
      pdf?.close();
    };
  }, [documentId, reader]);
  return opened?.id === documentId ? opened : undefined;
}
