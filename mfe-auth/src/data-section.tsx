import type { ExportRequest, ImportReply } from 'api/contract/archives';
import type { Http } from 'host/contract';
import { Button, FileButton } from 'host/ui/button.tsx';
import { formatSize } from 'host/ui/format-size.ts';
import { Icon } from 'host/ui/icon.tsx';
import { ProgressBar } from 'host/ui/progress-bar.tsx';
import { fileNameOf, saveFile } from 'host/ui/save-file.ts';
import { Section } from 'host/ui/section.tsx';
import { useAction } from 'host/ui/use-action.ts';
import { useHold } from 'host/ui/use-hold.ts';
import { useId, useMemo, useRef, useState } from 'react';
import styles from './account.module.css';
import { FormError } from './form-error.tsx';
import { useDesk } from './services.tsx';
import { accountTexts } from './texts.ts';

type Action = 'exportAll' | 'exportTable' | 'import';

/** Exports all data of the account, and imports records from such a file. One transfer at a time, which can be cancelled. */
export function DataSection() {
  const { t, http, updates } = useDesk(accountTexts);
  const data = useMemo(() => createAccountData(http), [http]);
  const id = useId();
  const { isBusy, failure, run, cancel } = useAction();
  const [running, setRunning] = useState<{ action: Action; name: string; progress: TransferProgress }>();
  const [outcome, setOutcome] = useState<{ icon: 'ok' | 'info'; text: string }>();
  const title = useRef<HTMLHeadingElement>(null);
  useHold(updates, isBusy);

  /** `transfer` resolves with the message to show afterwards. */
  const start = (action: Action, name: string, transfer: (options: TransferOptions) => Promise<string>) =>
    run(async (signal) => {
      const onProgress = (progress: TransferProgress) => setRunning({ action, name, progress });
      setOutcome(undefined);
      onProgress({ bytes: 0, fraction: null });
      setOutcome({ icon: 'ok', text: await transfer({ signal, onProgress }) });
    });
  const stop = () => {
    cancel();
    setOutcome({
      icon: 'info',
      text: t(running?.action === 'import' ? 'data.import.stopped' : 'data.stopped'),
    });
    // The cancel button disappears with the transfer.
    title.current?.focus();
  };
  const save = (action: 'exportAll' | 'exportTable') =>
    start(action, '', async (options) => {
      const file = await data[action](options);
      saveFile(file.data, file.name);
      return t('data.saved', { name: file.name });
    });
  const importFrom = (file: File | undefined) => {
    if (!file) return;
    void start('import', file.name, async (options) => {
      const { imported, unchanged, renamed } = await data.importFile(file, options);
      const renamedText = renamed > 0 ? t('data.import.renamed', { count: renamed }) : '';
      return t('data.import.done', { imported: imported + renamed, unchanged }) + renamedText;
    });
  };

  const doing = isBusy && running && t(`data.${running.action}.doing`, { name: running.name });

  return (
    <Section title={t('data')} titleRef={title}>
      <p className="mb-s4 type-small ink-2">{t('data.about')}</p>
      <div className="line wrap mb-s2">
        {(['exportAll', 'exportTable'] as const).map((action) => (
          <Button
            key={action}
            icon="download"
            label={t(`data.${action}`)}
            isOff={isBusy}
            onClick={() => save(action)}
          />
        ))}
        <FileButton
          icon="file"
          label={t('data.import')}
          accept=".json,application/json"
          disabled={isBusy}
          aria-describedby={`${id}-import`}
          onFile={importFrom}
        />
      </div>
      <p className="field-note" id={`${id}-import`}>
        {t('data.import.about')}
      </p>
      <div className="type-small ink-2" role="status">
        {doing && <p className="mt-s3 clip">{doing}</p>}
        {outcome && (
          <p className="line mt-s3 breakable">
            <Icon name={outcome.icon} className="icon-s" />
            {outcome.text}
          </p>
        )}
      </div>
      {doing && (
        <div className={styles.transfer}>
          <Progress progress={running!.progress} label={doing} />
          <Button look="small" label={t('cancel')} onClick={stop} />
        </div>
      )}
      <FormError text={failure?.message ?? ''} />
    </Section>
  );
}

/** A progress bar if the length is known, otherwise the size so far. */
function Progress({ progress: { bytes, fraction }, label }: { progress: TransferProgress; label: string }) {
  if (fraction === null) return <span className="num quiet">{formatSize(bytes)}</span>;
  const percent = Math.round(100 * fraction);
  return (
    <>
      <ProgressBar className="grow" label={label} value={percent} />
      <span className="num quiet">{percent}%</span>
    </>
  );
}

/** Progress of a transfer: `fraction` from 0 to 1, or null if the length is unknown; `bytes` transferred so far. */
export interface TransferProgress {
  bytes: number;
  fraction: number | null;
}

interface TransferOptions {
  signal: AbortSignal;
  onProgress(progress: TransferProgress): void;
}

/** Export and import of the visitor's data. All functions reject with `HttpFailure`, also when aborted. */
export function createAccountData(http: Http) {
  const axiosOptions = ({ signal, onProgress }: TransferOptions) => {
    const onAxiosProgress = ({ loaded, total }: { loaded: number; total?: number | undefined }) => {
      if (!signal.aborted)
        onProgress({ bytes: loaded, fraction: total ? Math.min(1, loaded / total) : null });
    };
    return { signal, onAxiosProgress };
  };
  const download = async (config: Parameters<Http['request']>[0], options: TransferOptions, name: string) => {
    const { signal, onAxiosProgress } = axiosOptions(options);
    const { data, headers } = await http.request<Blob>({
      ...config,
      responseType: 'blob',
      signal,
      onDownloadProgress: onAxiosProgress,
    });
    return { data, name: fileNameOf(headers['content-disposition']) || name };
  };
  return {
    /** All data of the account as JSON, with the server's file name. */
    exportAll: (options: TransferOptions): Promise<{ data: Blob; name: string }> =>
      download({ method: 'GET', url: '/admin/export' }, options, 'consultation-desk.json'),
    /** All records as a table. */
    exportTable: (options: TransferOptions): Promise<{ data: Blob; name: string }> => {
      const data: ExportRequest = { filter: { tz: timeZone() }, format: 'csv' };
      return download({ method: 'POST', url: '/api/export', data }, options, 'records.csv');
    },
    /** Imports an exported file, uploading it as a stream. */
    importFile: async (file: Blob, options: TransferOptions): Promise<ImportReply> => {
      const { signal, onAxiosProgress } = axiosOptions(options);
      const { data } = await http.post<ImportReply>('/api/import', file, {
        headers: { 'Content-Type': 'application/json' },
        signal,
        onUploadProgress: onAxiosProgress,
      });
      return data;
    },
  };
}

function timeZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC';
}
