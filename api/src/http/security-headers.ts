import type { Middleware } from 'koa';
import type { Config } from '../config/config.ts';
import type { DeskState } from './desk-state.ts';
import { isSecure } from './set-cookie.ts';

/** Whether a path is of the API, not a page or a release's file. Case-insensitive, like the router. */
function isCall(path: string): boolean {
  return /^\/(api|admin|ops|healthz|readyz)(\/|$)/i.test(path);
}

/** Headers of every response, including those outside the pipeline. */
export function alwaysSent(isHttps: boolean): Record<string, string> {
  return {
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'same-origin',
    ...(isHttps ? { 'Strict-Transport-Security': 'max-age=31536000' } : {}),
    'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
    'X-Frame-Options': 'DENY',
    'Cross-Origin-Resource-Policy': 'same-origin',
  };
}

/** Of every response. Pages and files of releases replace the policy; API responses are not cached. */
export function securityHeaders({ publicUrl }: Pick<Config, 'publicUrl'>): Middleware<DeskState> {
  return (ctx, next) => {
    ctx.set(alwaysSent(isSecure(ctx, { publicUrl })));
    if (isCall(ctx.path)) ctx.set('Cache-Control', 'no-store');
    return next();
  };
}
