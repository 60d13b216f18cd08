import { ApiError } from '../../errors/errors.ts';
import type { Pointer } from '../data/pointer.ts';

type Restricted = Pick<Pointer, 'freeze' | 'pins'>;

/** What prevents a change of these parts now; null if nothing does. */
export function restrictionOf({ freeze, pins }: Restricted, parts: readonly string[], now: Date) {
  if (freeze && freeze.until > now) return freeze;
  return pins.find(({ part }) => parts.includes(part)) ?? null;
}

/** @throws conflict that says who froze or pinned it, and why. */
export function assertUnrestricted(pointer: Restricted | null, parts: readonly string[], now: Date): void {
  const restriction = pointer && restrictionOf(pointer, parts, now);
  if (!restriction) return;
  const { author, reason } = restriction;
  throw 'part' in restriction
    ? new ApiError('pinned', { name: restriction.part, author, reason })
    : new ApiError('frozen', { author, reason, until: restriction.until });
}
