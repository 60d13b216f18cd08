import type { Http, HttpFailure, Toasts, Translate } from 'host/contract';
import { saveFile } from 'host/ui/save-file.ts';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { fileNameOf } from './file-name-of.ts';
import type { RecordWords } from './words.ts';

interface Download {
  /** What is told while it runs. */
  label: string;
  /** The file's name where the server gives none. */
  name: string;
  request: { method: 'GET' | 'POST'; url: string; body?: unknown };
}

export interface Transfer {
  /** The download that is on its way; `received` in bytes. */
  running: { label: string; received: number } | null;
  /** Fetches a file and hands it to the browser; one at a time. Tells of a failure. */
  save(download: Download): void;
  /** Fetches what has to be known before the request can be made (which records, say), under the same label and the same way out. */
  saveAfter(label: string, prepare: (signal: AbortSignal) => Promise<Omit<Download, 'label'>>): void;
  cancel(): void;
}

/** Files by the session's own HTTP: fetched whole, then saved. Leaving the screen cancels. */
export function useTransfer(http: Http, toasts: Toasts, t: Translate<RecordWords>): Transfer {
  const [running, setRunning] = useState<Transfer['running']>(null);
  const controller = useRef<AbortController | null>(null);
  useEffect(() => () => controller.current?.abort(), []);

  const saveAfter = useCallback<Transfer['saveAfter']>(
    async (label, prepare) => {
      if (controller.current) {
        toasts.show({ kind: 'info', text: t('transfer.busy') });
        return;
      }
      const leaving = new AbortController();
      const { signal } = leaving;
      controller.current = leaving;
      setRunning({ label, received: 0 });
      try {
        const { name, request } = await prepare(signal);
        const { data, headers } = await http.request<Blob>({
          method: request.method,
          url: request.url,
          data: request.body,
          responseType: 'blob',
          signal,
          onDownloadProgress: ({ loaded }) => signal.aborted || setRunning({ label, received: loaded }),
        });
        saveFile(data, fileNameOf(headers['content-disposition']) || name);
      } catch (error) {
        if (!signal.aborted) toasts.show({ kind: 'error', text: (error as HttpFailure).message });
      } finally {
        controller.current = null;
        if (!signal.aborted) setRunning(null);
      }
    },
    [http, toasts, t],
  );

  return useMemo(
    () => ({
      running,
      saveAfter,
      save: ({ label, ...download }) => saveAfter(label, async () => download),
      cancel: () => {
        controller.current?.abort();
        setRunning(null);
      },
    }),
    [running, saveAfter],
  );
}
