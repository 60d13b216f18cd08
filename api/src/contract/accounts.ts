/**
 * Response of /admin/login and /admin/register: with `code` 1, success, `data` is the token; with `code` 0, a
 * refusal, `msg` is the reason.
 */
export interface AdminReply<T> {
  code: 0 | 1;
  msg: string;
  data?: T;
}

/** A signed-in device. Times are ISO 8601. */
export interface SessionInfo {
  id: string;
  current: boolean;
  device: string;
  createdAt: string;
  lastUsedAt: string;
}

/**
 * An account that may change the knowledge base, as operators see it: GET /ops/editors, POST
 * /ops/editors/grant and revoke.
 */
export interface EditorInfo {
  id: string;
  username: string;
  createdAt: string;
  isEditor: boolean;
}
