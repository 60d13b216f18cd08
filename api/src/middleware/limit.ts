import type { Limit } from '../services/limits.ts';
import type { DeskMiddleware } from './desk-state.ts';

/**
 * Counts a question by its owner; a guest's by address as well, since anyone can be a new guest at any time. Accounts are not
 * counted by address: a whole office may share one.
 */
export function limitChat(limit: Limit): DeskMiddleware {
  return async (ctx, next) => {
    const { owner } = ctx.state;
    await limit.take(owner, ...(owner.startsWith('guest:') ? [`address ${ctx.ip}`] : []));
    await next();
  };
}

/** Counts attempts at passwords by address and by the account that they aim at. */
export function limitSignIn(
  limit: Limit,
  accountOf: (ctx: Parameters<DeskMiddleware>[0]) => string,
): DeskMiddleware {
  return async (ctx, next) => {
    await limit.take(`address ${ctx.ip}`, `account ${accountOf(ctx)}`);
    await next();
  };
}
