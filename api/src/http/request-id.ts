import { randomUUID } from 'node:crypto';
import type { Middleware } from 'koa';
import type { DeskState } from './desk-state.ts';

/**
 * Assigns an id to every request for its response, log line and error body. The id from a trusted proxy is
 * reused.
 */
export function requestId({ trustProxy }: { trustProxy: number }): Middleware<DeskState> {
  return async (ctx, next) => {
    const given = trustProxy > 0 ? ctx.get('X-Request-Id') : '';
    ctx.state.requestId = /^[\w.-]{1,64}$/.test(given) ? given : randomUUID();
    ctx.set('X-Request-Id', ctx.state.requestId);
    await next();
  };
}
