import type { JWTVerifyGetKey } from 'jose';
import { LRUCache } from 'lru-cache';
import type { ClientAuth, Configuration } from 'openid-client';
import { z } from 'zod';
import type { ConfiguredProvider } from '../config/configured-sign-in.ts';
import { ProofPurpose } from '../contract/accounts.ts';
import type { GivenRole } from '../contract/rights.ts';
import { notFound } from '../errors/errors.ts';

/** Timeout of each request to a provider, in seconds. */
const timeoutSeconds = 10;
/** Accepted difference of a provider's clock, in seconds. */
const toleranceSeconds = 30;
/** Time after which the metadata of a provider is read again, in ms. */
const readAgainMs = 3_600_000;
const maxLogoutAge = '5 minutes';
/** The event of a log-out token (OpenID Connect Back-Channel Logout 1.0). */
const logoutEvent = 'http://schemas.openid.net/event/backchannel-logout';

/** A sign-in that a browser has begun. */
export const Flow = z.object({
  provider: z.string(),
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  /** Missing: it starts a session. */
  proof: z
    .object({
      session: z.string(),
      purpose: ProofPurpose,
      /** In seconds since 1970: the person must have signed in after it. */
      since: z.number(),
    })
    .exactOptional(),
});
export type Flow = z.infer<typeof Flow>;

export const ProvidedPerson = z.object({
  provider: z.string(),
  issuer: z.string(),
  subject: z.string(),
  /** The session at the provider, if it has an id. */
  sid: z.string().nullable(),
  /** Possible user names, the best first. */
  names: z.array(z.string()),
  roles: z.array(z.custom<GivenRole>()),
  /** The values of the claim of groups; missing if the provider decides none. */
  groups: z.array(z.string()).optional(),
});
export type ProvidedPerson = z.infer<typeof ProvidedPerson>;

/** Loaded at the first use, since a start does not need it. */
const client = () => import('openid-client');
const jose = () => import('jose');

/** The OpenID providers: the code flow with PKCE, and log-out. */
export function createProviders(configured: readonly ConfiguredProvider[]) {
  const opened = new LRUCache<string, { configuration: Configuration; keys: JWTVerifyGetKey | null }>({
    max: Math.max(1, configured.length),
    ttl: readAgainMs,
    allowStaleOnFetchRejection: true,
    fetchMethod: (id) => discover(find(id)),
  });

  function find(id: string): ConfiguredProvider {
    const provider = configured.find((one) => one.id === id);
    if (!provider) throw notFound('provider');
    return provider;
  }

  async function open(id: string) {
    find(id);
    return (await opened.fetch(id))!;
  }

  return {
    list: configured.map(({ id, name }) => ({ id, name })),
    find,

    /** Returns the address where the browser continues, and the values that it must bring back. For a proof, the provider signs the person in again. @throws Error if the provider cannot be reached. */
    async begin(id: string, redirectUri: string, proof?: Omit<NonNullable<Flow['proof']>, 'since'>) {
      const { configuration } = await open(id);
      const { buildAuthorizationUrl, calculatePKCECodeChallenge, ...random } = await client();
      const flow: Flow = {
        provider: id,
        state: random.randomState(),
        nonce: random.randomNonce(),
        verifier: random.randomPKCECodeVerifier(),
        ...(proof && { proof: { ...proof, since: secondsNow() } }),
      };
      const url = buildAuthorizationUrl(configuration, {
        redirect_uri: redirectUri,
        scope: find(id).scope,
        state: flow.state,
        nonce: flow.nonce,
        code_challenge: await calculatePKCECodeChallenge(flow.verifier),
        code_challenge_method: 'S256',
        ...(proof && { prompt: 'login', max_age: '0' }),
      });
      return { url: url.href, flow };
    },

    /**
     * The person that signed in. `url` is the address to which the provider has sent the browser. @throws Error if the response or
     * the ID token is not for this sign-in, see `problemOf`, or for a proof is of an earlier one
     */
    async complete({ provider: id, ...flow }: Flow, url: URL): Promise<ProvidedPerson> {
      const provider = find(id);
      const { configuration } = await open(id);
      const { authorizationCodeGrant, fetchUserInfo } = await client();
      const tokens = await authorizationCodeGrant(configuration, url, {
        expectedState: flow.state,
        expectedNonce: flow.nonce,
        pkceCodeVerifier: flow.verifier,
        idTokenExpected: true,
        ...(flow.proof && { maxAge: secondsNow() - flow.proof.since }),
      });
      const proven = tokens.claims()!;
      if (proven.sub === '' || proven.iat > secondsNow() + toleranceSeconds)
        throw new Error('expected a subject, and a token that was not issued in the future');
      const { rolesClaim = 'sub', groupsClaim = 'sub' } = provider;
      const isComplete =
        namesOf(proven).length > 0 && proven[rolesClaim] !== undefined && proven[groupsClaim] !== undefined;
      const hasMore = !isComplete && configuration.serverMetadata().userinfo_endpoint !== undefined;
      const more = hasMore ? await fetchUserInfo(configuration, tokens.access_token, proven.sub) : {};
      const claims: Claims = { ...more, ...proven };
      return {
        provider: id,
        issuer: proven.iss,
        subject: proven.sub,
        sid: textOf(proven.sid) ?? null,
        names: namesOf(claims),
        roles: provider.rolesClaim ? rolesOf(provider, claims[provider.rolesClaim]) : [],
        ...(provider.groupsClaim ? { groups: valuesOf(claims[provider.groupsClaim]) } : {}),
      };
    },

    /** The page of the provider that ends its own session, and returns to `returnTo`; null if it has none. */
    async endSessionUrl(id: string, returnTo: string): Promise<string | null> {
      const { configuration } = await open(id);
      if (!configuration.serverMetadata().end_session_endpoint) return null;
      const { buildEndSessionUrl } = await client();
      return buildEndSessionUrl(configuration, { post_logout_redirect_uri: returnTo }).href;
    },

    /** Whose sessions a log-out token ends. @throws Error unless the provider has just signed it for this desk */
    async readLogout(id: string, token: string): Promise<{ issuer: string; subject?: string; sid?: string }> {
      const { configuration, keys } = await open(id);
      if (!keys) throw new Error('the provider publishes no keys');
      const { issuer } = configuration.serverMetadata();
      const { jwtVerify } = await jose();
      const { payload } = await jwtVerify(token, keys, {
        issuer,
        audience: find(id).clientId,
        maxTokenAge: maxLogoutAge,
        clockTolerance: toleranceSeconds,
        requiredClaims: ['jti'],
      });
      const { sub, sid, nonce, events } = LogoutClaims.parse(payload);
      if (!events[logoutEvent] || nonce !== undefined || (sub ?? sid) === undefined)
        throw new Error('expected a log-out token');
      return { issuer, ...(sub !== undefined && { subject: sub }), ...(sid !== undefined && { sid }) };
    },
  };
}

const secondsNow = () => Math.floor(Date.now() / 1000);

type Claims = Readonly<Record<string, unknown>>;

const LogoutClaims = z.object({
  sub: z.string().optional(),
  sid: z.string().optional(),
  nonce: z.unknown().optional(),
  events: z.record(z.string(), z.unknown()),
});

async function discover({ issuer, clientId, clientSecret }: ConfiguredProvider) {
  const { allowInsecureRequests, clockTolerance, discovery, enableNonRepudiationChecks } = await client();
  const address = new URL(issuer);
  const insecure = address.protocol === 'http:' ? [allowInsecureRequests] : [];
  const options = { timeout: timeoutSeconds, execute: [enableNonRepudiationChecks, ...insecure] };
  const metadata = { [clockTolerance]: toleranceSeconds };
  const auth = await authentication(clientSecret);
  const configuration = await discovery(address, clientId, metadata, auth, options);
  const { jwks_uri } = configuration.serverMetadata();
  const { createRemoteJWKSet } = await jose();
  const timeoutDuration = timeoutSeconds * 1000;
  const keys = jwks_uri ? createRemoteJWKSet(new URL(jwks_uri), { timeoutDuration }) : null;
  return { configuration, keys };
}

/** Sends the secret in the header, unless the provider accepts it only in the body. */
async function authentication(secret: string | undefined): Promise<ClientAuth> {
  const { ClientSecretBasic, ClientSecretPost, None } = await client();
  if (secret === undefined) return None();
  const [inHeader, inBody] = [ClientSecretBasic(secret), ClientSecretPost(secret)];
  return (server, ...request) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    return (methods.includes('client_secret_basic') ? inHeader : inBody)(server, ...request);
  };
}

function namesOf({ preferred_username, email, name }: Claims): string[] {
  return [preferred_username, email, name].flatMap((one) => textOf(one) ?? []);
}

function rolesOf({ roles }: ConfiguredProvider, claim: unknown): GivenRole[] {
  return [...new Set(valuesOf(claim).flatMap((one) => (Object.hasOwn(roles, one) ? roles[one]! : [])))];
}

/** The texts of a claim with one or several. */
function valuesOf(claim: unknown): string[] {
  return [claim].flat().filter((one) => typeof one === 'string');
}

function textOf(claim: unknown): string | undefined {
  return typeof claim === 'string' && claim.trim() !== '' ? claim : undefined;
}

/** Why a sign-in at a provider failed with `cause`. */
export function problemOf(cause: unknown): 'cancelled' | 'refused' | 'unavailable' {
  if (!(cause instanceof Error)) return 'refused';
  const { code, error, status } = cause as { code?: unknown; error?: unknown; status?: unknown };
  if (error === 'access_denied') return 'cancelled';
  const isDown = code === 'OAUTH_TIMEOUT' || (typeof status === 'number' && status >= 500);
  // `fetch` throws this if there is no response.
  const isUnreachable = cause instanceof TypeError && cause.message === 'fetch failed';
  if (isDown || isUnreachable || error === 'temporarily_unavailable') return 'unavailable';
  return cause.cause === undefined ? 'refused' : problemOf(cause.cause);
}
