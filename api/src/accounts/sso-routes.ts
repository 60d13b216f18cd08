import type { Logger } from 'pino';
import type { Config } from '../config/config.ts';
import { LinkCredentials, type ProofPurpose } from '../contract/accounts.ts';
import {
  type ConfirmOutcome,
  type ConfirmPage,
  ConfirmRequest,
  FrontChannelLogout,
  LogoutForm,
  type SsoProblem,
} from '../contract/single-sign-on.ts';
import { ApiError, invalidRequest } from '../errors/errors.ts';
import { bodyOf, form, queryOf } from '../http/body.ts';
import type { DeskContext } from '../http/desk-state.ts';
import { createRoutes, type DeskRoutes, noBody } from '../http/routes.ts';
import { answerSignIn, logSignIn } from './account-replies.ts';
import type { NamedSignIn, SignInResult } from './accounts.ts';
import type { LogSecurity } from './audit/log-security.ts';
import { signedIn } from './identify.ts';
import { addressKey } from './limit-requests.ts';
import type { OpenAccounts } from './open-accounts.ts';
import { type ProvidedPerson, problemOf } from './providers.ts';
import type { SignInLimits } from './sign-in-limits.ts';

/** The origin of this desk, as its visitors write it. */
export function originOf(ctx: DeskContext, { publicUrl }: Pick<Config, 'publicUrl'>): string {
  return publicUrl ?? `${ctx.protocol}://${ctx.host}`;
}

/** /admin/sso: signing in at OpenID providers. */
export function createSsoRoutes(
  { providers, singleSignOn, proofs, ssoCookies, identity, limits }: OpenAccounts,
  deps: {
    limit: SignInLimits;
    logSecurity: LogSecurity;
    log: Pick<Logger, 'warn'>;
    config: Pick<Config, 'publicUrl'>;
  },
): DeskRoutes {
  const { limit, logSecurity, log, config } = deps;
  const router = createRoutes('/admin/sso');

  /** An address for each provider: the response of one cannot be taken for that of another. */
  const callbackOf = (ctx: DeskContext, provider: string) =>
    `${originOf(ctx, config)}/admin/sso/${provider}/callback`;

  const providerOf = (ctx: DeskContext) => providers.find(ctx.params.provider ?? '');

  router.get('/:provider/start', async (ctx) => {
    const { id: provider } = providerOf(ctx);
    try {
      const { url, flow } = await providers.begin(provider, callbackOf(ctx, provider));
      ssoCookies.write(ctx, 'desk_sso', flow);
      ctx.redirect(url);
    } catch (err) {
      log.warn({ err, provider }, 'an OpenID provider cannot be used');
      leaveTo(ctx, 'login', { sso: 'unavailable' satisfies SsoProblem });
    }
  });

  router.get('/:provider/callback', async (ctx) => {
    const flow = ssoCookies.read(ctx, 'desk_sso');
    ssoCookies.remove(ctx, 'desk_sso');
    if (!flow || flow.provider !== ctx.params.provider) return refuse(ctx, 'expired');
    const url = new URL(callbackOf(ctx, flow.provider));
    url.search = ctx.search;
    let person: ProvidedPerson;
    try {
      person = await providers.complete(flow, url);
    } catch (err) {
      const problem = problemOf(err);
      if (problem !== 'cancelled')
        log.warn({ err, provider: flow.provider }, 'a sign-in at a provider failed');
      return flow.proof ? leaveProof(ctx, flow.proof.purpose, false) : refuse(ctx, problem);
    }
    if (flow.proof) {
      const { session, purpose } = flow.proof;
      return leaveProof(ctx, purpose, await proofs.record(session, purpose, person));
    }
    const result = await singleSignOn.signIn(person, identity.visitOf(ctx));
    if ('isNamed' in result) {
      // Without the groups, which may be too many for a cookie: the next sign-in brings them.
      const { groups: _, ...short } = person;
      ssoCookies.write(ctx, 'desk_sso_person', short);
      return leaveTo(ctx, 'login', { sso: 'link' satisfies SsoProblem, name: result.isNamed });
    }
    if ('refusal' in result) return refuse(ctx, 'disabled', result);
    logSignIn(logSecurity, ctx, result);
    identity.forgetGuest(ctx);
    identity.keepSession(ctx, result.token, result.username);
    return leaveTo(ctx, 'index');
  });

  router.post('/:provider/logout', form(LogoutForm), async (ctx) => {
    const { id: provider } = providerOf(ctx);
    const whose = await providers
      .readLogout(provider, bodyOf(ctx, LogoutForm).logout_token)
      .catch((err: unknown) => {
        log.warn({ err, provider }, 'a log-out token was refused');
        throw invalidRequest('logout_token');
      });
    for (const userId of await singleSignOn.endSessions(provider, whose))
      logSecurity(ctx, 'sessions_ended', userId);
    return '';
  });

  // Cookies are not sent to a frame on another site: other pages cannot end the session, because its id is secret.
  router.get('/:provider/frontchannel-logout', async (ctx) => {
    // Attempts to guess the id of a session at a provider.
    await limits.providerLogout.take(addressKey(ctx.ip));
    const { iss, sid } = queryOf(ctx, FrontChannelLogout);
    const { id: provider, issuer: known } = providerOf(ctx);
    const issuer = new URL(known);
    if (new URL(iss).href !== issuer.href) throw invalidRequest('iss');
    for (const userId of await singleSignOn.endSessions(provider, { issuer: iss, sid }))
      logSecurity(ctx, 'sessions_ended', userId);
    ctx.set('Content-Security-Policy', `default-src 'none'; frame-ancestors ${issuer.origin}`);
    ctx.remove('X-Frame-Options');
    return '';
  });

  router.post('/link', LinkCredentials, limit.byName, async (ctx, given) => {
    const person = personOf(ctx);
    const result = await singleSignOn.link(person, { ...given, ...identity.visitOf(ctx) });
    if ('token' in result) logSecurity(ctx, 'identity_linked', result.userId);
    answer(ctx, result);
  });

  router.post('/confirm', ConfirmRequest, async (ctx, request) => {
    const { sessionId, provider } = signedIn(ctx);
    const { id } = providers.find(provider ?? '');
    const proof = { session: sessionId.toHexString(), ...request };
    const begun = await providers.begin(id, callbackOf(ctx, id), proof).catch((err: unknown) => {
      log.warn({ err, provider }, 'an OpenID provider cannot be used');
      throw new ApiError('unavailable');
    });
    ssoCookies.write(ctx, 'desk_sso', begun.flow);
    return { url: begun.url } satisfies ConfirmPage;
  });

  router.post('/create', noBody(), async (ctx) => {
    answer(ctx, await singleSignOn.create(personOf(ctx), identity.visitOf(ctx)));
  });

  /** @throws expired if the sign-in at the provider was too long ago */
  function personOf(ctx: DeskContext): ProvidedPerson {
    const person = ssoCookies.read(ctx, 'desk_sso_person');
    if (!person) throw new ApiError('sso_expired');
    return person;
  }

  function answer(ctx: DeskContext, result: NamedSignIn): void {
    logSignIn(logSecurity, ctx, result);
    if ('token' in result) ssoCookies.remove(ctx, 'desk_sso_person');
    answerSignIn(ctx, identity, result);
  }

  /** Returns to the screen that has asked for the proof. */
  function leaveProof(ctx: DeskContext, purpose: ProofPurpose, isProven: boolean): void {
    if (!isProven) logSecurity(ctx, 'sign_in_failed', null);
    const outcome: ConfirmOutcome = isProven ? 'done' : 'failed';
    leaveTo(ctx, purpose === 'operate' ? 'composition' : 'account', { confirm: outcome });
  }

  function refuse(ctx: DeskContext, problem: SsoProblem, { userId }: Pick<SignInResult, 'userId'> = {}) {
    logSecurity(ctx, 'sign_in_failed', userId ?? null);
    leaveTo(ctx, 'login', { sso: problem });
  }

  return router;
}

function leaveTo(
  ctx: DeskContext,
  screen: 'account' | 'composition' | 'index' | 'login',
  query: Record<string, string> = {},
): void {
  const search = new URLSearchParams(query).toString();
  ctx.redirect(`/chatbot/${screen}${search && `?${search}`}`);
}
