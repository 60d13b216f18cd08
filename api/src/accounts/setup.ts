import type { Config } from '../config/config.ts';
import { isSameSecret } from '../http/bearer.ts';
import type { DeskContext } from '../http/desk-state.ts';
import type { Roles } from './roles.ts';
import { createSigner } from './secrets.ts';

/** Headers by which proxies tell that they forward a request. */
const forwarding = [
  'forwarded',
  'via',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-real-ip',
];

export type Setup = ReturnType<typeof createSetup>;

/**
 * A new desk gets its administrator by a link that each start prints until there is one; all processes on a store print the same
 * link. On a desk that is only used locally, the first sign-up from the machine itself, without a proxy, becomes administrator.
 *
 * @param key belongs to this use alone.
 */
export function createSetup(
  roles: Pick<Roles, 'isFirstMissing'>,
  key: Buffer,
  { setupToken, publicUrl, trustProxy }: Pick<Config, 'setupToken' | 'publicUrl' | 'trustProxy'>,
) {
  const token = setupToken ?? createSigner(key).sign('setup');
  const isDeployed = setupToken !== null || publicUrl !== null || trustProxy > 0;

  return {
    /** The token of the link; null once there is an administrator. */
    openToken: async (): Promise<string | null> => ((await roles.isFirstMissing()) ? token : null),

    isOpenToken: async (given: string): Promise<boolean> =>
      isSameSecret(given, token) && roles.isFirstMissing(),

    /** Whether an account that signs up by this request may become the administrator. */
    isTrial({ req, request }: Pick<DeskContext, 'req' | 'request'>): boolean {
      const names = [`http://${request.get('Host')}`, request.get('Origin') || 'http://localhost'];
      return (
        !isDeployed &&
        // nginx forwards by HTTP/1.0 unless told otherwise, with the Host of its own request and no header of a proxy.
        req.httpVersion !== '1.0' &&
        isLoopback(req.socket.remoteAddress ?? '') &&
        names.every((name) => URL.canParse(name) && isLoopback(new URL(name).hostname)) &&
        forwarding.every((header) => request.get(header) === '')
      );
    },
  };
}

function isLoopback(host: string): boolean {
  return /^(?:(?:::ffff:)?127(?:\.\d+){3}|\[?::1\]?|localhost)$/.test(host);
}
