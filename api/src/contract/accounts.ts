/**
 * Response of /admin/login and /admin/register: with `code` 1, success, `data` is the token; with `code` 0, a
 * refusal, `msg` is the reason.
 */
export interface AdminReply<T> {
  code: 0 | 1;
  msg: string;
  /** With `code: 0`: the field that was refused, if it was one. */
  field?: 'username' | 'password';
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

/** An account, as operators see it. */
export interface AccountInfo {
  id: string;
  username: string;
  createdAt: string;
}

/**
 * An account that may change the knowledge base and answers people: GET /ops/editors, POST /ops/editors/grant and
 * revoke.
 */
export interface EditorInfo extends AccountInfo {
  isEditor: boolean;
}

/**
 * An account that may change the settings: GET /ops/administrators, POST /ops/administrators/grant and revoke.
 */
export interface AdministratorInfo extends AccountInfo {
  isAdministrator: boolean;
}
