import type { HttpFailure } from 'host/contract';
import { fileNameOf, saveFile } from 'host/ui/save-file.ts';
import { useTexts } from 'host/ui/screen.tsx';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useServices } from './services.ts';
import { recordTexts } from './texts.ts';

interface Download {
  /** Shown while it runs. */
  label: string;
  /** File name if the server sends none. */
  name: string;
  request: { method: 'GET' | 'POST'; url: string; body?: unknown };
}

export type Transfer = ReturnType<typeof useTransfer>;

/** Downloads files with the session's HTTP client: loads them completely, then saves them. Unmounting cancels. */
export function useTransfer() {
  const t = useTexts(recordTexts);
  const { http, toasts } = useServices();
  /** The running download; `received` in bytes. */
  const [running, setRunning] = useState<{ label: string; received: number } | null>(null);
  const controller = useRef<AbortController | null>(null);
  useEffect(() => () => controller.current?.abort(), []);

  /** Prepares the request first (for example, which records) with the same label and cancel button. */
  const saveAfter = useCallback(
    async (label: string, prepare: (signal: AbortSignal) => Promise<Omit<Download, 'label'>>) => {
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
      /** Downloads a file, one at a time. Reports failures. */
      save: ({ label, ...download }: Download) => saveAfter(label, async () => download),
      cancel: () => {
        controller.current?.abort();
        setRunning(null);
      },
    }),
    [running, saveAfter],
  );
}
