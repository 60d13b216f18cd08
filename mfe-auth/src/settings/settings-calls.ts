import type {
  DeskSettings,
  LogoReply,
  RetentionPreview,
  SettingsHistory,
  SettingsReply,
} from 'api/contract/settings';
import type { Http } from 'host/contract';

/** The API calls of /settings. All reject with `HttpFailure`; `save` and `restore` with 409 if somebody else has saved since. */
export interface SettingsCalls {
  read(signal?: AbortSignal): Promise<SettingsReply>;
  save(revision: number, settings: DeskSettings): Promise<SettingsReply>;
  restore(revision: number, to: number): Promise<SettingsReply>;
  history(cursor: string | null, signal: AbortSignal): Promise<SettingsHistory>;
  /** Stores a picture and returns its version; it is used once that is saved. */
  sendLogo(file: Blob): Promise<string>;
  /** Number of records that would be deleted after so many days. */
  countDue(days: number): Promise<number>;
}

export function createSettingsCalls(http: Http): SettingsCalls {
  return {
    read: async (signal) => (await http.get<SettingsReply>('/api/settings', signal ? { signal } : {})).data,
    save: async (revision, settings) =>
      (await http.put<SettingsReply>('/api/settings', { revision, settings })).data,
    restore: async (revision, to) =>
      (await http.post<SettingsReply>('/api/settings/restore', { revision, to })).data,
    history: async (cursor, signal) => {
      const params = { limit: 10, ...(cursor === null ? {} : { cursor }) };
      return (await http.get<SettingsHistory>('/api/settings/history', { params, signal })).data;
    },
    sendLogo: async (file) => {
      const headers = { 'Content-Type': file.type || 'application/octet-stream' };
      return (await http.put<LogoReply>('/api/settings/logo', file, { headers })).data.logo;
    },
    countDue: async (days) =>
      (await http.get<RetentionPreview>('/api/settings/retention', { params: { days } })).data.records,
  };
}
