import type { ExportRequest, ImportReply } from 'api/contract/archives';
import type { Http } from 'host/contract';

/** Progress of a transfer: `fraction` from 0 to 1, or null if the length is unknown; `bytes` transferred so far. */
export interface Moved {
  bytes: number;
  fraction: number | null;
}

export interface Watch {
  signal: AbortSignal;
  onMoved(moved: Moved): void;
}

/** Export and import of the visitor's data. All functions reject with `HttpFailure`, also when aborted. */
export interface AccountData {
  /** All data of the account as JSON, with the server's file name. */
  exportAll(watch: Watch): Promise<{ data: Blob; name: string }>;
  /** All records as a table. */
  exportTable(watch: Watch): Promise<{ data: Blob; name: string }>;
  /** Imports an exported file, uploading it as a stream. */
  importFile(file: Blob, watch: Watch): Promise<ImportReply>;
}

export function createAccountData(http: Http): AccountData {
  const watching = ({ signal, onMoved }: Watch) => {
    const told = ({ loaded, total }: { loaded: number; total?: number | undefined }) => {
      if (!signal.aborted) onMoved({ bytes: loaded, fraction: total ? Math.min(1, loaded / total) : null });
    };
    return { signal, told };
  };
  const download = async (config: Parameters<Http['request']>[0], watch: Watch, name: string) => {
    const { signal, told } = watching(watch);
    const { data, headers } = await http.request<Blob>({
      ...config,
      responseType: 'blob',
      signal,
      onDownloadProgress: told,
    });
    return { data, name: fileNameOf(headers['content-disposition']) || name };
  };
  return {
    exportAll: (watch) => download({ method: 'GET', url: '/admin/export' }, watch, 'consultation-desk.json'),
    exportTable: (watch) => {
      const data: ExportRequest = { filter: { tz: timeZone() }, format: 'csv' };
      return download({ method: 'POST', url: '/api/export', data }, watch, 'records.csv');
    },
    importFile: async (file, watch) => {
      const { signal, told } = watching(watch);
      const { data } = await http.post<ImportReply>('/api/import', file, {
        headers: { 'Content-Type': 'application/json' },
        signal,
        onUploadProgress: told,
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
