import type { Config } from '../config/config.ts';
import { wrongHost } from '../errors/errors.ts';
import type { DeskMiddleware } from './desk-state.ts';

/** An IP address or a name of one label, as proxies and probes inside a network use: no public domain, so nobody can rebind it. */
const INTERNAL = /^(\d+(\.\d+){3}|\[[\da-f:.]+\]|[\w-]+)(:\d+)?$/i;

/**
 * With PUBLIC_URL set, refuses requests for any other domain with 421: a page of a domain that its owner makes resolve to this server (DNS
 * rebinding) would be of the same origin as the desk. Internal names and addresses are accepted. Without PUBLIC_URL every host is.
 */
export function knownHost({ publicUrl }: Pick<Config, 'publicUrl'>): DeskMiddleware {
  const known = publicUrl ? new URL(publicUrl) : null;
  /** In lower case, without the scheme's own port. */
  const hostOf = (host: string) => URL.parse(`${known?.protocol}//${host}`)?.host;
  return async (ctx, next) => {
    const isKnown = known === null || hostOf(ctx.host) === known.host || INTERNAL.test(ctx.host);
    if (!isKnown) throw wrongHost();
    await next();
  };
}
