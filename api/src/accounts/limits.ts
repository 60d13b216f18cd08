import { createHash } from 'node:crypto';
import type { Connection } from 'mongoose';
import {
  type RateLimiterAbstract,
  RateLimiterMemory,
  RateLimiterMongo,
  RateLimiterRes,
} from 'rate-limiter-flexible';
import { rateLimited } from '../errors/errors.ts';

/** Counts requests by key in the store, so that all API processes count together. */
export interface Limit {
  /** @throws rateLimited when one of `keys` came more often than allowed this minute. */
  take(...keys: string[]): Promise<void>;
}

export const limitsCollection = 'limits';
const minute = 60;

/** At most `perMinute` by key; 0 allows everything. Keys are kept hashed: they hold addresses and names. */
export function createLimit(connection: Connection, name: string, perMinute: number): Limit {
  if (perMinute === 0) return { take: () => Promise.resolve() };
  const limiter = new RateLimiterMongo({
    storeClient: connection.db,
    tableName: limitsCollection,
    keyPrefix: name,
    points: perMinute,
    duration: minute,
    disableIndexesCreation: true,
  });
  return limitBy(limiter);
}

/** The same counted by this process alone: costs no write, where a bound is all that is needed. */
export function createLocalLimit(perMinute: number): Limit {
  return limitBy(new RateLimiterMemory({ points: perMinute, duration: minute }));
}

/** As a key is kept: it may hold an address or a name. */
export function hashedKey(key: string): string {
  return createHash('sha256').update(key).digest('base64url').slice(0, 22);
}

function limitBy(limiter: RateLimiterAbstract): Limit {
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

/** Declares the indexes that counting rests on. */
export async function createLimitIndexes(connection: Connection): Promise<void> {
  const limits = connection.collection(limitsCollection);
  await Promise.all([
    limits.createIndex({ key: 1 }, { unique: true }),
    limits.createIndex({ expire: 1 }, { expireAfterSeconds: 0 }),
  ]);
}
