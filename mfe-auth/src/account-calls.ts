import type { AdminReply, SessionInfo } from 'api/contract/accounts';
import type { Http } from 'host/contract';

/** The API calls of /account. All functions reject with `HttpFailure`, or with `RejectedError` and the server's message. */
export interface AccountCalls {
  sessions(signal: AbortSignal): Promise<SessionInfo[]>;
  endSession(id: string): Promise<void>;
  /** Ends all sessions, including this one. */
  endAllSessions(): Promise<void>;
  /** Changes the password and ends all other sessions. */
  changePassword(current: string, next: string): Promise<void>;
  /** Deletes the account with its records immediately; shared knowledge stays. */
  deleteAccount(password: string): Promise<void>;
}

/** The server answered 200 with `code: 0`; `message` is its message. */
class RejectedError extends Error {
  override name = 'RejectedError';
}

export function createAccountCalls(http: Http): AccountCalls {
  return {
    sessions: async (signal) =>
      (await http.get<{ sessions: SessionInfo[] }>('/admin/sessions', { signal })).data.sessions,
    endSession: async (id) => {
      assertAccepted(
        (await http.delete<AdminReply<never>>(`/admin/sessions/${encodeURIComponent(id)}`)).data,
      );
    },
    endAllSessions: async () => {
      assertAccepted((await http.delete<AdminReply<never>>('/admin/sessions')).data);
    },
    changePassword: async (current, next) => {
      const body = { current: current.trim(), next: next.trim() };
      assertAccepted((await http.post<AdminReply<never>>('/admin/password', body)).data);
    },
    deleteAccount: async (password) => {
      const data = { password: password.trim() };
      assertAccepted((await http.delete<AdminReply<never>>('/admin/account', { data })).data);
    },
  };
}

function assertAccepted<T>(reply: AdminReply<T>): T | undefined {
  if (reply.code !== 1) throw new RejectedError(reply.msg);
  return reply.data;
}
