import { createHash } from 'node:crypto';
import type { Connection } from 'mongoose';
import {
  type RateLimiterAbstract,
  RateLimiterMemory,
  RateLimiterMongo,
  RateLimiterRes,
} from 'rate-limiter-flexible';
import { ApiError } from '../errors/errors.ts';
import { databaseNow } from '../store/database-clock.ts';

/** A rate limit by key, counted in the store for all API processes together. */
export interface RateLimit {
  /** @throws rate_limited if one of `keys` exceeds its limit in this minute. */
  take(...keys: string[]): Promise<void>;
}

const limitsCollection = 'limits';
const minute = 60;

/** Allows `perMinute` calls per key and minute; 0: any number. Keys are stored as hashes, since they contain addresses and names. */
export function createRateLimit(connection: Connection, name: string, perMinute: number): RateLimit {
  if (perMinute === 0) return { take: () => Promise.resolve() };
  return limitBy(createCounter(connection, name, perMinute, minute));
}

/** Counts up to `points` per key within `duration` seconds, in the store. */
export function createCounter(connection: Connection, name: string, points: number, duration: number) {
  return new RateLimiterMongo({
    storeClient: { collection: (of: string) => byDatabaseClock(connection.collection(of)) },
    tableName: limitsCollection,
    keyPrefix: name,
    points,
    duration,
    disableIndexesCreation: true,
  });
}

/** The methods of a collection that RateLimiterMongo uses, with dates by the clock of the database instead of this machine's. */
function byDatabaseClock(limits: ReturnType<Connection['collection']>) {
  const shifted = (value: unknown, ms: number): unknown => {
    if (value instanceof Date) return new Date(value.getTime() + ms);
    if (Array.isArray(value)) return value.map((one) => shifted(one, ms));
    if (value === null || Object.getPrototypeOf(value) !== Object.prototype) return value;
    return Object.fromEntries(Object.entries(value as object).map(([name, one]) => [name, shifted(one, ms)]));
  };
  const ask = async (send: (stored: (value: object) => object) => Promise<unknown>) => {
    const aheadMs = databaseNow() - Date.now();
    return shifted(await send((value) => shifted(value, aheadMs) as object), -aheadMs);
  };
  type Options = { upsert: boolean; returnDocument: 'after' };
  return {
    findOneAndUpdate: (filter: object, update: object, options: Options) =>
      ask((stored) => limits.findOneAndUpdate(stored(filter), stored(update), options)),
    findOne: (filter: object) => ask((stored) => limits.findOne(stored(filter))),
  };
}

/** The same, counted in this process only: causes no writes, where an approximate limit is sufficient. */
export function createLocalRateLimit(perMinute: number): RateLimit {
  return limitBy(new RateLimiterMemory({ points: perMinute, duration: minute }));
}

/** The stored form of a key, which may contain an address or a name. */
export function hashedKey(key: string): string {
  return createHash('sha256').update(key).digest('base64url').slice(0, 22);
}

/** Time until it may be tried again, for Retry-After. */
export function secondsOf({ msBeforeNext }: RateLimiterRes): number {
  return Math.max(1, Math.ceil(msBeforeNext / 1000));
}

function limitBy(limiter: RateLimiterAbstract): RateLimit {
  return {
    async take(...keys) {
      for (const key of keys)
        await limiter.consume(hashedKey(key)).catch((cause: unknown) => {
          if (!(cause instanceof RateLimiterRes)) throw cause;
          throw new ApiError('rate_limited', { retryAfter: secondsOf(cause) });
        });
    },
  };
}

export async function createRateLimitIndexes(connection: Connection): Promise<void> {
  const limits = connection.collection(limitsCollection);
  await Promise.all([
    limits.createIndex({ key: 1 }, { unique: true }),
    limits.createIndex({ expire: 1 }, { expireAfterSeconds: 0 }),
  ]);
}
