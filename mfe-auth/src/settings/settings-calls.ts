import type {
  DeskSettings,
  LogoReply,
  RetentionPreview,
  SettingsHistory,
  SettingsReply,
} from 'api/contract/settings';
import type { Http } from 'host/contract';

export type SettingsCalls = ReturnType<typeof createSettingsCalls>;

/** The API calls of /settings. All reject with `HttpFailure`; `save` and `restore` with 409 if somebody else has saved since. */
export function createSettingsCalls(http: Http) {
  return {
    read: async (signal?: AbortSignal): Promise<SettingsReply> =>
      (await http.get<SettingsReply>('/api/settings', signal ? { signal } : {})).data,
    save: async (revision: number, settings: DeskSettings): Promise<SettingsReply> =>
      (await http.put<SettingsReply>('/api/settings', { revision, settings })).data,
    restore: async (revision: number, to: number): Promise<SettingsReply> =>
      (await http.post<SettingsReply>('/api/settings/restore', { revision, to })).data,
    history: async (cursor: string | null, signal: AbortSignal): Promise<SettingsHistory> => {
      const params = { limit: 10, ...(cursor === null ? {} : { cursor }) };
      return (await http.get<SettingsHistory>('/api/settings/history', { params, signal })).data;
    },
    /** Stores a picture and returns its version; it is used once that is saved. */
    sendLogo: async (file: Blob): Promise<string> => {
      const headers = { 'Content-Type': file.type || 'application/octet-stream' };
      return (await http.put<LogoReply>('/api/settings/logo', file, { headers })).data.logo;
    },
    /** Number of records that would be deleted after so many days. */
    countDue: async (days: number): Promise<number> =>
      (await http.get<RetentionPreview>('/api/settings/retention', { params: { days } })).data.records,
  };
}
