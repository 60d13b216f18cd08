import type { AdminReply } from 'api/contract/accounts';
import type { Http } from 'host/contract';

export type AuthMode = 'sign-in' | 'sign-up';

export interface Credentials {
  username: string;
  password: string;
}

/** A token, or the server's message why there is none ('' without a message). */
type AuthResult = { token: string } | { rejection: string };

const ADDRESS: Record<AuthMode, string> = { 'sign-in': '/admin/login', 'sign-up': '/admin/register' };

/**
 * Requests a token. Trims both fields and checks nothing else, because the server validates them. Rejects with `HttpFailure` when the call
 * fails.
 */
export async function authenticate(
  http: Http,
  mode: AuthMode,
  { username, password }: Credentials,
): Promise<AuthResult> {
  const body = { username: username.trim(), password: password.trim() };
  const { data: reply } = await http.post<AdminReply<string>>(ADDRESS[mode], body);
  if (reply.code === 1 && reply.data) return { token: reply.data };
  return { rejection: reply.code === 1 ? '' : reply.msg };
}
