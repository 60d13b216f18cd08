import Router from '@koa/router';
import type { Config } from '../config/config.ts';
import { CodeAnswer, Credentials, PasswordChange, Proof, type SessionList } from '../contract/accounts.ts';
import { LinkQuery, LinkUse } from '../contract/one-time-links.ts';
import { ApiError } from '../errors/errors.ts';
import { body, bodyOf, noBody } from '../http/body.ts';
import type { DeskContext, DeskRouter } from '../http/desk-state.ts';
import { idOf } from '../http/id-of.ts';
import { cookieName, setCookie } from '../http/set-cookie.ts';
import type { TextKey } from '../i18n/texts-of.ts';
import { answerSignIn, logSignIn, refused, reply } from './account-replies.ts';
import { nameKeyOf } from './account-rules.ts';
import type { SignInResult } from './accounts.ts';
import type { LogSecurity } from './audit/log-security.ts';
import { deviceCookie, deviceDays } from './device-cookie.ts';
import { signedIn } from './identify.ts';
import type { OpenAccounts } from './open-accounts.ts';
import type { SignInLimits } from './sign-in-limits.ts';
import { originOf } from './sso-routes.ts';

/** /admin takes only JSON, and a Bearer token for an account: no cookie, so no CSRF token is needed. */
export function createAccountRoutes(
  { accounts, proofs, sessions, providers, oneTimeLinks, setup, identity, devices }: OpenAccounts,
  {
    limit,
    logSecurity,
    config,
  }: { limit: SignInLimits; logSecurity: LogSecurity; config: Pick<Config, 'publicUrl'> },
): DeskRouter {
  const router: DeskRouter = new Router({ prefix: '/admin' });

  router.post('/register', body(Credentials), limit.byName, async (ctx) => {
    const result = await accounts.signUp(
      { ...bodyOf(ctx, Credentials), ...identity.visitOf(ctx) },
      { mayBeFirst: setup.isTrial(ctx) },
    );
    if ('token' in result) logSignIn(logSecurity, ctx, result);
    answerWithToken(ctx, result, 'signed_up');
  });

  router.post('/login', body(Credentials), limit.byName, async (ctx) => {
    const result = await accounts.signIn({ ...bodyOf(ctx, Credentials), ...identity.visitOf(ctx) });
    logSignIn(logSecurity, ctx, result);
    answerWithToken(ctx, result, 'signed_in');
  });

  router.post('/login/code', body(CodeAnswer), limit.byCode, async (ctx) => {
    const { challenge, code } = bodyOf(ctx, CodeAnswer);
    const result = await accounts.signInByCode(challenge, code, identity.visitOf(ctx));
    logSignIn(logSecurity, ctx, result);
    if ('token' in result) keepDevice(ctx, nameKeyOf(result.username));
    answerSignIn(ctx, identity, result);
  });

  const limitByLink = limit.byBody((ctx) => `link ${bodyOf(ctx, LinkQuery).token}`);

  router.post('/link', body(LinkQuery), limitByLink, async (ctx) => {
    ctx.body = await oneTimeLinks.read(bodyOf(ctx, LinkQuery).token);
  });

  router.post('/link/use', body(LinkUse), limitByLink, async (ctx) => {
    const { token, ...credentials } = bodyOf(ctx, LinkUse);
    const result = await oneTimeLinks.use(token, { ...credentials, ...identity.visitOf(ctx) });
    if ('token' in result) {
      if (result.isNew) logSignIn(logSecurity, ctx, result);
      else logSecurity(ctx, 'password_changed', result.userId);
      if (result.hadSecondFactor) logSecurity(ctx, 'second_factor_off', result.userId);
    }
    answerSignIn(ctx, identity, result);
  });

  router.post('/auth', noBody(), (ctx) => {
    ctx.body = reply(ctx, 'is_signed_in', { username: signedIn(ctx).user.username });
  });

  router.post('/logout', noBody(), async (ctx) => {
    const { user, sessionId, provider } = signedIn(ctx);
    await sessions.end(user._id, sessionId.toHexString());
    leaveBrowser(ctx);
    // If the provider cannot be reached, its session stays.
    const returnTo = `${originOf(ctx, config)}/chatbot/login`;
    const url = provider && (await providers.endSessionUrl(provider, returnTo).catch(() => null));
    ctx.body = reply(ctx, 'signed_out', url ? { url } : undefined);
  });

  router.post('/password', body(PasswordChange), limit.bySession, async (ctx) => {
    const { user, sessionId } = signedIn(ctx);
    const { current, next } = bodyOf(ctx, PasswordChange);
    const refusal = await accounts.changePassword(user._id, sessionId, current, next);
    logSecurity(ctx, refusal ? 'password_change_failed' : 'password_changed', user._id);
    ctx.body = refusal ? refused(ctx, refusal) : reply(ctx, 'password_changed');
  });

  router.get('/sessions', async (ctx) => {
    const { user, sessionId } = signedIn(ctx);
    ctx.body = { sessions: await sessions.list(user._id, sessionId), nextCursor: null } satisfies SessionList;
  });

  router.delete('/sessions', noBody(), async (ctx) => {
    const { user } = signedIn(ctx);
    await sessions.endAll(user._id);
    logSecurity(ctx, 'sessions_ended', user._id);
    leaveBrowser(ctx);
    ctx.body = reply(ctx, 'all_sessions_over');
  });

  router.delete('/sessions/:id', noBody(), async (ctx) => {
    await sessions.end(signedIn(ctx).user._id, idOf(ctx));
    ctx.body = reply(ctx, 'session_over');
  });

  router.delete('/account', body(Proof), limit.bySession, async (ctx) => {
    const { _id } = signedIn(ctx).user;
    const proof = bodyOf(ctx, Proof);
    const isProven = await proofs.accept(signedIn(ctx), 'delete_account', proof);
    logSecurity(ctx, isProven ? 'account_deleted' : 'account_deletion_failed', _id);
    if (!isProven) {
      if (proof.password === undefined) throw new ApiError('sso_expired');
      ctx.body = refused(ctx, 'wrong_password');
      return;
    }
    await accounts.remove(_id);
    leaveBrowser(ctx);
    ctx.body = reply(ctx, 'account_deleted');
  });

  /**
   * After the end of the browser's own session: removes files of the account, and pages that the browser would show again at "back". Not the storage,
   * which contains settings and drafts of guests: the host removes what belongs to the account.
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
