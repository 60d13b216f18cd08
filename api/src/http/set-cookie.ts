import type { Context } from 'koa';
import type { Config } from '../config/config.ts';
import { databaseNow } from '../store/database-clock.ts';
import { basePathOf } from './base-path.ts';

interface CookieOptions {
  /** Lifetime in ms; 0 deletes the cookie. */
  maxAge: number;
  /** Whether scripts of the page may read it. Default false. */
  isReadable?: boolean;
  /** Below the base path; default '/'. */
  path?: string;
}

/** Sets a cookie of this host: SameSite=Lax, and Secure over https. An existing `Set-Cookie` of this name is replaced. */
export function setCookie(
  ctx: Context,
  config: Pick<Config, 'publicUrl'>,
  name: string,
  value: string,
  { maxAge, isReadable = false, path = '/' }: CookieOptions,
): void {
  const secure = isSecure(ctx, config);
  // The `cookies` package refuses Secure on a plain socket, even behind a proxy that terminates TLS.
  ctx.cookies.secure = secure;
  ctx.cookies.set(name, value, {
    path: basePathOf(config) + path,
    sameSite: 'lax',
    secure,
    httpOnly: !isReadable,
    signed: false,
    overwrite: true,
    // `maxAge` would become a date by this machine's clock.
    expires: new Date(maxAge === 0 ? 0 : databaseNow() + maxAge),
  });
}

/**
 * Adds the prefix `__Host-` over https: browsers accept such a cookie from this host only, not from others of
 * its domain. It would require the path '/', so that it is `__Secure-` below a base path.
 */
export function cookieName(ctx: Context, name: string, config: Pick<Config, 'publicUrl'>): string {
  if (!isSecure(ctx, config)) return name;
  return `${basePathOf(config) ? '__Secure-' : '__Host-'}${name}`;
}

export function isSecure(ctx: Context, { publicUrl }: Pick<Config, 'publicUrl'>): boolean {
  return ctx.secure || publicUrl?.startsWith('https:') === true;
}
