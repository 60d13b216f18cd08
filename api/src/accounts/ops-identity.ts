import { createHash, timingSafeEqual } from 'node:crypto';
import type { Config } from '../config/config.ts';
import type { OpsSession } from '../contract/releases.ts';
import { forbidden, opsTokenWrong, signInRequired } from '../errors/errors.ts';
import { bearerOf } from '../http/bearer.ts';
import type { DeskContext, DeskMiddleware } from '../http/desk-state.ts';
import { addressKey } from './limit.ts';
import type { Limit } from './limits.ts';
import { createSigner } from './signer.ts';

/** Lifetime of an operator session, in minutes. */
const sessionMinutes = 30;
/** Prefix of operator sessions, which distinguishes them from all other tokens. */
const prefix = 'ops.';

export interface OpsIdentity {
  /** Requires the ops token or a session derived from it. */
  needOps: DeskMiddleware;
  /** Requires the ops token itself. */
  needOpsToken: DeskMiddleware;
  /** Requires one of these or any signed-in user: for read access. */
  needReader: DeskMiddleware;
  /** Requires the ops token or a release token: sets `state.publisher` to 'ops' or the remote's name. */
  needPublisher: DeskMiddleware;
  /** A token valid for 30 minutes, or until OPS_TOKEN changes. */
  createSession(now: Date): OpsSession;
}

/**
 * Permissions to release and compose. Tokens are compared in constant time. Wrong ones count against the
 * address that sends them, so that guessing is slow while correct tokens are never limited.
 * @param deps.key is used for these sessions only, see `deriveKey`. @param deps.wrongTokens limits wrong
 * tokens by address.
 */
export function createOpsIdentity(deps: {
  opsToken: string;
  config: Pick<Config, 'releaseTokens'>;
  key: Buffer;
  needToken: DeskMiddleware;
  wrongTokens: Limit;
}): OpsIdentity {
  const { opsToken, config, key, needToken, wrongTokens } = deps;

  const { sign, isSigned } = createSigner(key);
  /** Includes the ops token: a session ends when it changes. */
  const signedText = (expiresAt: string) => `${expiresAt}\n${opsToken}`;

  function isSession(token: string): boolean {
    const [, expiresAt = '', signature = ''] = /^ops\.([0-9a-z]{1,10})\.([\w-]{43})$/.exec(token) ?? [];
    return isSigned(signedText(expiresAt), signature) && Number.parseInt(expiresAt, 36) * 1000 > Date.now();
  }

  const isOps = (token: string) => isSame(token, opsToken) || isSession(token);

  /** The remote that `token` may publish; compares all of them, so that the time reveals nothing. */
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
      const token = bearerOf(ctx) ?? '';
      if (!isOps(token)) {
        if (remoteOf(token)) throw forbidden();
        await refuse(ctx);
      }
      await next();
    },
    async needOpsToken(ctx, next) {
      if (!isSame(bearerOf(ctx) ?? '', opsToken)) await refuse(ctx);
      await next();
    },
    async needReader(ctx, next) {
      const token = bearerOf(ctx) ?? '';
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
        // It is not a visitor's token either, so it may be a guess at the ops token and is limited like
        // elsewhere.
        if (!isIn) await wrongTokens.take(addressKey(ctx.ip));
        throw cause;
      }
    },
    async needPublisher(ctx, next) {
      const token = bearerOf(ctx) ?? '';
      const publisher = isOps(token) ? 'ops' : remoteOf(token);
      if (!publisher) return refuse(ctx);
      ctx.state.publisher = publisher;
      await next();
    },
    createSession(now) {
      const seconds = Math.floor(now.getTime() / 1000) + sessionMinutes * 60;
      const expiresAt = seconds.toString(36);
      return {
        token: `${prefix}${expiresAt}.${sign(signedText(expiresAt))}`,
        expiresAt: new Date(seconds * 1000).toISOString(),
      };
    },
  };
}

/** Compares in constant time, independent of content and length. */
function isSame(given: string, known: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(known));
}
