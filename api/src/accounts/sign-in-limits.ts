import type { Config } from '../config/config.ts';
import { CodeAnswer, Credentials } from '../contract/accounts.ts';
import { ApiError } from '../errors/errors.ts';
import { bodyOf } from '../http/body.ts';
import type { DeskContext, DeskMiddleware } from '../http/desk-state.ts';
import { cookieName } from '../http/set-cookie.ts';
import { nameKeyOf } from './account-rules.ts';
import type { LogSecurity } from './audit/log-security.ts';
import { deviceCookie } from './device-cookie.ts';
import { signedIn } from './identify.ts';
import { addressKey } from './limit-requests.ts';
import type { OpenAccounts } from './open-accounts.ts';

export type SignInLimits = ReturnType<typeof createSignInLimits>;

/**
 * Middleware that limits attempts to sign in and to prove an identity, by address and targeted account. Attempts with something that
 * only the owner has (a session, a known device) are counted separately, so that others cannot lock the owner out.
 */
export function createSignInLimits(
  { limits, devices, secondFactors }: OpenAccounts,
  logSecurity: LogSecurity,
  config: Pick<Config, 'publicUrl'>,
) {
  const limitBy =
    (keysOf: (ctx: DeskContext) => string[] | Promise<string[]>): DeskMiddleware =>
    async (ctx, next) => {
      try {
        await limits.signIn.take(...(await keysOf(ctx)));
      } catch (cause) {
        if (cause instanceof ApiError && cause.error === 'rate_limited')
          logSecurity(ctx, 'sign_in_limited', ctx.state.signedIn?.user._id ?? null);
        throw cause;
      }
      await next();
    };
  /** Limits by account and address; attempts of a known device only by device. */
  const limitByAccount = (accountOf: (ctx: DeskContext) => string | Promise<string>) =>
    limitBy(async (ctx) => {
      const account = await accountOf(ctx);
      const written = ctx.cookies.get(cookieName(ctx, deviceCookie, config)) ?? ctx.cookies.get(deviceCookie);
      const device = devices.deviceOf(written, account);
      return device ? [`device ${device}`] : [addressKey(ctx.ip), `account ${account}`];
    });
  return {
    /** Limits sign-ins to the account that the `Credentials` in the body name. */
    byName: limitByAccount((ctx) => nameKeyOf(bodyOf(ctx, Credentials).username)),
    /** Limits codes as passwords, for the account of the `CodeAnswer` of the body. */
    byCode: limitByAccount(async (ctx) => {
      const { challenge } = bodyOf(ctx, CodeAnswer);
      return (await secondFactors.challenged(challenge))?.nameKey ?? challenge;
    }),
    /** Limits proofs of the own password. */
    bySession: limitBy((ctx) => [`session ${signedIn(ctx).sessionId}`]),
    /** Limits by address, and by a key from the body, such as the token of a link. */
    byBody: (keyOf: (ctx: DeskContext) => string) => limitBy((ctx) => [addressKey(ctx.ip), keyOf(ctx)]),
  };
}
