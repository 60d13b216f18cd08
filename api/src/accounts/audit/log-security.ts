import type { Logger } from 'pino';
import { AuditEvent } from '../../contract/audit.ts';
import { operations } from '../../contract/operations.ts';
import type { DeskContext, DeskMiddleware } from '../../http/desk-state.ts';
import type { AuditLog } from './audit-log.ts';

/** Events that administrators, or tools such as fail2ban, look for. Reached limits are only logged, since attackers can cause any number of them. */
export type SecurityEvent = AuditEvent | 'sign_in_limited' | 'ops_token_limited';

/** Records a security event of a request. */
export type LogSecurity = (
  ctx: DeskContext,
  event: SecurityEvent,
  /** The account concerned, or null if unknown. */
  account: { toString(): string } | null,
) => void;

/**
 * Writes log lines with the message `security`, the name of the event, the account's id and the caller's address, at
 * level `warn` for failures, else `info`; and entries of the audit log, for which `audited` waits. An entered user name
 * is never recorded: it may be a password.
 */
export function createLogSecurity(log: Logger, audit: Pick<AuditLog, 'add'>) {
  function record(ctx: DeskContext, event: SecurityEvent, account: string | null, subject: string | null) {
    const isFailure = /_(failed|limited)$/.test(event);
    const { requestId } = ctx.state;
    log[isFailure ? 'warn' : 'info']({ event, account, ip: ctx.ip, requestId }, 'security');
    const entry = AuditEvent.safeParse(event).data;
    if (!entry) return;
    const by = callerOf(ctx) ?? (isFailure || account === null ? null : `user:${account}`);
    ctx.state.audits.push(audit.add({ event: entry, call: callOf(ctx), by, subject, ip: ctx.ip }));
  }

  const logSecurity: LogSecurity = (ctx, event, account) => {
    const id = account && String(account);
    record(ctx, event, id, id === null ? null : `user:${id}`);
  };

  /** Records calls that the table of operations names an event for, and all changes by tokens of operations. */
  const audited: DeskMiddleware = async (ctx, next) => {
    ctx.state.audits = [];
    try {
      await next();
      const event = operations[callOf(ctx)]?.audit ?? (isOperation(ctx) ? 'operation' : null);
      const ids = Object.values((ctx.params ?? {}) as Record<string, string>).join(' ');
      if (event && ctx.status < 400)
        record(ctx, event, ctx.state.signedIn?.user._id.toHexString() ?? null, ids ? `thing:${ids}` : null);
    } finally {
      await Promise.all(ctx.state.audits);
    }
  };

  return { logSecurity, audited };
}

/** Method and pattern of the route, as in the table of operations. */
const callOf = (ctx: DeskContext): string => `${ctx.method} ${String(ctx._matchedRoute).replace(/\/$/, '')}`;

/** Whether a token of operations has changed something that no other event tells of. */
const isOperation = ({ method, state }: DeskContext): boolean =>
  Boolean(state.opsToken) && method !== 'GET' && state.audits.length === 0;

function callerOf({ state }: DeskContext): string | null {
  // A person by id: the name is text about a person.
  if (state.opsToken?.id.startsWith('user:')) return state.opsToken.id;
  if (state.opsToken) return `token:${state.opsToken.name}`;
  return state.signedIn ? `user:${state.signedIn.user._id.toHexString()}` : (state.owner ?? null);
}
