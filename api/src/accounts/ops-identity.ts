import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { Context } from 'koa';
import type { Config } from '../config/config.ts';
import type { OpsSession } from '../contract/releases.ts';
import { forbidden, opsTokenWrong, signInRequired } from '../errors/errors.ts';
import type { DeskContext, DeskMiddleware } from '../http/desk-state.ts';
import { addressKey } from './limit.ts';
import type { Limit } from './limits.ts';

/** Minutes that a token lasts which was made of the ops token. */
const sessionMinutes = 30;
/** Before such a token, so that no other kind of token is ever taken for one. */
const prefix = 'ops.';

export interface OpsIdentity {
  /** Only with the ops token or one made of it. */
  needOps: DeskMiddleware;
  /** Only with the ops token itself. */
  needOpsToken: DeskMiddleware;
  /** With either of them, or signed in as anybody: for what is merely read. */
  needReader: DeskMiddleware;
  /** With the ops token, or a release token: sets `state.publisher` to 'ops' or the remote's name. */
  needPublisher: DeskMiddleware;
  /** A token of 30 minutes, dead as soon as OPS_TOKEN changes. */
  createSession(now: Date): OpsSession;
}

/**
 * Who may release and compose. Tokens are compared in constant time. Wrong ones count against the address that they come from, so
 * that guessing is slow while whoever has the right one is never slowed down.
 *
 * @param deps.key serves these sessions alone, see `deriveKey`.
 * @param deps.wrongTokens counts wrong tokens by address.
 */
export function createOpsIdentity(deps: {
  opsToken: string;
  config: Pick<Config, 'releaseTokens'>;
  key: Buffer;
  needToken: DeskMiddleware;
  wrongTokens: Limit;
}): OpsIdentity {
  const { opsToken, config, key, needToken, wrongTokens } = deps;

  const sign = (expiresAt: string) =>
    createHmac('sha256', key).update(`${expiresAt}\n${opsToken}`).digest('base64url');

  function isSession(token: string): boolean {
    const [, expiresAt = '', signature = ''] = /^ops\.([0-9a-z]{1,10})\.([\w-]{43})$/.exec(token) ?? [];
    return isSame(signature, sign(expiresAt)) && Number.parseInt(expiresAt, 36) * 1000 > Date.now();
  }

  const isOps = (token: string) => isSame(token, opsToken) || isSession(token);

  /** The remote that `token` may publish; every one is compared, so that the time tells nothing. */
  function remoteOf(token: string): string | undefined {
    const fitting = Object.entries(config.releaseTokens).filter(([, known]) => isSame(token, known));
    return fitting[0]?.[0];
  }

  async function refuse(ctx: DeskContext): Promise<never> {
    await wrongTokens.take(addressKey(ctx.ip));
    throw opsTokenWrong();
  }

  return {
    async needOps(ctx, next) {
      const token = bearerOf(ctx);
      if (!isOps(token)) {
        if (remoteOf(token)) throw forbidden();
        await refuse(ctx);
      }
      await next();
    },
    async needOpsToken(ctx, next) {
      if (!isSame(bearerOf(ctx), opsToken)) await refuse(ctx);
      await next();
    },
    async needReader(ctx, next) {
      const token = bearerOf(ctx);
      if (token === '') throw signInRequired();
      if (isOps(token) || remoteOf(token)) return next();
      if (token.startsWith(prefix)) await refuse(ctx);
      let isIn = false;
      try {
        await needToken(ctx, () => {
          isIn = true;
          return next();
        });
      } catch (cause) {
        // No visitor's token either: it may be a guess at the ops token, which is no faster here than elsewhere.
        if (!isIn) await wrongTokens.take(addressKey(ctx.ip));
        throw cause;
      }
    },
    async needPublisher(ctx, next) {
      const token = bearerOf(ctx);
      const publisher = isOps(token) ? 'ops' : remoteOf(token);
      if (!publisher) return refuse(ctx);
      ctx.state.publisher = publisher;
      await next();
    },
    createSession(now) {
      const seconds = Math.floor(now.getTime() / 1000) + sessionMinutes * 60;
      const expiresAt = seconds.toString(36);
      return {
        token: `${prefix}${expiresAt}.${sign(expiresAt)}`,
        expiresAt: new Date(seconds * 1000).toISOString(),
      };
    },
  };
}

/** '' without a Bearer token. */
function bearerOf(ctx: Context): string {
  return /^Bearer\s+(\S+)$/i.exec(ctx.get('Authorization').trim())?.[1] ?? '';
}

/** In a time that tells nothing of where they differ, or of their lengths. */
function isSame(given: string, known: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(known));
}
