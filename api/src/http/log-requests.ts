import type { Middleware } from 'koa';
import type { Logger } from 'pino';
import type { DeskState } from './desk-state.ts';

/**
 * One line a request: what, how it ended, how long it took. Only the path is logged, without its query, and nothing of bodies or
 * headers: no text, contact, name, password or token ever gets into a log. The address of an override holds its token.
 */
export function logRequests(log: Logger): Middleware<DeskState> {
  return async (ctx, next) => {
    const start = performance.now();
    ctx.res.once('close', () => {
      const level = ctx.path === '/healthz' || ctx.path === '/readyz' ? 'debug' : 'info';
      log[level](
        {
          requestId: ctx.state.requestId,
          method: ctx.method,
          path: withoutSecrets(ctx.path).slice(0, 200),
          status: ctx.status,
          ms: Math.round(performance.now() - start),
          who: ctx.state.owner?.split(':', 1)[0],
          ...(ctx.res.writableFinished ? {} : { left: true }),
        },
        'request',
      );
    });
    await next();
  };
}

function withoutSecrets(path: string): string {
  // Mistyped addresses as well: their token is as good as ever.
  return path.replace(/(\/override\/+)[^/]{20,}/i, '$1…');
}
