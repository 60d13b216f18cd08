import { ApiError } from '../errors/errors.ts';
import { onResponseEnd } from './client-disconnect.ts';
import type { DeskMiddleware } from './desk-state.ts';

/** Retry-After of a refused request, in seconds. */
const ownerRetryAfter = 5;
const retryAfter = 10;

/**
 * Limits concurrent operations in this process: `maxOfOwner` per owner and `maxOfAll` in total. Returns a function
 * that releases the slot.
 * @throws rate_limited if the owner has no slot left, unavailable if the total is exhausted.
 */
export function createConcurrencyLimiter(maxOfOwner: number, maxOfAll = Number.POSITIVE_INFINITY) {
  const underWay = new Map<string, number>();
  let ofAll = 0;
  return (owner: string): (() => void) => {
    const now = underWay.get(owner) ?? 0;
    if (now >= maxOfOwner) throw new ApiError('rate_limited', { retryAfter: ownerRetryAfter });
    if (ofAll >= maxOfAll) throw new ApiError('unavailable', { retryAfter });
    underWay.set(owner, now + 1);
    ofAll += 1;
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      ofAll -= 1;
      const left = (underWay.get(owner) ?? 1) - 1;
      if (left === 0) underWay.delete(owner);
      else underWay.set(owner, left);
    };
  };
}

/** The same for work of an owner, which occupies a slot until it ends. */
export function createWorkLimiter(maxOfOwner: number) {
  const begin = createConcurrencyLimiter(maxOfOwner);
  return async <T>(owner: string, work: () => Promise<T>): Promise<T> => {
    const end = begin(owner);
    try {
      return await work();
    } finally {
      end();
    }
  };
}

/** The same for requests: each occupies a slot of its owner until its response has ended. */
export function limitConcurrency(maxOfOwner: number, maxOfAll?: number): DeskMiddleware {
  const begin = createConcurrencyLimiter(maxOfOwner, maxOfAll);
  return async (ctx, next) => {
    onResponseEnd(ctx, begin(ctx.state.owner));
    await next();
  };
}
