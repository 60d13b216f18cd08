import type { PdfRequest } from 'api/contract/archives';
import type { HostServices } from 'host/contract';
import { fileNameOf, saveFile } from 'host/ui/save-file.ts';
import { useAction } from 'host/ui/use-action.ts';
import { useEffect, useState } from 'react';
import type { ReportTranslate } from './report-texts.ts';

const NOTHING = { seconds: 0, received: 0 };

/** Requests a PDF and downloads it, one at a time. Unmounting cancels it. */
export function usePdf({ http, toasts }: HostServices, t: ReportTranslate) {
  const { isBusy, failure, run, cancel } = useAction();
  const [progress, setProgress] = useState(NOTHING);
  useEffect(() => {
    if (!isBusy) return;
    const since = Date.now();
    const tick = () => {
      const seconds = Math.floor((Date.now() - since) / 1000);
      setProgress((before) => ({ ...before, seconds }));
    };
    const timer = setInterval(tick, 1000);
    return () => clearInterval(timer);
  }, [isBusy]);

  const make = (request: PdfRequest) =>
    run(async (signal) => {
      setProgress(NOTHING);
      const { data, headers } = await http.post<Blob>('/api/generate_pdf', request, {
        responseType: 'blob',
        signal,
        onDownloadProgress: ({ loaded }) => {
          if (!signal.aborted) setProgress((before) => ({ ...before, received: loaded }));
        },
      });
      if (signal.aborted) return;
      const name = fileNameOf(headers['content-disposition']) || `${request.title || t('default.all')}.pdf`;
      saveFile(data, name);
      const pages = Number(headers['x-pages']);
      const text = pages > 0 ? t('pdf.done.pages', { count: pages, name }) : t('pdf.done', { name });
      toasts.show({ kind: 'success', text });
    });

  return {
    /** The PDF being created: elapsed seconds, and bytes received. */
    running: isBusy ? progress : undefined,
    failure,
    make: (request: PdfRequest) => void make(request),
    cancel,
  };
}
