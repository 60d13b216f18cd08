import type { ExportRequest, ImportReply } from 'api/contract/archives';
import type { Http } from 'host/contract';
import { fileNameOf } from 'host/ui/save-file.ts';

/** Progress of a transfer: `fraction` from 0 to 1, or null if the length is unknown; `bytes` transferred so far. */
export interface TransferProgress {
  bytes: number;
  fraction: number | null;
}

export interface TransferOptions {
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
