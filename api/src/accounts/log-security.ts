import type { Logger } from 'pino';
import type { DeskContext } from '../http/desk-state.ts';

/** Events that administrators, or tools such as fail2ban, look for in the log. */
type SecurityEvent =
  | 'sign_up'
  | 'sign_in'
  | 'sign_in_failed'
  | 'sign_in_limited'
  | 'identity_linked'
  | 'password_link_created'
  | 'invitation_created'
  | 'password_changed'
  | 'password_change_failed'
  | 'sessions_ended'
  | 'export'
  | 'account_disabled'
  | 'account_enabled'
  | 'account_deleted'
  | 'account_deletion_failed'
  | 'permission_changed'
  | 'settings_changed'
  | 'ops_token_failed'
  | 'ops_token_limited';

/** Logs a security event of a request. */
export type LogSecurity = (
  ctx: DeskContext,
  event: SecurityEvent,
  /** The account concerned, or null if unknown. */
  account: { toString(): string } | null,
) => void;

/**
 * Log lines with the message `security`, the name of the event, the account's id and the caller's address, at
 * level `warn` for failures, else `info`. An entered user name is never logged: it may be a password.
 */
export function createLogSecurity(log: Logger): LogSecurity {
  return (ctx, event, account) => {
    const level = /_(failed|limited)$/.test(event) ? 'warn' : 'info';
    const { requestId } = ctx.state;
    log[level]({ event, account: account && String(account), ip: ctx.ip, requestId }, 'security');
  };
}
