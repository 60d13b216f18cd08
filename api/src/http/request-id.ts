import { randomUUID } from 'node:crypto';
import type { Middleware } from 'koa';
import type { DeskState } from './desk-state.ts';

/** The id of a request, for response, log and error body. A trusted proxy's id is reused. */
export function requestId({ trustProxy }: { trustProxy: number }): Middleware<DeskState> {
  return async (ctx, next) => {
    const given = trustProxy > 0 ? ctx.get('X-Request-Id') : '';
    ctx.state.requestId = /^[\w.-]{1,64}$/.test(given) ? given : randomUUID();
    ctx.set('X-Request-Id', ctx.state.requestId);
    await next();
  };
}
