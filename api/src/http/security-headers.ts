import type { Middleware } from 'koa';
import type { Config } from '../config/config.ts';
import type { DeskState } from './desk-state.ts';

/** Whether a path is one of the API's, as against a page or a release's file. In any case, as the router takes them. */
export function isCall(path: string): boolean {
  return /^\/(api|admin|ops|healthz|readyz)(\/|$)/i.test(path);
}

/** What every response says, whether or not it goes through the pipeline. */
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

/** Headers of every response. Pages and files of releases replace the policy by their own; a call is never cached. */
export function securityHeaders({ publicUrl }: Pick<Config, 'publicUrl'>): Middleware<DeskState> {
  return (ctx, next) => {
    ctx.set(alwaysSent(ctx.secure || publicUrl?.startsWith('https:') === true));
    if (isCall(ctx.path)) ctx.set('Cache-Control', 'no-store');
    return next();
  };
}
