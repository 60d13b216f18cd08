import type { Context } from 'koa';
import type { Config } from '../../config/config.ts';

/** Cookie of the browser that opened an override link; expires together with the override. */
const NAME = 'desk_override';

export interface OverrideCookie {
  /** '' if there is none. */
  read(ctx: Context): string;
  set(ctx: Context, token: string, expiresAt: Date): void;
  clear(ctx: Context): void;
}

export function createOverrideCookie({ publicUrl }: Pick<Config, 'publicUrl'>): OverrideCookie {
  function write(ctx: Context, value: string, expires: Date): void {
    const secure = ctx.secure || publicUrl?.startsWith('https:') === true;
    // The `cookies` package refuses Secure on a plain socket, even behind a proxy that terminates TLS.
    ctx.cookies.secure = secure;
    const options = { path: '/', sameSite: 'lax', httpOnly: true, signed: false, overwrite: true } as const;
    ctx.cookies.set(NAME, value, { ...options, secure, expires });
  }

  return {
    read: (ctx) => ctx.cookies.get(NAME) ?? '',
    set: write,
    clear: (ctx) => write(ctx, '', new Date(0)),
  };
}
