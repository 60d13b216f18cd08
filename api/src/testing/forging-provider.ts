import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import type { ConfiguredProvider } from '../config/configured-sign-in.ts';

export type ForgingProvider = Awaited<ReturnType<typeof startForgingProvider>>;

/** The least of an OpenID provider, whose tokens contain what a test says. */
export async function startForgingProvider(id: string) {
  const [real, other] = await Promise.all([generateKeyPair('RS256'), generateKeyPair('RS256')]);
  const jwk = { ...(await exportJWK(real.publicKey)), kid: 'key', alg: 'RS256', use: 'sig' };
  let idToken = '';
  const server = createServer((request, response) => {
    const path = request.url?.split('?', 1)[0];
    const replies: Record<string, object> = {
      '/.well-known/openid-configuration': {
        issuer,
        authorization_endpoint: `${issuer}/auth`,
        token_endpoint: `${issuer}/token`,
        end_session_endpoint: `${issuer}/end`,
        jwks_uri: `${issuer}/jwks`,
        authorization_response_iss_parameter_supported: true,
      },
      '/jwks': { keys: [jwk] },
      '/token': { access_token: 'access', token_type: 'bearer', id_token: idToken },
    };
    const reply = replies[path ?? ''];
    response.writeHead(reply ? 200 : 404, { 'Content-Type': 'application/json' });
    response.end(JSON.stringify(reply ?? {}));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  /** By the published key, or by another one of the same name. */
  const sign = (claims: JWTPayload, { isForged = false } = {}): Promise<string> => {
    const now = Math.floor(Date.now() / 1000);
    return new SignJWT({ iss: issuer, aud: 'desk', iat: now, exp: now + 300, ...claims })
      .setProtectedHeader({ alg: 'RS256', kid: 'key' })
      .sign((isForged ? other : real).privateKey);
  };

  return {
    issuer,
    configured: {
      id,
      name: id,
      issuer,
      clientId: 'desk',
      clientSecret: 'the secret of the desk',
      scope: 'openid',
      rolesClaim: 'groups',
      groupsClaim: 'groups',
      roles: { heads: ['administrator'], writers: ['editor', 'agent'] },
    } satisfies ConfiguredProvider as ConfiguredProvider,
    sign,
    /** The next ID token. */
    give(token: string): void {
      idToken = token;
    },
    async end(): Promise<void> {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
