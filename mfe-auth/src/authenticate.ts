import type { SignInReply } from 'api/contract/accounts';
import type { Http } from 'host/contract';

export type AuthMode = 'sign-in' | 'sign-up';

export interface Credentials {
  username: string;
  password: string;
}

/** Why the server did not sign the visitor in ('' without a message), and which field it rejected. */
export interface Rejection {
  rejection: string;
  field?: SignInReply<string>['field'];
  /** Set if the password was correct and a code is needed, too. */
  challenge?: SignInReply<string>['challenge'] | undefined;
}

const ADDRESS: Record<AuthMode, string> = { 'sign-in': '/admin/login', 'sign-up': '/admin/register' };

/** Trims both fields; the server validates them. Rejects with `HttpFailure` when the call fails. */
export async function authenticate(
  http: Http,
  mode: AuthMode,
  { username, password }: Credentials,
): Promise<{ token: string } | Rejection> {
  const body = { username: username.trim(), password: password.trim() };
  const { data: reply } = await http.post<SignInReply<string>>(ADDRESS[mode], body);
  if (reply.code === 1 && reply.data) return { token: reply.data };
  return { rejection: reply.code === 1 ? '' : reply.msg, field: reply.field, challenge: reply.challenge };
}
