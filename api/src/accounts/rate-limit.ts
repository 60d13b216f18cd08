import { createHash } from 'node:crypto';
import type { Connection } from 'mongoose';
import {
  type RateLimiterAbstract,
  RateLimiterMemory,
  RateLimiterMongo,
  RateLimiterRes,
} from 'rate-limiter-flexible';
import { rateLimited } from '../errors/errors.ts';

/** A rate limit by key, counted in the store for all API processes together. */
export interface RateLimit {
  /** @throws rateLimited if one of `keys` exceeds its limit in this minute. */
  take(...keys: string[]): Promise<void>;
}

const limitsCollection = 'limits';
const minute = 60;

/**
 * At most `perMinute` per key; 0 means unlimited. Keys are stored as hashes, since they contain addresses and
 * names.
 */
export function createRateLimit(connection: Connection, name: string, perMinute: number): RateLimit {
  if (perMinute === 0) return { take: () => Promise.resolve() };
  return limitBy(createCounter(connection, name, perMinute, minute));
}

/** Counts up to `points` per key within `duration` seconds, in the store. */
export function createCounter(
  connection: Connection,
  name: string,
  points: number,
  duration: number,
): RateLimiterMongo {
  return new RateLimiterMongo({
    storeClient: connection.db,
    tableName: limitsCollection,
    keyPrefix: name,
    points,
    duration,
    disableIndexesCreation: true,
  });
}

/** The same, counted in this process only: causes no writes, where an approximate limit is sufficient. */
export function createLocalRateLimit(perMinute: number): RateLimit {
  return limitBy(new RateLimiterMemory({ points: perMinute, duration: minute }));
}

/** The stored form of a key, which may contain an address or a name. */
export function hashedKey(key: string): string {
  return createHash('sha256').update(key).digest('base64url').slice(0, 22);
}

function limitBy(limiter: RateLimiterAbstract): RateLimit {
  return {
    async take(...keys) {
      for (const key of keys) {
        await limiter.consume(hashedKey(key)).catch((cause: unknown) => {
          if (!(cause instanceof RateLimiterRes)) throw cause;
          throw rateLimited(Math.max(1, Math.ceil(cause.msBeforeNext / 1000)));
        });
      }
    },
  };
}

/** Creates the indexes for counting. */
export async function createRateLimitIndexes(connection: Connection): Promise<void> {
  const limits = connection.collection(limitsCollection);
  await Promise.all([
    limits.createIndex({ key: 1 }, { unique: true }),
    limits.createIndex({ expire: 1 }, { expireAfterSeconds: 0 }),
  ]);
}
