import type { Context } from 'koa';
import type { Config } from '../config/config.ts';
import { ApiError } from '../errors/errors.ts';
import { bearerOf } from './bearer.ts';
import type { DeskMiddleware } from './desk-state.ts';

/**
 * Refuses writes under /api, /admin or /chatbot that a page of another site sent, before anything is read or set. A
 * cross-site form carries no SameSite=Lax cookie, so the visitor would be treated as a new guest and lose
 * their own cookies. Requests with a Bearer token are allowed: browsers send it across sites only after a
 * CORS preflight, which is refused.
 * Browsers send `Sec-Fetch-Site` (https://www.w3.org/TR/fetch-metadata/) on HTTPS and on localhost. Otherwise
 * `Origin` is compared with the requested host. Non-browser clients send neither.
 */
export function refuseCrossSite({ publicUrl }: Pick<Config, 'publicUrl'>): DeskMiddleware {
  const publicHost = publicUrl ? new URL(publicUrl).host : null;
  return async (ctx, next) => {
    if (isCookieWrite(ctx) && !isFromOwnPage(ctx, publicHost)) throw new ApiError('csrf_failed');
    await next();
  };
}

/** For forms without a CSRF token: the browser itself must say that they are on a page of this host, which `refuseCrossSite` has compared. */
export const needOwnForm: DeskMiddleware = async (ctx, next) => {
  if (!ctx.get('Sec-Fetch-Site') && !ctx.get('Origin')) throw new ApiError('csrf_failed');
  await next();
};

function isCookieWrite(ctx: Context): boolean {
  return (
    /^\/(api|admin|chatbot)(\/|$)/i.test(ctx.path) &&
    !['GET', 'HEAD', 'OPTIONS'].includes(ctx.method) &&
    bearerOf(ctx) === null
  );
}

function isFromOwnPage(ctx: Context, publicHost: string | null): boolean {
  const site = ctx.get('Sec-Fetch-Site');
  if (site) return site === 'same-origin' || site === 'none';
  const origin = ctx.get('Origin');
  if (!origin) return true;
  const host = URL.canParse(origin) ? new URL(origin).host : null;
  // A proxy may have rewritten Host. Pages of other sites cannot set X-Forwarded-Host without a preflight, so
  // it can be trusted here.
  const own = [publicHost, ctx.get('Host'), ctx.get('X-Forwarded-Host').split(',', 1)[0]?.trim()];
  return host !== null && own.includes(host);
}
