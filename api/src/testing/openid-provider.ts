import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair } from 'jose';
import Provider from 'oidc-provider';
import type { ConfiguredProvider } from '../config/configured-sign-in.ts';

export type OpenIdProvider = Awaited<ReturnType<typeof startOpenIdProvider>>;

/** An OpenID provider, at which everyone may sign in with any name and password. `groups` are those of each name. */
export async function startOpenIdProvider(groups: Record<string, string[]> = {}) {
  let handle: ReturnType<Provider['callback']> | null = null;
  const server = createServer((request, response) => handle?.(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const configured = {
    id: 'acme',
    name: 'Acme',
    issuer,
    clientId: 'desk',
    clientSecret: 'the secret of the desk',
    scope: 'openid profile email groups',
    rolesClaim: 'groups',
    roles: { writers: ['editor'] },
  } satisfies ConfiguredProvider;

  return {
    configured: configured as ConfiguredProvider,
    issuer,

    /** To be called as soon as the address of the desk is known. */
    async serve(desk: string): Promise<void> {
      const { privateKey } = await generateKeyPair('RS256', { extractable: true });
      const key = await exportJWK(privateKey);
      const provider = new Provider(issuer, {
        clients: [
          {
            client_id: configured.clientId,
            client_secret: configured.clientSecret,
            redirect_uris: [`${desk}/admin/sso/acme/callback`],
            post_logout_redirect_uris: [`${desk}/chatbot/login`],
            backchannel_logout_uri: `${desk}/admin/sso/acme/logout`,
            backchannel_logout_session_required: true,
          },
        ],
        jwks: { keys: [{ ...key, kid: 'first', use: 'sig', alg: 'RS256' }] },
        cookies: { keys: ['a key of the tests'] },
        // Without the dispatcher that refuses addresses of this machine, and without a time limit.
        fetch: (
          url: string,
          { dispatcher: _, signal: __, ...request }: RequestInit & { dispatcher?: unknown },
        ) => fetch(url, request),
        features: { backchannelLogout: { enabled: true } },
        claims: {
          openid: ['sub', 'sid'],
          profile: ['preferred_username'],
          email: ['email', 'email_verified'],
          groups: ['groups'],
        },
        scopes: ['openid', 'profile', 'email', 'groups'],
        findAccount: (_: unknown, name: string) => ({
          accountId: name,
          claims: () => ({
            sub: name,
            preferred_username: name,
            email: `${name}@acme.example`,
            email_verified: true,
            groups: groups[name] ?? [],
          }),
        }),
      });
      handle = provider.callback();
    },

    async end(): Promise<void> {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
