/** /admin/login and /admin/register: `code` 1 is success and `data` the token; `code` 0 is a refusal told by `msg`. */
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

/** An account that may change the knowledge base, as operations see it: GET /ops/editors, POST /ops/editors/grant and revoke. */
export interface EditorInfo {
  id: string;
  username: string;
  createdAt: string;
  isEditor: boolean;
}
