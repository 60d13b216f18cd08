import type { Context } from 'koa';
import type { Config } from '../../config/config.ts';
import { setCookie } from '../../http/set-cookie.ts';

/** Cookie of the browser that opened an override link; expires together with the override. */
const NAME = 'desk_override';

export interface OverrideCookie {
  /** '' if there is none. */
  read(ctx: Context): string;
  set(ctx: Context, token: string, expiresAt: Date): void;
  clear(ctx: Context): void;
}

export function createOverrideCookie(config: Pick<Config, 'publicUrl'>): OverrideCookie {
  return {
    read: (ctx) => ctx.cookies.get(NAME) ?? '',
    set: (ctx, token, expiresAt) =>
      setCookie(ctx, config, NAME, token, { maxAge: expiresAt.getTime() - Date.now() }),
    clear: (ctx) => setCookie(ctx, config, NAME, '', { maxAge: 0 }),
  };
}
