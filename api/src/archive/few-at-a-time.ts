import { rateLimited } from '../errors.ts';

/** Seconds that somebody turned away should wait. */
const tryAgainAfter = 5;

/** Lets each owner do `most` of something at a time in this process; the next one is turned away. Returns what gives the place back. */
export function createFewAtATime(most: number): (owner: string) => () => void {
  const underWay = new Map<string, number>();
  return (owner) => {
    const now = underWay.get(owner) ?? 0;
    if (now >= most) throw rateLimited(tryAgainAfter);
    underWay.set(owner, now + 1);
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      const left = (underWay.get(owner) ?? 1) - 1;
      if (left === 0) underWay.delete(owner);
      else underWay.set(owner, left);
    };
  };
}
