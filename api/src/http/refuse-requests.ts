import type { Context, Middleware } from 'koa';
import type { Config } from '../config/config.ts';
import { ApiError, invalidRequest } from '../errors/errors.ts';
import { bearerOf } from './bearer.ts';
import type { DeskMiddleware, DeskState } from './desk-state.ts';

/** Refuses paths that cannot be decoded, before a router uses them. */
export function wellFormedUrl(): Middleware<DeskState> {
  return (ctx, next) => {
    try {
      if (decodeURIComponent(ctx.path).includes('\0')) throw new URIError('NUL in a path');
    } catch {
      throw invalidRequest('url', 'invalid_url');
    }
    return next();
  };
}

/**
 * An IP address, a name without a dot or no host (HTTP/1.0), as used by proxies and probes inside a network. None is a
 * public domain, so DNS rebinding is not possible.
 */
const INTERNAL = /^((\d+(\.\d+){3}|\[[\da-f:.]+\]|[\w-]+)(:\d+)?)?$/i;

/**
 * Refuses requests with several hosts with 400 and, with PUBLIC_URL set, requests for any other domain with 421: a page
 * on a domain that an attacker points to this server (DNS rebinding) would have the same origin as the application.
 * Internal names and addresses are always accepted.
 */
export function knownHost({ publicUrl }: Pick<Config, 'publicUrl'>): DeskMiddleware {
  const known = publicUrl ? new URL(publicUrl) : null;
  /** In lower case, without the scheme's default port. */
  const hostOf = (host: string) => URL.parse(`${known?.protocol}//${host}`)?.host;
  return async (ctx, next) => {
    // RFC 9112, section 3.2: which of them a proxy used is unknown. `headersDistinct` would keep a second copy of all headers.
    const isHost = (name: string, index: number) => index % 2 === 0 && name.toLowerCase() === 'host';
    const hosts = ctx.req.rawHeaders.filter(isHost);
    if (hosts.length > 1) throw invalidRequest('host');
    const isKnown = known === null || hostOf(ctx.host) === known.host || INTERNAL.test(ctx.host);
    if (!isKnown) throw new ApiError('wrong_host');
    await next();
  };
}

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

/** For forms without a CSRF token: the browser must send the headers that `refuseCrossSite` has compared. */
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
