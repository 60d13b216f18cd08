import type { ExportRequest, ImportReply } from 'api/contract/archives';
import type { Http } from 'host/contract';

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
export interface AccountData {
  /** All data of the account as JSON, with the server's file name. */
  exportAll(options: TransferOptions): Promise<{ data: Blob; name: string }>;
  /** All records as a table. */
  exportTable(options: TransferOptions): Promise<{ data: Blob; name: string }>;
  /** Imports an exported file, uploading it as a stream. */
  importFile(file: Blob, options: TransferOptions): Promise<ImportReply>;
}

export function createAccountData(http: Http): AccountData {
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
    exportAll: (options) =>
      download({ method: 'GET', url: '/admin/export' }, options, 'consultation-desk.json'),
    exportTable: (options) => {
      const data: ExportRequest = { filter: { tz: timeZone() }, format: 'csv' };
      return download({ method: 'POST', url: '/api/export', data }, options, 'records.csv');
    },
    importFile: async (file, options) => {
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

/** The UTF-8 file name in a Content-Disposition header (RFC 6266), without any path; '' if there is none. */
export function fileNameOf(disposition: unknown): string {
  const encoded = /filename\*\s*=\s*UTF-8''([^;\s]+)/i.exec(String(disposition ?? ''))?.[1] ?? '';
  try {
    return decodeURIComponent(encoded).replace(/[/\\]/g, '_');
  } catch {
    return '';
  }
}

function timeZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC';
}
