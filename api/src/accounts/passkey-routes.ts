import type { Config } from '../config/config.ts';
import { NewPasskey, PasskeyProof, PasskeySignIn } from '../contract/passkeys.ts';
import { bodyOf, noBody } from '../http/body.ts';
import type { DeskContext } from '../http/desk-state.ts';
import { idOf } from '../http/id-of.ts';
import { createRoutes, type DeskRoutes } from '../http/routes.ts';
import { answerSignIn, logSignIn, refused, reply } from './account-replies.ts';
import type { LogSecurity } from './audit/log-security.ts';
import { describeDevice } from './describe-device.ts';
import { signedIn } from './identify.ts';
import { addressKey } from './limit-requests.ts';
import type { OpenAccounts } from './open-accounts.ts';
import type { SignInLimits } from './sign-in-limits.ts';
import { originOf } from './sso-routes.ts';

/** /admin/passkeys: those of the own account, and signing in with one. Adding one needs the password, and a code if the account has a second factor. */
export function createPasskeyRoutes(
  { passkeys, accounts, secondFactors, identity, limits }: OpenAccounts,
  {
    limit,
    logSecurity,
    config,
  }: { limit: SignInLimits; logSecurity: LogSecurity; config: Pick<Config, 'publicUrl'> },
): DeskRoutes {
  const router = createRoutes('/admin/passkeys');
  // PUBLIC_URL may have a path.
  const pageOrigin = (ctx: DeskContext) => new URL(originOf(ctx, config)).origin;

  router.post('/challenge', PasskeyProof, limit.bySession, async (ctx, { password, code }) => {
    const { _id } = signedIn(ctx).user;
    const user = await accounts.findByPassword(_id, password);
    const isProven = user && (!secondFactors.isOn(user) || (await secondFactors.accept(user, code ?? '')));
    if (!isProven) {
      logSecurity(ctx, 'passkey_failed', _id);
      return refused(ctx, user ? 'wrong_code' : 'wrong_password');
    }
    return reply(ctx, 'passkey_begun', await passkeys.registrationOptions(user, pageOrigin(ctx)));
  });

  router.post('/', NewPasskey, async (ctx, { name, credential }) => {
    const { _id } = signedIn(ctx).user;
    const named = { name: name || describeDevice(ctx.get('User-Agent')), credential };
    const isAdded = await passkeys.add(_id, named, pageOrigin(ctx));
    logSecurity(ctx, isAdded ? 'passkey_added' : 'passkey_failed', _id);
    return isAdded ? reply(ctx, 'passkey_added') : refused(ctx, 'wrong_passkey');
  });

  router.delete('/:id', noBody(), async (ctx) => {
    const { _id } = signedIn(ctx).user;
    await passkeys.remove(_id, idOf(ctx));
    logSecurity(ctx, 'passkey_removed', _id);
    return reply(ctx, 'passkey_removed');
  });

  router.post('/sign-in/challenge', noBody(), async (ctx) => {
    await limits.passkeys.take(addressKey(ctx.ip));
    return passkeys.signInOptions(pageOrigin(ctx));
  });

  const limitByPasskey = limit.byBody((ctx) => `passkey ${bodyOf(ctx, PasskeySignIn).id}`);

  router.post('/sign-in', PasskeySignIn, limitByPasskey, async (ctx, asked) => {
    const result = await passkeys.signIn(asked, identity.visitOf(ctx), pageOrigin(ctx));
    logSignIn(logSecurity, ctx, result);
    answerSignIn(ctx, identity, result);
  });

  return router;
}
