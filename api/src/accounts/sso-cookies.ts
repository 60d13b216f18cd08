import type { Context } from 'koa';
import { z } from 'zod';
import type { Config } from '../config/config.ts';
import { cookieName, setCookie } from '../http/set-cookie.ts';
import { databaseNow } from '../store/database-clock.ts';
import { Flow, ProvidedPerson } from './providers.ts';
import { createSigner } from './secrets.ts';

/** Time for signing in at a provider, and for choosing an account, in ms. */
const maxAge = 600_000;

const kinds = {
  /** A sign-in that this browser has begun. */
  desk_sso: Flow,
  /** The person that a provider has signed in, before the account is chosen. */
  desk_sso_person: ProvidedPerson,
};

type Kind = keyof typeof kinds;

/** Signed cookies that bind a sign-in to the browser that has begun it. They expire after 10 minutes. */
export function createSsoCookies(key: Buffer, config: Pick<Config, 'publicUrl'>) {
  const { sign, isSigned } = createSigner(key);

  return {
    write<Of extends Kind>(ctx: Context, kind: Of, value: z.infer<(typeof kinds)[Of]>): void {
      const content = Buffer.from(JSON.stringify([databaseNow() + maxAge, value])).toString('base64url');
      const signed = `${content}.${sign(`${kind}\n${content}`)}`;
      setCookie(ctx, config, cookieName(ctx, kind, config), signed, { maxAge });
    },

    /** null unless this server has signed it for this purpose in the last 10 minutes. */
    read<Of extends Kind>(ctx: Context, kind: Of): z.infer<(typeof kinds)[Of]> | null {
      const [content = '', signature = ''] = ctx.cookies.get(cookieName(ctx, kind, config))?.split('.') ?? [];
      if (!isSigned(`${kind}\n${content}`, signature)) return null;
      const [until, value] = z
        .tuple([z.number(), z.unknown()])
        .parse(JSON.parse(Buffer.from(content, 'base64url').toString('utf8')));
      return until > databaseNow() ? (kinds[kind].parse(value) as z.infer<(typeof kinds)[Of]>) : null;
    },

    remove(ctx: Context, kind: Kind): void {
      setCookie(ctx, config, cookieName(ctx, kind, config), '', { maxAge: 0 });
    },
  };
}
