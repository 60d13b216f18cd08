import type { Http, HttpFailure, Toasts, Translate } from 'host/contract';
import { fileNameOf, saveFile } from 'host/ui/save-file.ts';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { RecordTexts } from './texts.ts';

interface Download {
  /** Shown while it runs. */
  label: string;
  /** File name if the server sends none. */
  name: string;
  request: { method: 'GET' | 'POST'; url: string; body?: unknown };
}

export interface Transfer {
  /** The running download; `received` in bytes. */
  running: { label: string; received: number } | null;
  /** Downloads a file, one at a time. Reports failures. */
  save(download: Download): void;
  /** Prepares the request first (for example, which records) with the same label and cancel button. */
  saveAfter(label: string, prepare: (signal: AbortSignal) => Promise<Omit<Download, 'label'>>): void;
  cancel(): void;
}

/** Downloads files with the session's HTTP client: loads them completely, then saves them. Unmounting cancels. */
export function useTransfer(http: Http, toasts: Toasts, t: Translate<RecordTexts>): Transfer {
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
