import type { Config } from '../config/config.ts';
import {
  type AdminReply,
  CodeAnswer,
  Credentials,
  PasswordChange,
  Proof,
  type RecoveryCodes,
  SecondFactorProof,
  type SecondFactorState,
  type SessionList,
} from '../contract/accounts.ts';
import { LinkQuery, LinkUse } from '../contract/one-time-links.ts';
import { NewPasskey, PasskeyProof, PasskeySignIn } from '../contract/passkeys.ts';
import { ApiError } from '../errors/errors.ts';
import { bodyOf } from '../http/body.ts';
import type { DeskContext } from '../http/desk-state.ts';
import { createRoutes, type DeskRoutes, idOf, noBody } from '../http/routes.ts';
import { cookieName, setCookie } from '../http/set-cookie.ts';
import type { TextKey } from '../i18n/texts-of.ts';
import type { UserDocument } from './account-models.ts';
import { answerSignIn, logSignIn, refused, reply } from './account-replies.ts';
import { nameKeyOf } from './account-rules.ts';
import type { SignInResult } from './accounts.ts';
import type { LogSecurity } from './audit/log-security.ts';
import { describeDevice } from './describe-device.ts';
import { deviceCookie, deviceDays } from './device-cookie.ts';
import { signedIn } from './identify.ts';
import { addressKey } from './limit-requests.ts';
import type { OpenAccounts } from './open-accounts.ts';
import type { SignInLimits } from './sign-in-limits.ts';
import { originOf } from './sso-routes.ts';

interface AccountRouteDeps {
  limit: SignInLimits;
  logSecurity: LogSecurity;
  config: Pick<Config, 'publicUrl'>;
}

/** /admin takes only JSON, and a Bearer token for an account: no cookie, so no CSRF token is needed. */
export function createAccountRoutes(
  { accounts, proofs, sessions, providers, oneTimeLinks, setup, identity, devices }: OpenAccounts,
  { limit, logSecurity, config }: AccountRouteDeps,
): DeskRoutes {
  const router = createRoutes('/admin');

  router.post('/register', Credentials, limit.byName, async (ctx, given) => {
    const mayBeFirst = setup.isTrial(ctx);
    const result = await accounts.signUp({ ...given, ...identity.visitOf(ctx) }, { mayBeFirst });
    if ('token' in result) logSignIn(logSecurity, ctx, result);
    answerWithToken(ctx, result, 'signed_up');
  });

  router.post('/login', Credentials, limit.byName, async (ctx, given) => {
    const result = await accounts.signIn({ ...given, ...identity.visitOf(ctx) });
    logSignIn(logSecurity, ctx, result);
    answerWithToken(ctx, result, 'signed_in');
  });

  router.post('/login/code', CodeAnswer, limit.byCode, async (ctx, { challenge, code }) => {
    const result = await accounts.signInByCode(challenge, code, identity.visitOf(ctx));
    logSignIn(logSecurity, ctx, result);
    if ('token' in result) keepDevice(ctx, nameKeyOf(result.username));
    answerSignIn(ctx, identity, result);
  });

  const limitByLink = limit.byBody((ctx) => `link ${bodyOf(ctx, LinkQuery).token}`);

  router.post('/link', LinkQuery, limitByLink, (_, query) => oneTimeLinks.read(query.token));

  router.post('/link/use', LinkUse, limitByLink, async (ctx, { token, ...credentials }) => {
    const result = await oneTimeLinks.use(token, { ...credentials, ...identity.visitOf(ctx) });
    if ('token' in result) {
      if (result.isNew) logSignIn(logSecurity, ctx, result);
      else logSecurity(ctx, 'password_changed', result.userId);
      if (result.hadSecondFactor) logSecurity(ctx, 'second_factor_off', result.userId);
    }
    answerSignIn(ctx, identity, result);
  });

  router.post('/auth', noBody(), (ctx) =>
    reply(ctx, 'is_signed_in', { username: signedIn(ctx).user.username }),
  );

  router.post('/logout', noBody(), async (ctx) => {
    const { user, sessionId, provider } = signedIn(ctx);
    await sessions.end(user._id, sessionId.toHexString());
    leaveBrowser(ctx);
    // If the provider cannot be reached, its session stays.
    const returnTo = `${originOf(ctx, config)}/chatbot/login`;
    const url = provider && (await providers.endSessionUrl(provider, returnTo).catch(() => null));
    return reply(ctx, 'signed_out', url ? { url } : undefined);
  });

  router.post('/password', PasswordChange, limit.bySession, async (ctx, { current, next }) => {
    const { user, sessionId } = signedIn(ctx);
    const refusal = await accounts.changePassword(user._id, sessionId, current, next);
    logSecurity(ctx, refusal ? 'password_change_failed' : 'password_changed', user._id);
    return refusal ? refused(ctx, refusal) : reply(ctx, 'password_changed');
  });

  router.get('/sessions', async (ctx) => {
    const { user, sessionId } = signedIn(ctx);
    return { sessions: await sessions.list(user._id, sessionId), nextCursor: null } satisfies SessionList;
  });

  router.delete('/sessions', noBody(), async (ctx) => {
    const { user } = signedIn(ctx);
    await sessions.endAll(user._id);
    logSecurity(ctx, 'sessions_ended', user._id);
    leaveBrowser(ctx);
    return reply(ctx, 'all_sessions_over');
  });

  router.delete('/sessions/:id', noBody(), async (ctx) => {
    await sessions.end(signedIn(ctx).user._id, idOf(ctx));
    return reply(ctx, 'session_over');
  });

  router.delete('/account', Proof, limit.bySession, async (ctx, proof) => {
    const { _id } = signedIn(ctx).user;
    const isProven = await proofs.accept(signedIn(ctx), 'delete_account', proof);
    logSecurity(ctx, isProven ? 'account_deleted' : 'account_deletion_failed', _id);
    if (!isProven) {
      if (proof.password === undefined) throw new ApiError('sso_expired');
      return refused(ctx, 'wrong_password');
    }
    await accounts.remove(_id);
    leaveBrowser(ctx);
    return reply(ctx, 'account_deleted');
  });

  /**
   * Called when the browser's own session has ended. Removes cached files of the account, and pages that the browser would show
   * again at "back". Keeps the storage, which also contains settings and drafts of guests: the host removes the account's entries.
   */
  function leaveBrowser(ctx: DeskContext): void {
    ctx.set('Clear-Site-Data', '"cache"');
  }

  function answerWithToken(ctx: DeskContext, result: SignInResult, key: TextKey<'accounts'>): void {
    if ('refusal' in result) {
      ctx.body = refused(ctx, result.refusal, result.challenge);
      return;
    }
    identity.forgetGuest(ctx);
    keepDevice(ctx, nameKeyOf(bodyOf(ctx, Credentials).username));
    ctx.body = reply(ctx, key, result.token);
  }

  function keepDevice(ctx: DeskContext, nameKey: string): void {
    const name = cookieName(ctx, deviceCookie, config);
    // The __Host- prefix requires the root path.
    const path = name === deviceCookie ? '/admin' : '/';
    setCookie(ctx, config, name, devices.write(nameKey), { maxAge: deviceDays * 86_400_000, path });
  }

  return router;
}

/** /admin/second-factor: the second factor of the own account. Changes need the password and a code. */
export function createSecondFactorRoutes(
  { accounts, secondFactors, passkeys }: OpenAccounts,
  { limit, logSecurity }: Omit<AccountRouteDeps, 'config'>,
): DeskRoutes {
  const router = createRoutes('/admin/second-factor');

  router.get('/', async (ctx) => {
    const { _id } = signedIn(ctx).user;
    const state = await secondFactors.state(_id);
    return { ...state, passkeys: await passkeys.list(_id) } satisfies SecondFactorState;
  });

  router.post('/secret', noBody(), async (ctx) => {
    const secret = await secondFactors.begin(signedIn(ctx).user._id);
    return secret ? reply(ctx, 'second_factor_begun', { secret }) : refused(ctx, 'second_factor_is_on');
  });

  /** Calls `change` if the password is right. null: the code is wrong. */
  function proven(
    [method, path]: ['post' | 'delete', string],
    event: 'second_factor_on' | 'second_factor_off' | 'recovery_codes_made',
    change: (user: UserDocument, code: string) => Promise<{ data?: RecoveryCodes } | null>,
  ): void {
    router[method](path, SecondFactorProof, limit.bySession, async (ctx, { password, code }) => {
      const { _id } = signedIn(ctx).user;
      const user = await accounts.findByPassword(_id, password);
      const done = user && (await change(user, code));
      logSecurity(ctx, done ? event : 'second_factor_failed', _id);
      return (
        done ? reply(ctx, event, done.data) : refused(ctx, user ? 'wrong_code' : 'wrong_password')
      ) satisfies AdminReply<RecoveryCodes>;
    });
  }

  proven(['post', '/'], 'second_factor_on', async (user, code) => {
    const recoveryCodes = await secondFactors.confirm(user, code);
    return recoveryCodes && { data: { recoveryCodes } };
  });

  proven(['post', '/recovery-codes'], 'recovery_codes_made', async (user, code) => {
    if (!(await secondFactors.accept(user, code))) return null;
    return { data: { recoveryCodes: await secondFactors.renewCodes(user) } };
  });

  proven(['delete', '/'], 'second_factor_off', async (user, code) => {
    if (!(await secondFactors.accept(user, code))) return null;
    await secondFactors.turnOff(user);
    return {};
  });

  return router;
}

/** /admin/passkeys: passkeys of the own account, and signing in with one. Adding one needs the password, and a code if the account has a second factor. */
export function createPasskeyRoutes(
  { passkeys, accounts, secondFactors, identity, limits }: OpenAccounts,
  { limit, logSecurity, config }: AccountRouteDeps,
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
