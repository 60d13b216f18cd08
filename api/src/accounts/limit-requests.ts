import type { DeskContext, DeskMiddleware } from '../http/desk-state.ts';
import type { UploadMeter } from '../http/receive-upload.ts';
import type { Quotas } from './quotas.ts';
import type { RateLimit } from './rate-limit.ts';

/**
 * Limits requests by owner; a guest also by address, since anyone can become a new guest at any time.
 * Accounts are not limited by address, which a whole office may share.
 */
export function limitRequests(limit: RateLimit): DeskMiddleware {
  return async (ctx, next) => {
    await limit.take(...new Set([ctx.state.owner, callerKey(ctx)]));
    await next();
  };
}

/** Counts the bytes of a request, see `Quotas`. */
export function meterOf(quotas: Pick<Quotas, 'meter'>): (ctx: DeskContext) => UploadMeter {
  return ({ ip, state: { owner } }) => quotas.meter(owner, addressKey(ip));
}

/** Identifies the caller for sharing a resource fairly: the account, or the address of a guest. */
export function callerKey({ ip, state: { owner } }: DeskContext): string {
  return owner.startsWith('guest:') ? addressKey(ip) : owner;
}

/** A subscriber's whole IPv6 /64 counts as one address. Ports that proxies append are removed. */
export function addressKey(address: string): string {
  const ip = address.replace(/^\[([^\]]+)\](:\d+)?$/, '$1').replace(/^(\d+(\.\d+){3}):\d+$/, '$1');
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ip)?.[1];
  if (mapped || !ip.includes(':')) return `address ${mapped ?? ip}`;
  const [head = '', tail] = (ip.split('%', 1)[0] ?? '').toLowerCase().split('::');
  const before = head === '' ? [] : head.split(':');
  const after = tail ? tail.split(':') : [];
  const gap = tail === undefined ? 0 : Math.max(0, 8 - before.length - after.length);
  const groups = [...before, ...Array<string>(gap).fill('0'), ...after].slice(0, 4);
  return `address ${groups.map((group) => group.replace(/^0+(?=.)/, '')).join(':')}`;
}
