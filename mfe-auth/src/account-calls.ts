import type { PublicKeyCredentialCreationOptionsJSON } from '@simplewebauthn/browser';
import type {
  AdminReply,
  Proof,
  RecoveryCodes,
  SecondFactorProof,
  SecondFactorSecret,
  SecondFactorState,
  SessionInfo,
} from 'api/contract/accounts';
import type { NewPasskey, PasskeyProof } from 'api/contract/passkeys';
import type { ConfirmPage } from 'api/contract/single-sign-on';
import type { Http } from 'host/contract';

/** The server answered 200 with `code: 0`; `message` is its message. */
class RejectedError extends Error {
  override name = 'RejectedError';
}

export type AccountCalls = ReturnType<typeof createAccountCalls>;

/**
 * The API calls of /account. All functions reject with `HttpFailure`, or with `RejectedError` and the server's message. Those without a signal change
 * the account: the server completes a change whose client has gone, so that aborting it would only hide its result.
 */
export function createAccountCalls(http: Http) {
  return {
    sessions: async (signal: AbortSignal): Promise<SessionInfo[]> =>
      (await http.get<{ sessions: SessionInfo[] }>('/admin/sessions', { signal })).data.sessions,
    endSession: async (id: string): Promise<void> => {
      assertAccepted(
        (await http.delete<AdminReply<never>>(`/admin/sessions/${encodeURIComponent(id)}`)).data,
      );
    },
    /** Ends all sessions, including this one. */
    endAllSessions: async (): Promise<void> => {
      assertAccepted((await http.delete<AdminReply<never>>('/admin/sessions')).data);
    },
    /** Changes the password and ends all other sessions. */
    changePassword: async (current: string, next: string): Promise<void> => {
      const body = { current: current.trim(), next: next.trim() };
      assertAccepted((await http.post<AdminReply<never>>('/admin/password', body)).data);
    },
    secondFactor: async (signal: AbortSignal): Promise<SecondFactorState> =>
      (await http.get<SecondFactorState>('/admin/second-factor', { signal })).data,
    /** A new secret in base32, of no effect before `turnOn`. */
    secondFactorSecret: async (signal: AbortSignal): Promise<string> => {
      const { data } = await http.post<AdminReply<SecondFactorSecret>>(
        '/admin/second-factor/secret',
        undefined,
        { signal },
      );
      return assertAccepted(data)?.secret ?? '';
    },
    /** Resolves with the new recovery codes, if there are any. */
    changeSecondFactor: async (
      task: 'turnOn' | 'renew' | 'turnOff',
      data: SecondFactorProof,
    ): Promise<string[] | undefined> => {
      const url = `/admin/second-factor${task === 'renew' ? '/recovery-codes' : ''}`;
      const reply = await (task === 'turnOff'
        ? http.delete<AdminReply<RecoveryCodes>>(url, { data })
        : http.post<AdminReply<RecoveryCodes>>(url, data));
      return assertAccepted(reply.data)?.recoveryCodes;
    },
    passkeyOptions: async (
      proof: PasskeyProof,
      signal: AbortSignal,
    ): Promise<PublicKeyCredentialCreationOptionsJSON> => {
      const { data } = await http.post<AdminReply<PublicKeyCredentialCreationOptionsJSON>>(
        '/admin/passkeys/challenge',
        proof,
        { signal },
      );
      return assertAccepted(data)!;
    },
    addPasskey: async (passkey: NewPasskey): Promise<void> => {
      assertAccepted((await http.post<AdminReply<never>>('/admin/passkeys', passkey)).data);
    },
    removePasskey: async (id: string): Promise<void> => {
      assertAccepted((await http.delete<AdminReply<never>>(`/admin/passkeys/${id}`)).data);
    },
    /** The page of the provider at which the person signs in again before the account is deleted. */
    confirmPage: async (signal: AbortSignal): Promise<string> =>
      (await http.post<ConfirmPage>('/admin/sso/confirm', { purpose: 'delete_account' }, { signal })).data
        .url,
    /** Deletes the account with its records immediately; shared knowledge stays. null: after signing in again at the provider. */
    deleteAccount: async (password: string | null): Promise<void> => {
      const data: Proof = password === null ? {} : { password: password.trim() };
      assertAccepted((await http.delete<AdminReply<never>>('/admin/account', { data })).data);
    },
  };
}

function assertAccepted<T>(reply: AdminReply<T>): T | undefined {
  if (reply.code !== 1) throw new RejectedError(reply.msg);
  return reply.data;
}
