import type { AdminReply } from 'api/contract/accounts';
import type { Http } from 'host/contract';

export type Way = 'sign-in' | 'sign-up';

export interface Credentials {
  username: string;
  password: string;
}

/** A token, or the server's own words for why there is none ('' when it gave no words either). */
export type Entry = { token: string } | { refusal: string };

const ADDRESS: Record<Way, string> = { 'sign-in': '/admin/login', 'sign-up': '/admin/register' };

/**
 * Asks the server for a token. Both fields are trimmed here; nothing else is checked, because the rules are the server's.
 * Rejects with `HttpFailure` when the call itself fails.
 */
export async function enter(http: Http, way: Way, { username, password }: Credentials): Promise<Entry> {
  const body = { username: username.trim(), password: password.trim() };
  const { data: reply } = await http.post<AdminReply<string>>(ADDRESS[way], body);
  if (reply.code === 1 && reply.data) return { token: reply.data };
  return { refusal: reply.code === 1 ? '' : reply.msg };
}
