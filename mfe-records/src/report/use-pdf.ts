import type { PdfRequest } from 'api/contract/archives';
import type { HostServices, HttpFailure } from 'host/contract';
import { plural } from 'host/ui/plural.ts';
import { saveFile } from 'host/ui/save-file.ts';
import { useCallback, useEffect, useRef, useState } from 'react';
import { fileNameOf } from '../file-name-of.ts';
import type { ReportTranslate } from './report-texts.ts';

export interface Pdf {
  /** The PDF being created: elapsed seconds, and bytes received. */
  running: { seconds: number; received: number } | undefined;
  failure: HttpFailure | undefined;
  make(request: PdfRequest): void;
  cancel(): void;
}

/** Requests a PDF and downloads it, one at a time. Unmounting cancels it. */
export function usePdf({ http, toasts }: HostServices, t: ReportTranslate): Pdf {
  const [running, setRunning] = useState<Pdf['running']>();
  const [failure, setFailure] = useState<HttpFailure>();
  const call = useRef<AbortController>(undefined);
  useEffect(() => () => call.current?.abort(), []);

  const isRunning = running !== undefined;
  useEffect(() => {
    if (!isRunning) return;
    const since = Date.now();
    const tick = () => {
      const seconds = Math.floor((Date.now() - since) / 1000);
      setRunning((before) => before && { ...before, seconds });
    };
    const timer = setInterval(tick, 1000);
    return () => clearInterval(timer);
  }, [isRunning]);

  const cancel = useCallback(() => {
    call.current?.abort();
    call.current = undefined;
    setRunning(undefined);
  }, []);

  const make = async (request: PdfRequest) => {
    if (call.current) return;
    const leaving = new AbortController();
    call.current = leaving;
    setFailure(undefined);
    setRunning({ seconds: 0, received: 0 });
    try {
      const { data, headers } = await http.post<Blob>('/api/generate_pdf', request, {
        responseType: 'blob',
        signal: leaving.signal,
        onDownloadProgress: ({ loaded }) => {
          if (!leaving.signal.aborted) setRunning((before) => before && { ...before, received: loaded });
        },
      });
      if (leaving.signal.aborted) return;
      const name = fileNameOf(headers['content-disposition']) || `${request.title || t('default.all')}.pdf`;
      saveFile(data, name);
      const pages = Number(headers['x-pages']);
      const text = pages > 0 ? plural(t, 'pdf.done.pages', pages, { name }) : t('pdf.done', { name });
      toasts.show({ kind: 'success', text });
    } catch (thrown) {
      if (!leaving.signal.aborted) setFailure(thrown as HttpFailure);
    } finally {
      if (call.current === leaving) cancel();
    }
  };

  return { running, failure, make: (request) => void make(request), cancel };
}
