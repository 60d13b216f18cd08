import type { Middleware } from 'koa';
import type { Logger } from 'pino';
import type { DeskState } from './desk-state.ts';

/**
 * Logs one line per request: method, path, status and duration. Query, headers and bodies are never logged,
 * so that no text, contact, name, password or token gets into the log. The address of an override contains
 * its token and is shortened.
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
  // Also for mistyped addresses, since their token is still valid.
  return path.replace(/(\/override\/+)[^/]{20,}/i, '$1…');
}
