import { rateLimited, unavailable } from '../../contract/errors.ts';

/** Seconds that somebody turned away should wait. */
const ownerRetryAfter = 5;
const retryAfter = 10;

/**
 * Lets each owner do `most` of something at a time in this process, and all owners together `mostOfAll`. Returns what gives the place back.
 *
 * @throws rateLimited when the owner has no place left, unavailable when nobody has.
 */
export function createFewAtATime(
  most: number,
  mostOfAll = Number.POSITIVE_INFINITY,
): (owner: string) => () => void {
  const underWay = new Map<string, number>();
  let ofAll = 0;
  return (owner) => {
    const now = underWay.get(owner) ?? 0;
    if (now >= most) throw rateLimited(ownerRetryAfter);
    if (ofAll >= mostOfAll) throw unavailable(retryAfter);
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
