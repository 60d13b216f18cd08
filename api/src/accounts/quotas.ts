import type { Connection } from 'mongoose';
import { type RateLimiterMongo, RateLimiterRes } from 'rate-limiter-flexible';
import type { Config } from '../config/config.ts';
import { ApiError, leftOf } from '../errors/errors.ts';
import type { UploadMeter } from '../http/receive-upload.ts';
import { createCounter, hashedKey, secondsOf } from './rate-limit.ts';

const kilobyte = 1024;
const megabyte = 1024 * kilobyte;
const day = 86_400;

/** Bytes counted per write to the store. */
const step = megabyte;

interface Counter {
  limiter: RateLimiterMongo;
  key: string;
}

export type Quotas = ReturnType<typeof createQuotas>;

/**
 * Upload quotas, counted in the store.
 * Quotas in bytes per day for a guest, all guests of an address, an account and an address; and for the total
 * that each owner keeps. `bytesKept` returns the size of an owner's files.
 */
export function createQuotas(
  connection: Connection,
  bytesKept: (owner: string) => Promise<number>,
  config: Pick<Config, 'limitGuestMb' | 'limitAddressMb' | 'limitOwnerMb'>,
) {
  const { limitOwnerMb } = config;
  const daily = (name: string, megabytes: number) => {
    const limiter =
      megabytes === 0 ? null : createCounter(connection, name, megabytes * (megabyte / kilobyte), day);
    return (...keys: string[]): Counter[] =>
      limiter ? keys.map((key) => ({ limiter, key: hashedKey(key) })) : [];
  };
  const ofGuest = daily('guest_kb', config.limitGuestMb);
  const ofAccount = daily('account_kb', limitOwnerMb);
  const ofAddress = daily('address_kb', config.limitAddressMb);

  function countersOf(owner: string, address: string): Counter[] {
    const own = owner.startsWith('guest:') ? ofGuest(owner, address) : ofAccount(owner);
    return [...own, ...ofAddress(address)];
  }

  return {
    /** Counts the bytes of one request. `address` is the caller's, see `addressKey`. */
    meter: (owner: string, address: string): UploadMeter => createMeter(countersOf(owner, address)),

    room,

    /** @throws quota_full if the owner's files have no room for `bytes` more. */
    async needRoom(owner: string, bytes: number): Promise<void> {
      const left = await room(owner);
      if (left !== null && bytes > left) throw new ApiError('quota_full', leftOf(left));
    },
  };

  /** Bytes left for the owner's files; null if unlimited. */
  async function room(owner: string): Promise<number | null> {
    if (limitOwnerMb === 0) return null;
    return Math.max(0, limitOwnerMb * megabyte - (await bytesKept(owner)));
  }
}

/** The error for a daily quota with `left` kilobytes, which may be negative. */
function usedUp(left: number, retryAfter: number): ApiError {
  return new ApiError('quota_used', { ...leftOf(Math.max(0, left) * kilobyte), retryAfter });
}

function createMeter(counters: Counter[]): UploadMeter {
  const counted = counters.map(() => 0);
  let waiting = 0;

  async function count(): Promise<void> {
    const kilobytes = Math.ceil(waiting / kilobyte);
    waiting = 0;
    if (kilobytes === 0) return;
    for (const [at, { limiter, key }] of counters.entries()) {
      counted[at]! += kilobytes;
      await limiter.consume(key, kilobytes).catch((cause: unknown) => {
        if (!(cause instanceof RateLimiterRes)) throw cause;
        throw usedUp(limiter.points - cause.consumedPoints + kilobytes, secondsOf(cause));
      });
    }
  }

  return {
    async expect(bytes) {
      for (const { limiter, key } of counters) {
        const used = await limiter.get(key);
        const left = limiter.points - (used?.consumedPoints ?? 0);
        if (bytes > left * kilobyte) throw usedUp(left, used ? secondsOf(used) : day);
      }
    },

    async take(bytes) {
      waiting += bytes;
      if (waiting >= step) await count();
    },

    finish: count,

    async giveBack() {
      waiting = 0;
      for (const [at, { limiter, key }] of counters.entries()) {
        const kilobytes = counted[at]!;
        counted[at] = 0;
        if (kilobytes > 0) await limiter.reward(key, kilobytes);
      }
    },
  };
}
