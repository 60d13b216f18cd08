import type { Config } from '../config/config.ts';
import { ApiError, invalidRequest } from '../errors/errors.ts';
import type { DeskMiddleware } from './desk-state.ts';

/**
 * An IP address, a single-label name or no host (HTTP/1.0), as used by proxies and probes inside a network: not a public
 * domain, so DNS rebinding is not possible.
 */
const INTERNAL = /^((\d+(\.\d+){3}|\[[\da-f:.]+\]|[\w-]+)(:\d+)?)?$/i;

/**
 * Refuses requests with several hosts with 400. With PUBLIC_URL set, refuses requests for any other domain with 421: a page on a domain that an attacker
 * points to this server (DNS rebinding) would have the same origin as the application. Internal names and
 * addresses are accepted. Without PUBLIC_URL every host is accepted.
 */
export function knownHost({ publicUrl }: Pick<Config, 'publicUrl'>): DeskMiddleware {
  const known = publicUrl ? new URL(publicUrl) : null;
  /** In lower case, without the scheme's default port. */
  const hostOf = (host: string) => URL.parse(`${known?.protocol}//${host}`)?.host;
  return async (ctx, next) => {
    // RFC 9112, section 3.2: which of them a proxy used is unknown. `headersDistinct` would keep a second copy of all headers.
    const hosts = ctx.req.rawHeaders.filter(
      (name, index) => index % 2 === 0 && name.toLowerCase() === 'host',
    );
    if (hosts.length > 1) throw invalidRequest('host');
    const isKnown = known === null || hostOf(ctx.host) === known.host || INTERNAL.test(ctx.host);
    if (!isKnown) throw new ApiError('wrong_host');
    await next();
  };
}
