import { Button } from 'host/ui/button.tsx';
import { formatSize } from 'host/ui/format-size.ts';
import { fileNameOf, saveFile } from 'host/ui/save-file.ts';
import { useTexts } from 'host/ui/screen.tsx';
import { useAction } from 'host/ui/use-action.ts';
import { useState } from 'react';
import styles from './list.module.css';
import { useDesk } from './services.ts';
import { recordTexts } from './texts.ts';

interface Download {
  /** Text shown during the download. */
  label: string;
  /** File name if the server sends none. */
  name: string;
  url: string;
  /** Makes the request a POST. */
  body?: object;
}

export type Transfer = ReturnType<typeof useTransfer>;

/** Downloads files with the session's HTTP client: loads them completely, then saves them. Unmounting cancels. */
export function useTransfer() {
  const { t, http, toasts } = useDesk(recordTexts);
  const { isBusy, run, cancel } = useAction({ toasts });
  /** The download that was begun last; `received` in bytes. */
  const [latest, setLatest] = useState({ label: '', received: 0 });

  /** Prepares the request first (for example, which records) with the same label and cancel button. */
  const saveAfter = async (
    label: string,
    prepare: (signal: AbortSignal) => Promise<Omit<Download, 'label'>>,
  ) => {
    if (isBusy) return void toasts.show({ kind: 'info', text: t('transfer.busy') });
    setLatest({ label, received: 0 });
    await run(async (signal) => {
      const { name, url, body } = await prepare(signal);
      const { data, headers } = await http.request<Blob>({
        method: body ? 'POST' : 'GET',
        url,
        data: body,
        responseType: 'blob',
        signal,
        onDownloadProgress: ({ loaded }) => signal.aborted || setLatest({ label, received: loaded }),
      });
      saveFile(data, fileNameOf(headers['content-disposition']) || name);
    });
  };
  return {
    running: isBusy ? latest : null,
    saveAfter,
    /** Downloads a file, one at a time. Reports failures. */
    save: ({ label, ...download }: Download) => saveAfter(label, async () => download),
    cancel,
  };
}

/** The running download, with a cancel button. */
export function TransferStrip({ transfer }: { transfer: Transfer }) {
  const t = useTexts(recordTexts);
  const { running, cancel } = transfer;
  return (
    <div role="status">
      {running && (
        <div className={`${styles.strip} late`}>
          <p className="clip grow">{running.label}</p>
          {running.received > 0 && (
            <span className="num quiet">
              {t('transfer.received', { size: formatSize(running.received) })}
            </span>
          )}
          <Button look="small bare" label={t('cancel')} onClick={cancel} />
        </div>
      )}
    </div>
  );
}
