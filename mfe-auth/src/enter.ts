import type { AdminReply } from 'api/contract/accounts';
import type { Http } from 'host/contract';

export type Way = 'sign-in' | 'sign-up';

export interface Credentials {
  username: string;
  password: string;
}

/** A token, or the server's message why there is none ('' without a message). */
export type Entry = { token: string } | { refusal: string };

const ADDRESS: Record<Way, string> = { 'sign-in': '/admin/login', 'sign-up': '/admin/register' };

/**
 * Requests a token. Trims both fields and checks nothing else, because the server validates them. Rejects with `HttpFailure` when the call
 * fails.
 */
export async function enter(http: Http, way: Way, { username, password }: Credentials): Promise<Entry> {
  const body = { username: username.trim(), password: password.trim() };
  const { data: reply } = await http.post<AdminReply<string>>(ADDRESS[way], body);
  if (reply.code === 1 && reply.data) return { token: reply.data };
  return { refusal: reply.code === 1 ? '' : reply.msg };
}
