import { z } from 'zod';
import { ProofPurpose } from './accounts.ts';

/** How people may sign in, as embedded in pages. */
export const SignInWays = z.object({
  /** Whether /login shows the form for user name and password; false if LOCAL_SIGN_IN is off. */
  local: z.boolean(),
  /** The providers of single sign-on, in the order of OIDC_PROVIDERS. */
  providers: z.array(z.object({ id: z.string(), name: z.string() })),
});
export type SignInWays = z.infer<typeof SignInWays>;

/**
 * Why a sign-in at a provider did not succeed: /login?sso=<problem>. `link`: there is an account with this name, and its password
 * decides whether it is the same person; `name` is then its user name.
 */
export const SsoProblem = z.enum(['cancelled', 'disabled', 'expired', 'link', 'refused', 'unavailable']);
export type SsoProblem = z.infer<typeof SsoProblem>;

/** `data` of POST /admin/sso/link and /admin/sso/create. */
export const SsoSession = z.object({ token: z.string(), username: z.string() });
export type SsoSession = z.infer<typeof SsoSession>;

/** POST /admin/sso/confirm: sign in again at the provider of the session, before a decision. */
export const ConfirmRequest = z.object({ purpose: ProofPurpose });

/** The page of the provider. It returns to /account or /composition, with `?confirm=<outcome>`. */
export const ConfirmPage = z.object({ url: z.string() });
export type ConfirmPage = z.infer<typeof ConfirmPage>;

export const ConfirmOutcome = z.enum(['done', 'failed']);
export type ConfirmOutcome = z.infer<typeof ConfirmOutcome>;

/** `data` of POST /admin/logout, for a session that a provider started: where its own session can be ended. */
export const SignedOut = z.object({ url: z.string() });

/** POST /admin/sso/:provider/logout: the form that a provider sends, see OpenID Connect Back-Channel Logout 1.0. */
export const LogoutForm = z.object({ logout_token: z.string().min(1) });

/** GET /admin/sso/:provider/frontchannel-logout: whose session has ended there, see OpenID Connect Front-Channel Logout 1.0. */
export const FrontChannelLogout = z.object({ iss: z.url().max(2048), sid: z.string().min(1).max(1000) });
