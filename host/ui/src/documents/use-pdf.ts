import { useEffect, useRef, useState } from 'react';
import { type OpenPdf, openPdf } from './open-pdf.ts';
import type { SourceReader } from './source-reader.ts';

/**
 * The document's file, opened by pdf.js; undefined meanwhile. `onFailed` is called if it cannot be read. While another reader of the same
 * document opens it, the previous file stays open.
 */
export function usePdf(
  documentId: string,
  reader: Pick<SourceReader, 'bytes'>,
  onFailed: () => void,
): Pick<OpenPdf, 'document' | 'isLoading'> | undefined {
  const [opened, setOpened] = useState<OpenPdf & { id: string; end(): void }>();
  const handleFailure = useRef(onFailed);
  handleFailure.current = onFailed;
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
    open().catch(() => gone.signal.aborted || handleFailure.current());
    return () => {
      if (!isOpen) gone.abort();
    };
  }, [documentId, reader]);
  useEffect(() => () => opened?.end(), [opened]);
  return opened?.id === documentId ? opened : undefined;
}
