import type { ExportRequest, ImportReply } from 'api/contract/archives';
import type { Http } from 'host/contract';

/** A file on its way. `fraction` of it is there, 0 to 1; null when its length is not known. `bytes` have been moved. */
export interface Moved {
  bytes: number;
  fraction: number | null;
}

export interface Watch {
  signal: AbortSignal;
  onMoved(moved: Moved): void;
}

/** One's own data, out and in. Every function rejects with `HttpFailure`; an aborted one as well. */
export interface AccountData {
  /** Everything the account has, as JSON, and what the server calls the file. */
  exportAll(watch: Watch): Promise<{ data: Blob; name: string }>;
  /** All records, as a table. */
  exportTable(watch: Watch): Promise<{ data: Blob; name: string }>;
  /** Takes in what was exported, as it is read from the disk. */
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

/** The UTF-8 name of a Content-Disposition (RFC 6266), never a path; '' where there is none. */
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
